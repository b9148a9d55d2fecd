"""An effect that makes good for another one, where whoever approved that one approved this too: nobody is asked again (R-J2).

What was shown then is what holds: the same version of the same contract, with the arguments that what happened gives. Whether the approval
itself still stands is said by the room that asked (approvals/sql/together.sql), here and each time that an attempt is to begin."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from console.database import rows
from console.exact import decode
from runs import catalogue
from runs.catalogue import BadArguments, Operation
from runs.compensating import filling, foreseen
from runs.contracts.templates import CannotFill
from runs.contracts.undoing import Undoing
from runs.models import Effect
from runs.states import PARTIAL, SUCCEEDED

STANDING: Final = "select id, approvals_judge_undoing(id) as verdict from unnest(%s::uuid[]) as id order by id"


@dataclass(frozen=True, slots=True)
class Asked:
    """An effect about which the policy asks, with the contract that it goes by."""

    effect: Effect
    operation: Operation


def approved_with(asked: Iterable[Asked]) -> dict[UUID, UUID]:
    """Give the requests by which these effects are approved already, by effect. Their runs are locked."""
    compensating = {each.effect.compensates_id: each for each in asked if each.effect.compensates_id}
    if not compensating:
        return {}
    happened = Effect.objects.filter(pk__in=compensating, state__in=[SUCCEEDED, PARTIAL])
    originals = list(happened.select_related("request"))
    contracts = catalogue.operations_by_id({original.operation_id for original in originals})
    found = {
        compensating[original.pk].effect.pk: original.request_id
        for original in originals
        if original.request_id is not None
        and _was_shown(original, compensating[original.pk], contracts[original.operation_id].document.compensation)
    }
    standing = {row["id"] for row in rows(STANDING, [sorted(set(found.values()))]) if row["verdict"] == "permitted"}
    return {effect: request for effect, request in found.items() if request in standing}


def _was_shown(original: Effect, each: Asked, undoing: Undoing) -> bool:
    """Tell whether it is what people were shown when they approved the original, and approved with it."""
    request = original.request
    shown: Any = decode(request.shown, 128) if request is not None and request.shown and original.arguments else {}
    said = shown.get("compensation") or {}
    document = each.operation.document
    return (
        bool(said.get("together"))
        and (said["operation"], said["contract_digest"]) == (document.name, document.digest.hex())
        and _as_it_happened(original, each, undoing)
    )


def _as_it_happened(original: Effect, each: Asked, undoing: Undoing) -> bool:
    """Tell whether its arguments are those that what happened gives by the contract; the reason may be any."""
    facts = filling.facts_of(original, each.effect.reason)
    try:
        given = filling.arguments(undoing, facts, foreseen.taken_by(each.operation))
        wanted = each.operation.effective(given)
    except (CannotFill, BadArguments):
        return False
    free = foreseen.named_from(undoing, {"reason"})
    does: Any = decode(each.effect.arguments.encode())
    return all(wanted.get(name) == does.get(name) for name in {*wanted, *does} - free)
