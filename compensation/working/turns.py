"""Whose turn has come among the work items of locked runs, and what keeps the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from compensation.models import Plan, WorkItem
from compensation.plans.planning import Known, why_people
from compensation.plans.reading import is_in_vain, known
from compensation.states import (
    DECLINED,
    DROPPED,
    FOR_ORDER,
    FOR_PERSON,
    FOR_PLAN,
    FOR_RECONCILIATION,
    NEEDS_SOMEBODY,
    PLANNED,
    PROPOSED,
    WAITING,
)
from compensation.working import order
from compensation.working.mirroring import Stand
from compensation.working.moving import Moved
from compensation.working.order import Ahead
from runs import catalogue
from runs.catalogue import Operation
from runs.compensating.late import of_originals
from runs.models import Effect, Run
from runs.states import OPEN, PARTIAL, SUCCEEDED

HELD_BACK = ("", FOR_PLAN, FOR_ORDER, FOR_RECONCILIATION)  # what an item waits for that was not begun
PLAN_FIRST = "Its plan waits for somebody to approve it."
NO_TO_PLAN = (
    "Its plan was declined, and it has to be made good for: somebody tries it by itself, ends it by hand or waives it."
)
HAPPENED = frozenset({SUCCEEDED, PARTIAL})


@dataclass(slots=True)
class Turns:
    """The items that were not begun, and what decides about their turn: plans, originals, and where every item of the runs stands."""

    items: list[WorkItem]
    plans: dict[UUID, Plan]
    originals: dict[UUID, Effect]
    late: dict[UUID, str]  # what came late and says that originals happened that had ended in vain
    ahead: Ahead  # what is not over of what comes before them
    contracts: dict[UUID, Operation]  # those that originals were accepted under which people make good for

    @property
    def proposed(self) -> list[Plan]:
        """The plans that wait for approval."""
        return [plan for plan in self.plans.values() if plan.state == PROPOSED]

    @property
    def unknown(self) -> list[Effect]:
        """The originals of which nobody knows yet whether they happened."""
        return [effect for effect in self.originals.values() if effect.state in OPEN]

    def due(self) -> list[WorkItem]:
        """Give the items whose effect is proposed now."""
        return [item for item in self.items if item.operation and self._waits_for(item) is None]

    def held_back(self) -> list[Moved]:
        """Give where the others stand: dropped, waiting, or with people."""
        stands = ((item, self._waits_for(item) or self._by_people(item)) for item in self.items)
        return [Moved(item, to) for item, to in stands if to is not None]

    def _by_people(self, item: WorkItem) -> Stand | None:
        if item.operation:
            return None
        effect = self.originals.get(item.effect_id) if item.effect_id else None
        if effect is None:
            return Stand(WAITING, FOR_PERSON)
        return Stand(WAITING, FOR_PERSON, why_people(self._known(effect), ()))

    def _known(self, effect: Effect) -> Known:
        return known(effect, self.contracts[effect.operation_id], late=self.late.get(effect.pk, ""))

    def _waits_for(self, item: WorkItem) -> Stand | None:
        """Tell what keeps an item; None where its turn has come."""
        if self._is_nothing(item):
            return Stand(DROPPED, reason="It did not happen, so there is nothing to make good for.")
        plan = self.plans[item.plan_id].state
        if plan == PROPOSED:
            return Stand(WAITING, FOR_PLAN, PLAN_FIRST if item.operation else item.state_reason)  # why people do it
        effect = self.originals.get(item.effect_id) if item.effect_id else None
        if effect is not None and effect.state in OPEN:
            return Stand(WAITING, FOR_RECONCILIATION, "Nobody knows yet whether it happened; that is found out first.")
        if plan == DECLINED and item.operation:
            return Stand(WAITING, FOR_PERSON, NO_TO_PLAN)
        kept_by = self.ahead.of(item)
        return None if kept_by is None else Stand(WAITING, FOR_ORDER, _after(kept_by))

    def _is_nothing(self, item: WorkItem) -> bool:
        return _is_nothing(item, self.originals, self.late)


def of(runs: Sequence[Run]) -> Turns:
    """Read the items of locked runs that were not begun, with what decides about their turn: in a few queries, however many runs."""
    waiting = WorkItem.objects.filter(run__in=[run.pk for run in runs], state__in=[PLANNED, WAITING])
    items = list(waiting.filter(waits_for__in=HELD_BACK).order_by("run", "number"))
    plans = Plan.objects.in_bulk({item.plan_id for item in items})
    before = order.read(items)
    effects = {each.effect_id for each in [*items, *before] if each.effect_id}
    originals = Effect.objects.in_bulk(effects)
    late = of_originals([each.pk for each in originals.values() if is_in_vain(each)])
    ahead = Ahead(
        each for each in before if each.state not in {PLANNED, WAITING} or not _is_nothing(each, originals, late)
    )
    by_people = [originals[item.effect_id] for item in items if not item.operation and item.effect_id]
    contracts = catalogue.operations_by_id({effect.operation_id for effect in by_people}) if by_people else {}
    return Turns(items, plans, originals, late, ahead, contracts)


def _is_nothing(item: WorkItem, originals: Mapping[UUID, Effect], late: Mapping[UUID, str]) -> bool:
    """Tell whether what an item would make good for did not happen. What is said late to have happened is people's work, no operation's."""
    effect = originals.get(item.effect_id) if item.effect_id else None
    if effect is None or effect.state in OPEN | HAPPENED:
        return False
    return bool(item.operation) or effect.pk not in late


def _after(first: WorkItem) -> str:
    """Say what an item waits for, and that somebody has to see to what failed."""
    if first.state in NEEDS_SOMEBODY:
        return f"Item {first.number} failed and holds it back, until somebody has seen to that: {first.summary}"
    return f"Item {first.number} comes first: {first.summary}"
