"""Why nothing is planned although somebody asks, said with what there is: the work item and the effect that cover it already."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from compensation.models import WorkItem
from compensation.plans.planner import Wish
from compensation.plans.planning import COVERED, DID_NOT_HAPPEN, NOT_BY_ITSELF, OF_COMPENSATION, ONLY_READS, Planning
from console.http.refusals import InvalidContent, Refusal
from runs.models import Run

WORDS: Final = {
    DID_NOT_HAPPEN: "it did not happen", ONLY_READS: "it only reads", OF_COMPENSATION: "it makes good for something itself",
    NOT_BY_ITSELF: "its contract does not say so", COVERED: "it is made good for already",
}  # fmt: skip
MOST: Final = 500


class EffectsNotNamed(InvalidContent):
    """`effects` names at least one effect of this run, each once, and at most 500; without it all that happened in the run is meant."""

    code = "effects_not_named"


class NotCompensable(Refusal):
    """There is nothing to make good for here; `effects` says why of each."""

    code = "not_compensable"


class AlreadyCompensated(Refusal):
    """This is made good for already, or is about to be; the work item and the effect that does it are named."""

    code = "already_compensated"


class CompensationOfCompensation(Refusal):
    """This makes good for something itself, and its contract does not let that be made good for in turn."""

    code = "compensation_of_compensation"


def check_named(effects: list[UUID] | None) -> None:
    """Refuse a list that names nothing, one effect twice, or too many. Raises EffectsNotNamed."""
    if effects is not None and not 0 < len(set(effects)) == len(effects) <= MOST:
        raise EffectsNotNamed(path="/effects")


def check_in_run(wish: Wish, known: Collection[UUID]) -> None:
    """Refuse effects of other runs. Raises EffectsNotNamed."""
    strange = sorted(map(str, (wish.effects or frozenset()) - {*known}))
    if strange:
        raise EffectsNotNamed("Not all of these are effects of this run.", path="/effects", effects=strange)


def check(run: Run, planning: Planning, *, named: bool) -> None:
    """Refuse what cannot be planned: all of it, where one that was named cannot; what is covered is told first.

    Raises AlreadyCompensated, CompensationOfCompensation, NotCompensable."""
    left = [each for each in planning.left if named or each.why not in {OF_COMPENSATION, ONLY_READS}]
    if planning.items and not (named and left):
        return
    stands: dict[str, Any] = {"run_state": run.state, "version": run.ledger_seq}
    covered = next((each for each in left if each.why == COVERED), None)
    if covered is not None and covered.item is not None:
        raise AlreadyCompensated(**_covering(covered.effect, covered.item), **stands)
    second = next((each for each in left if each.why == OF_COMPENSATION), None)
    if second is not None:
        raise CompensationOfCompensation(effect=str(second.effect), **stands)
    raise NotCompensable(effects=[{"effect": str(each.effect), "why": WORDS[each.why]} for each in left], **stands)


def _covering(effect: UUID, item_id: UUID) -> dict[str, Any]:
    item = WorkItem.objects.select_related("acting").get(pk=item_id)
    acting = {"by_effect": str(item.acting.pk), "by_state": item.acting.state} if item.acting else {}
    return {"effect": str(effect), "item": str(item.pk), "number": item.number, "state": item.state, **acting}
