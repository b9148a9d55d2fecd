"""How an effect would be made good for, as far as that is known before it happens, and what another makes good for: what whoever is asked
is shown (R-J1, R-J3)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from console.exact import Object, Value, decode
from runs import catalogue
from runs.catalogue import Operation
from runs.compensating import filling
from runs.contracts.operation import OperationDocument
from runs.contracts.templates import fill, templates_in
from runs.contracts.undoing import Undoing
from runs.models import Effect

AFTERWARDS = frozenset(
    {"result", "reason"}
)  # what is known only when it has happened, and when it is to be made good for


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around effects that people are asked about: operations in force that would make good for them, and what they themselves
    make good for."""

    operations: Mapping[str, Operation]
    originals: Mapping[UUID, Effect]

    def said(self, effect: Effect, contract: OperationDocument, *, together: bool) -> Object:
        """Say what is to be shown of it. `together`: whoever approves the effect approves making good for it too."""
        undone = self._undone(effect, contract, together=together)
        original = self.originals.get(effect.compensates_id) if effect.compensates_id else None
        said: Object = {"compensation": undone} if undone else {}
        return said | ({"makes_good_for": _named(original)} if original else {})

    def _undone(self, effect: Effect, contract: OperationDocument, *, together: bool) -> Object:
        """Say by which operation, with what arguments as far as known, and what they know `later`; nothing where none in force would."""
        compensation = contract.compensation
        operation = self.operations.get(compensation.operation or "")
        if operation is None or contract.irreversible:
            return {}
        arguments, later = _arguments(compensation, effect, taken_by(operation))
        listed: list[Value] = [*later]
        document = operation.document
        return {
            "operation": document.name, "version": document.version, "contract_digest": document.digest.hex(), "arguments": arguments,
            "later": listed, "authority": compensation.authority, "together": together,
        }  # fmt: skip


def around(tenant_id: UUID, asked: Iterable[tuple[Effect, OperationDocument]]) -> Around:
    """Read what stands around effects of one tenant that people are asked about."""
    looked_at = [*asked]
    named = {contract.compensation.operation for _, contract in looked_at if contract.compensation.operation}
    originals = {effect.compensates_id for effect, _ in looked_at if effect.compensates_id}
    found = Effect.objects.in_bulk(originals) if originals else {}
    return Around(catalogue.operations(tenant_id, named), found)


def taken_by(operation: Operation) -> Collection[str]:
    """Give the names of the arguments that an operation takes."""
    schema: Any = operation.document.arguments.document
    return frozenset(schema.get("properties", ()))


def named_from(undoing: Undoing, roots: Collection[str]) -> set[str]:
    """Give the arguments of the compensation that are filled from what these roots name."""
    shaped = undoing.arguments or {}
    return {str(at[0]) for at, text in templates_in(shaped) if any(path[0] in roots for path in text.paths)}


def _arguments(undoing: Undoing, effect: Effect, takes: Collection[str]) -> tuple[Object, list[str]]:
    given = cast("Object", decode(effect.arguments.encode()))
    facts: Object = {"arguments": given, "effect": {"id": str(effect.pk), "key": effect.key}}
    if undoing.arguments is None:
        return filling.arguments(undoing, facts, takes), []
    later = sorted(named_from(undoing, AFTERWARDS))
    known: Any = fill(
        {name: shape for name, shape in undoing.arguments.items() if name not in later}, facts, lenient=True
    )
    return known, later


def _named(original: Effect) -> Object:
    return {
        "effect": str(original.pk),
        "number": original.number,
        "operation": original.operation_name,
        "summary": original.summary,
    }
