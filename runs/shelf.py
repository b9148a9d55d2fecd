"""The contracts and policies of a tenant as pages read them: those in force by name, the versions of one, and who governs what."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals.models import Coverage, Policy
from approvals.policy_document import EVERY
from console.database import rows
from console.documents import Document
from console.documents.writing import in_order, written
from console.exact import decode
from console.exact.value import Object
from runs.contracts import KINDS, gaps
from runs.contracts.argument_schema import SCHEMA as ARGUMENTS
from runs.models import Dependency, OperationContract, RunTypeContract

VERSIONS = 200
LEVELS = 128


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where the documents of one kind stand, and how their columns are called."""

    kind: str
    model: Any
    applied: str
    ended: str


SHELVES = {
    "operation": Shelf("Operation", OperationContract, "applied_at", "retired_at"),
    "run-type": Shelf("RunType", RunTypeContract, "applied_at", "retired_at"),
    "policy": Shelf("Policy", Policy, "published_at", "superseded_at"),
    "dependency": Shelf("Dependency", Dependency, "applied_at", "retired_at"),
}


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a document, as it stands on its shelf."""

    id: UUID
    kind: str
    name: str
    version: int
    digest: bytes
    applied_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Applied(Version):
    """A version with its document, in normal form."""

    value: Object

    @property
    def document(self) -> Document:
        """The document, to be read by what reads documents."""
        return Document(self.value)

    @property
    def gaps(self) -> int:
        """How many questions it leaves open."""
        return len(gaps(self.document))

    def ordered(self) -> Object:
        """Give the document with its members in the order of its schema."""
        ordered: Object = in_order(self.value, KINDS[self.kind].document)
        if self.kind == "Operation":
            ordered["arguments"] = in_order(self.value["arguments"], {"$ref": "#/$defs/field"}, ARGUMENTS)
        return ordered

    def text(self) -> str:
        """Write the document as YAML, in the order of its schema."""
        return written(self.ordered())


def in_force(kind: str, tenant_id: UUID, after: str, limit: int) -> list[Applied]:
    """Give the documents of a kind that are in force, by name."""
    shelf = SHELVES[kind]
    found = shelf.model._default_manager.filter(tenant_id=tenant_id, **{shelf.ended: None}, name__gt=after)
    return [_applied(shelf, row) for row in found.order_by("name")[:limit]]


def counts(tenant_id: UUID, most: int) -> dict[str, int]:
    """Count the documents in force of each kind, up to `most` each."""
    each = " union all ".join(
        f"(select '{kind}' as kind, count(*) as n from (select from {shelf.model._meta.db_table} "  # noqa: S608 - our own names
        f"where tenant_id = %s and {shelf.ended} is null limit %s) f)"
        for kind, shelf in SHELVES.items()
    )
    return {row["kind"]: row["n"] for row in rows(each, [tenant_id, most] * len(SHELVES))}


def one(kind: str, tenant_id: UUID, name: str, version: int | None) -> Applied | None:
    """Give one version of a document; without a number the one in force, or else the last."""
    shelf = SHELVES[kind]
    found = shelf.model._default_manager.filter(tenant_id=tenant_id, name=name)
    row = found.filter(version=version).first() if version else found.order_by("-version").first()
    return None if row is None else _applied(shelf, row)


def versions(kind: str, tenant_id: UUID, name: str) -> list[Version]:
    """Give the last 200 versions of a document, the latest first, without what they say."""
    shelf = SHELVES[kind]
    columns = ("id", "name", "version", "digest", shelf.applied, shelf.ended)
    found = shelf.model._default_manager.filter(tenant_id=tenant_id, name=name).order_by("-version")
    return [Version(row[0], shelf.kind, *row[1:]) for row in found.values_list(*columns)[:VERSIONS]]


def governing(tenant_id: UUID, operation: str) -> str | None:
    """Name the policy that governs an operation: its own, or the one for the rest."""
    covered = Coverage.objects.filter(tenant_id=tenant_id, operation__in=[operation, EVERY]).select_related("policy")
    found = {each.operation: each.policy.name for each in covered}
    return found.get(operation) or found.get(EVERY)


def governed(tenant_id: UUID, policy: str, operations: Iterable[str], limit: int) -> list[str]:
    """Name the operations in force that a policy in force governs, by name or because no other does."""
    known = OperationContract.objects.filter(tenant_id=tenant_id, retired_at=None).order_by("name")
    covered = Coverage.objects.filter(tenant_id=tenant_id)
    if EVERY in operations:
        by_others = covered.exclude(policy__name=policy).exclude(operation=EVERY).values("operation")
        known = known.exclude(name__in=by_others)
    else:
        known = known.filter(name__in=covered.filter(policy__name=policy).values("operation"))
    return list(known.values_list("name", flat=True)[:limit])


def callers(tenant_id: UUID, dependency: str, limit: int) -> list[str]:
    """Name the operations in force that call a dependency."""
    found = OperationContract.objects.filter(tenant_id=tenant_id, retired_at=None, dependency_name=dependency)
    return list(found.order_by("name").values_list("name", flat=True)[:limit])


def users(tenant_id: UUID, operation: str, limit: int) -> list[str]:
    """Name the run types in force, among the first of this many, whose runs may use an operation."""
    found = RunTypeContract.objects.filter(tenant_id=tenant_id, retired_at=None).order_by("name")[:limit]
    return [row.name for row in found if _may_use(_value(row.document), operation)]


def _may_use(run_type: Object, operation: str) -> bool:
    allowed: Any = run_type["operations"]
    return allowed == "*" or operation in allowed


def _applied(shelf: Shelf, row: Any) -> Applied:
    return Applied(
        id=row.pk, kind=shelf.kind, name=row.name, version=row.version, digest=bytes(row.digest),
        applied_at=getattr(row, shelf.applied), ended_at=getattr(row, shelf.ended), value=_value(row.document),
    )  # fmt: skip


def _value(text: str) -> Object:
    value = decode(text.encode(), levels=LEVELS)
    if not isinstance(value, dict):
        raise TypeError("a contract is a mapping")
    return value
