"""Where one run stands with what it makes good for: its tallies by count, and its work items page by page in their order.

However many items a run has, a page of them is a range of one index, and nothing else is read of the others."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from compensation.lists import listed
from compensation.models import WorkItem
from compensation.queries import plans, seen
from compensation.queries.desk import SOMEBODY, among
from compensation.queries.seen import RELATED, Item
from compensation.states import DROPPED, ITEM_OPEN, ITEM_OVER, PROPOSED, WAIVED
from console.database import rows
from runs.models import Run

UNRESOLVED: Final = ITEM_OPEN | {WAIVED}  # what is not made good for
TALLY: Final = f"""
select count(*) filter (where state <> '{DROPPED}') as total,
       count(*) filter (where {among(ITEM_OVER - {DROPPED})}) as over,
       count(*) filter (where {among(UNRESOLVED)}) as unresolved,
       count(*) filter (where {among(ITEM_OPEN)} and {SOMEBODY}) as needing
from compensation_workitem where run_id = %s
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Tally:
    """How many work items of a run there are without those that were dropped, are over, are not made good for, and need somebody."""

    total: int
    over: int
    unresolved: int
    needing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRun:
    """Where a run stands: '', due, open or over; how many items it has; a page of them within their plans; and what remains.

    `after` is the number of the last item where more follow."""

    run: Run
    compensation: str
    tally: Tally
    plans: tuple[seen.Plan, ...]
    after: int | None
    residue: tuple[str, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """The work items of this page, in order."""
        return tuple(sorted((item for plan in self.plans for item in plan.items), key=lambda each: each.number))


def of_run(tenant_id: UUID, run_id: UUID, *, after: int = 0, limit: int) -> OfRun | None:
    """Give where a run stands with its items from the number after `after` on; None where there is no such run."""
    run = Run.objects.filter(tenant_id=tenant_id, pk=run_id).select_related("agent", "run_type").first()
    if run is None:
        return None
    found = list(_items(run_id).filter(number__gt=after)[: limit + 1])
    return OfRun(
        run=run, compensation=run.compensation, tally=tally(run_id), plans=_within_plans(tenant_id, found[:limit]),
        after=found[limit - 1].number if len(found) > limit else None, residue=listed(run.residue),
    )  # fmt: skip


def tally(run_id: UUID) -> Tally:
    """Count a run's items, in one statement."""
    return Tally(**rows(TALLY, [run_id])[0])


def unresolved(run_id: UUID, limit: int) -> list[Item]:
    """Give the first items of a run that are not made good for: still open, or waived."""
    return [seen.item(each) for each in _items(run_id).filter(state__in=sorted(UNRESOLVED))[:limit]]


def unresolved_ids(run_id: UUID, limit: int) -> list[UUID]:
    """Give the ids of the first items of a run that are not made good for."""
    found = WorkItem.objects.filter(run=run_id, state__in=sorted(UNRESOLVED)).order_by("number")
    return list(found.values_list("pk", flat=True)[:limit])


def still_open(run_id: UUID, limit: int) -> list[Item]:
    """Give the first items of a run that are open."""
    return [seen.item(each) for each in _items(run_id).filter(state__in=sorted(ITEM_OPEN))[:limit]]


def to_approve(tenant_id: UUID, run_id: UUID, limit: int) -> list[seen.Plan]:
    """Give the first plans of a run that nobody has approved or declined yet, without their items."""
    return plans.shown(tenant_id, plans.stored().filter(run=run_id, state=PROPOSED).order_by("number")[:limit])


def _items(run_id: UUID) -> "QuerySet[WorkItem]":
    return WorkItem.objects.filter(run=run_id).select_related(*RELATED).order_by("number")


def _within_plans(tenant_id: UUID, found: Iterable[WorkItem]) -> tuple[seen.Plan, ...]:
    """Give these items within their plans, the plans in order."""
    by_plan = sorted(found, key=lambda each: (each.plan.number, each.number))
    items = {plan: [seen.item(each) for each in mine] for plan, mine in groupby(by_plan, lambda each: each.plan_id)}
    of_them = plans.stored().filter(pk__in=list(items)).order_by("number")
    return tuple(plans.shown(tenant_id, of_them, items)) if items else ()
