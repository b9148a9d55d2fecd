"""A run type's contract as the engine reads it."""

from dataclasses import dataclass, field

from console.exact import decode, digest
from console.exact.value import Object, Value

ANY = "*"


@dataclass(frozen=True, slots=True)
class RunTypeDocument:
    """A contract in normal form, read. What it leaves open has the careful default that stands here."""

    name: str
    version: int
    digest: bytes
    description: str
    consequential: bool
    operations: frozenset[str] | None  # None: any
    deadline_seconds: int | None
    complete_with_unresolved: bool
    lease_seconds: int
    success_criteria: tuple[str, ...]
    schema_version: int | None
    value: Object = field(repr=False)

    def may_use(self, operation: str) -> bool:
        """Tell whether runs of this type may use the operation."""
        return self.operations is None or operation in self.operations


def run_type_document(document: Value) -> RunTypeDocument:
    """Read a run type's contract, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a contract is a mapping")
    operations, deadline = document["operations"], document.get("deadline_seconds")
    schema_version = document.get("checkpoint", {}).get("schema_version")
    return RunTypeDocument(
        name=document["name"],
        version=int(document["version"]),
        digest=digest(document),
        description=document["description"],
        consequential=document["consequential"],
        operations=None if operations == ANY else frozenset(operations),
        deadline_seconds=None if deadline is None else int(deadline),
        complete_with_unresolved=document["complete_with_unresolved"],
        lease_seconds=int(document.get("ownership", {}).get("lease_seconds", 60)),
        success_criteria=tuple(document.get("success_criteria", ())),
        schema_version=None if schema_version is None else int(schema_version),
        value=document,
    )


def read_run_type(text: str) -> RunTypeDocument:
    """Read a run type's contract from the canonical text that was stored."""
    return run_type_document(decode(text, levels=128))
