"""Following effects: what happens to an acting effect moves its work item, and what becomes known of an original lets its item go on.

The database marks what changed (runs/sql/watch.sql), so a pass reads nothing that did not. Doing a pass again changes nothing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from compensation.alerts import telling
from compensation.states import ITEM_OVER
from compensation.working import ending, moving, starting
from compensation.working.news import News
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs.models import Effect, Run
from runs.states import CHANGED, IN_VAIN, OPEN, PARTIAL, UNWATCHED, WATCHED

MOST: Final = 200  # effects in one transaction, whose runs are held meanwhile


def hear_due(by: Actor, limit: int) -> int:
    """Take the news of effects to their work items, and give how many effects that were. Within the caller's transaction.

    What somebody else holds waits for the next pass. Runs are locked first, then effects; plans and items change under their run's lock."""
    due = dict(Effect.objects.filter(watch=CHANGED).order_by("pk").values_list("pk", "run_id")[: min(limit, MOST)])
    if not due:
        return 0
    found = Run.objects.filter(pk__in=set(due.values())).order_by("pk")
    runs = {run.pk: run for run in found.select_for_update(no_key=True, skip_locked=True)}
    marked = Effect.objects.filter(pk__in=due, run_id__in=list(runs), watch=CHANGED).order_by("pk")
    effects = list(marked.select_for_update(no_key=True, of=("self",)))
    now = clock.now()
    hear(by, runs, effects, now)
    return len(effects)


def hear(by: Actor, runs: dict[UUID, Run], effects: Sequence[Effect], now: datetime) -> None:
    """Let the work items of these effects follow them, begin what comes next, and see whether a run's compensation is over with that."""
    items = moving.move(by, News(effects).moves(), now)
    late = [item for item in items if item.state in ITEM_OVER and item.state_reason]
    telling.needs_somebody([(item, f"late:{instant(now)}") for item in late])
    _heard(effects)
    touched = [runs[each] for each in sorted({effect.run_id for effect in effects})]
    items += starting.begin_all(by, touched, now)
    ending.look(by, touched, now)
    if items:
        ring_after_commit(*{item.pk for item in items}, *{item.run_id for item in items}, work=False)


def _heard(effects: Sequence[Effect]) -> None:
    """Go on listening to what may still change, or be answered late: all but what was done."""
    going = [each.pk for each in effects if each.state in OPEN or each.state in IN_VAIN or each.state == PARTIAL]
    Effect.objects.filter(pk__in=[each.pk for each in effects]).update(watch=UNWATCHED)
    if going:
        Effect.objects.filter(pk__in=going).update(watch=WATCHED)
