"""When a run's compensation is over: no required item is open, and no plan waits for approval (R-J1, issue 7).

Then the run says what remains, and a run that was kept from its end ends. A run that had ended, or goes on, just has it over."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from compensation.lists import listed
from compensation.models import Ending, Plan, WorkItem
from compensation.states import (
    DECLINED,
    DONE,
    DROPPED,
    IN_FORCE,
    ITEM_OPEN,
    PROPOSED,
    REQUIRED,
    RESOLVED,
    WAIVE,
    WAIVED,
)
from compensation.working import residue
from compensation.writing import changed, write
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs import outcomes_told
from runs.compensating.standing import stands
from runs.models import Run
from runs.states import CLOSING, TO_UNDO, UNDONE

EMPTIED: Final = "Nothing of it was left to do."
FINISH: Final = "select runs_finish(%s::uuid[], %s, %s)"


def look(by: Actor, runs: Sequence[Run], now: datetime) -> list[UUID]:
    """See of locked runs whether their compensation is over, and give the ids of those that changed with that.

    In a number of statements that does not grow with the runs, but for what is written of each."""
    planned = [run for run in runs if run.compensation in {TO_UNDO, UNDONE}]
    if not planned:
        return []
    items = _items(planned)
    lines = _lines(_over(planned, items, _kept_by_plans(by, items, now)), items)
    moved = [run for run in planned if run.pk in lines and _differs(run, lines[run.pk])]
    outcomes_told.made_good(_made_good(items), now)
    for alike in _by_lines(moved, lines).values():
        stands(by, alike, UNDONE, now, lines[alike[0].pk])
    ending = sorted(run.pk for run in moved if run.state == CLOSING or run.completes_itself)
    if ending:
        rows(FINISH, [ending, str(by), now])
    if moved:
        ring_after_commit(*[run.pk for run in moved], work=False)
    return [run.pk for run in moved]


def _lines(over: Sequence[Run], items: dict[UUID, list[WorkItem]]) -> dict[UUID, list[str]]:
    grounds = _grounds([each for run in over for each in items[run.pk]])
    return {run.pk: residue.residue(items[run.pk], grounds) for run in over}


def _grounds(items: Sequence[WorkItem]) -> dict[UUID, str]:
    """Give why items were let be: one by one, or because their plan was declined and no other took its place."""
    waived = [each.pk for each in items if each.state == WAIVED]
    dropped = [each for each in items if each.state == DROPPED]
    endings = Ending.objects.filter(item__in=waived, ending=WAIVE, state=IN_FORCE) if waived else []
    plans = Plan.objects.filter(state=DECLINED).in_bulk({each.plan_id for each in dropped}) if dropped else {}
    covered = {each.effect_id for each in items if each.state != DROPPED}
    left = (each for each in dropped if each.plan_id in plans and each.effect_id not in covered)
    declined = {each.pk: f"its plan was declined: {plans[each.plan_id].decided_reason}" for each in left}
    return {**{each.item_id: each.reason for each in endings}, **declined}


def _made_good(items: dict[UUID, list[WorkItem]]) -> list[UUID]:
    over = (each for mine in items.values() for each in mine if each.state in {DONE, RESOLVED})
    return [each.effect_id for each in over if each.effect_id is not None]


def _differs(run: Run, lines: Sequence[str]) -> bool:
    return run.compensation == TO_UNDO or listed(run.residue) != tuple(lines)


def _by_lines(runs: Iterable[Run], lines: dict[UUID, list[str]]) -> dict[tuple[str, ...], list[Run]]:
    """Give the runs of which the same remains together: of many that were cancelled at once that is mostly so."""
    found: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        found.setdefault(tuple(lines[run.pk]), []).append(run)
    return found


def _items(runs: Sequence[Run]) -> dict[UUID, list[WorkItem]]:
    found: dict[UUID, list[WorkItem]] = {run.pk: [] for run in runs}
    for item in WorkItem.objects.filter(run__in=list(found)).order_by("run", "number"):
        found[item.run_id].append(item)
    return found


def _kept_by_plans(by: Actor, items: dict[UUID, list[WorkItem]], now: datetime) -> set[UUID]:
    """Give the runs of which a plan waits for approval; one of which nothing is left to do waits for nobody any more."""
    waiting = list(Plan.objects.filter(run__in=list(items), state=PROPOSED))
    still_open = {each.plan_id for plan in waiting for each in items[plan.run_id] if each.state in ITEM_OPEN}
    emptied = [plan for plan in waiting if plan.pk not in still_open]
    write(
        by,
        [
            changed(plan, "plan.emptied", state=IN_FORCE, decided_at=now, decided_reason=EMPTIED, next_alert_at=None)
            for plan in emptied
        ],
        now,
    )
    return {plan.run_id for plan in waiting if plan.pk in still_open}


def _over(runs: Sequence[Run], items: dict[UUID, list[WorkItem]], kept: set[UUID]) -> list[Run]:
    required = {
        run for run, mine in items.items() if any(each.need == REQUIRED and each.state in ITEM_OPEN for each in mine)
    }
    return [run for run in runs if run.pk not in kept | required]
