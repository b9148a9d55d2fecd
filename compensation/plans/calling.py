"""What calls for compensation by itself: runs that close, and effects that must be undone, overran their approval, or were done in part.

Each is planned once. What calls is marked where it comes to pass (runs.compensation, runs_effect.undo_due), so that nothing is scanned."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from approvals.policy_asks import COMPENSATE
from compensation.models import WorkItem
from compensation.plans import planner
from compensation.plans.planner import Wish
from compensation.plans.planning import CLOSINGS
from compensation.states import MUST_BE_UNDONE, OVERRAN, PARTIAL
from compensation.working import ending
from console import clock
from console.database import rows
from console.ledger.actors import Actor
from runs.compensating import standing
from runs.models import Effect, Resolution, Run
from runs.states import CHANGED, CLOSING, IN_FORCE, IN_VAIN, TO_PLAN, TO_UNDO, UNDONE

MOST_RUNS: Final = 100  # in one transaction
REASONS: Final = {
    MUST_BE_UNDONE: "A person found that it happened and must be undone.",
    OVERRAN: "It ran past the time that its approval gave it.",
    PARTIAL: "It was done in part.",
}
SAID_LATE: Final = "What came late says that it was done."


def plan_closing(by: Actor, limit: int) -> int:
    """Plan for runs that close and have something to make good for; gives how many. What has nothing to wait for ends."""
    due = Run.objects.filter(compensation=TO_PLAN)
    held = _held(due.order_by("pk").values_list("pk", flat=True)[: min(limit, MOST_RUNS)])
    runs = [run for run in held if run.compensation == TO_PLAN]
    if not runs:
        return 0
    now = clock.now()
    planned = planner.make_all(by, [Wish(run, run.closing_toward, run.closing_reason) for run in runs], now)
    _go_on(by, [run for run in runs if run.pk not in planned], now)
    return len(runs)


def _go_on(by: Actor, runs: Sequence[Run], now: datetime) -> None:
    """Let runs go on for which nothing new is to be done: with the items that stand already, else to their end.

    What is over is not looked at again; a run that stood as before anything was planned would be due once more."""
    compensating = set(WorkItem.objects.filter(run__in=runs).values_list("run", flat=True))
    for to in (TO_UNDO, UNDONE):
        mine = [run for run in runs if (run.pk in compensating) == (to == TO_UNDO)]
        if mine:
            standing.stands(by, mine, to, now)
    ending.look(by, [run for run in runs if run.pk in compensating], now)
    rows(ending.FINISH, [sorted(run.pk for run in runs), str(by), now])


def plan_called_for(by: Actor, limit: int) -> int:
    """Plan for effects that call for it; gives how many there were."""
    # What ended in vain and is news of its own is heard first: an item that is dropped with that stands in the way of no other.
    due = Effect.objects.filter(undo_due=True).exclude(watch=CHANGED, state__in=IN_VAIN)
    found = dict(due.order_by("pk").values_list("pk", "run")[:limit])
    runs = {run.pk: run for run in _held(found.values())}
    effects = list(due.filter(pk__in=found, run__in=runs).select_related("request").order_by("pk"))
    if not effects:
        return 0
    now = clock.now()
    undone = _must_be_undone(effects)
    for cause in (MUST_BE_UNDONE, OVERRAN, PARTIAL, *sorted(CLOSINGS)):
        mine = [effect for effect in effects if _cause(effect, undone, runs[effect.run_id]) == cause]
        planner.make_all(by, _wishes(runs.values(), mine, cause), now)
    Effect.objects.filter(pk__in=[effect.pk for effect in effects]).update(undo_due=False)
    rows(ending.FINISH, [sorted(runs), str(by), now])  # runs whose end waited for this, and where nothing came of it
    return len(effects)


def _wishes(runs: Iterable[Run], effects: Sequence[Effect], cause: str) -> list[Wish]:
    named: dict[UUID, set[UUID]] = {}
    for effect in effects:
        named.setdefault(effect.run_id, set()).add(effect.pk)
    mine = [run for run in runs if run.pk in named and run.erased_at is None]
    return [Wish(run, cause, REASONS.get(cause, SAID_LATE), frozenset(named[run.pk])) for run in mine]


def _must_be_undone(effects: Sequence[Effect]) -> set[UUID]:
    found = Resolution.objects.filter(effect__in=effects, exit=MUST_BE_UNDONE, state=IN_FORCE)
    return set(found.values_list("effect", flat=True))


def _cause(effect: Effect, undone: set[UUID], run: Run) -> str:
    """Say what calls for it; nothing where a run that closes, or goes on, looks at it with all that it did."""
    if effect.pk in undone:
        return MUST_BE_UNDONE
    request = effect.request
    overran = request is not None and request.overran_at is not None and request.finish_then == COMPENSATE
    if overran or effect.state not in IN_VAIN:
        return OVERRAN if overran else PARTIAL
    return "" if run.compensation == TO_PLAN else run.closing_toward if run.state == CLOSING else run.state


def _held(ids: Iterable[UUID]) -> list[Run]:
    """Lock these runs, but for those that somebody else holds: they wait for the next pass."""
    return list(Run.objects.filter(pk__in=set(ids)).order_by("pk").select_for_update(no_key=True, skip_locked=True))
