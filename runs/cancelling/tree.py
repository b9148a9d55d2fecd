"""What a cancelled run started is cancelled with it: each in a transaction of its own, at once, or by the clock where that was cut off.

The rows say what is left to do: a cancellation of a tree is due as long as a child has not been told, and again when a child has ended."""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef

from console import clock
from console.clock import DatabaseNow
from console.database import rows, transaction
from console.ledger.actors import Actor
from console.ledger.moves import move
from runs.cancelling import stopping
from runs.cancelling.rule import TREE
from runs.models import Cancellation, Run
from runs.states import CANCELLED, CLOSING, REQUESTED, RUN_ENDED, RUN_OPEN

AT_ONCE: Final = 50  # children that are stopped within the request; the clock sees to more
BECAUSE: Final = "the run that started it was cancelled"  # why is said there alone, so that it is erased with that run
FINISH = "select runs_finish(%s::uuid[], %s, %s)"


def stop_children(by: Actor, cancellation_id: UUID) -> None:
    """Cancel what a cancelled run started, and what that started; then see whether with that it is over."""
    for child in _children(by, cancellation_id):
        below = stop_child(by, child, cancellation_id)
        if below is not None:
            stop_children(by, below)
    _look_at(by, cancellation_id)


@move("cancel child")
def stop_child(by: Actor, run_id: UUID, of_id: UUID) -> UUID | None:
    """Cancel a run because the one that started it is; None where it is over or ending already. Gives the child's own cancellation."""
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    made = _stop(by, run, Cancellation.objects.get(pk=of_id), clock.now())
    return None if made is None else made.pk


@move("look at cancellation")
def _look_at(by: Actor, cancellation_id: UUID) -> None:
    found = Cancellation.objects.get(pk=cancellation_id)
    Run.objects.select_for_update(no_key=True).get(pk=found.run_id)
    look(by, [found], clock.now())


def look_due(by: Actor, limit: int) -> int:
    """Look at cancellations that are due, within the caller's transaction: stop children, end a driver's time, see what is over.

    What somebody else holds waits for the next pass; a child that is held is stopped then, too."""
    due = Cancellation.objects.filter(due_at__lte=DatabaseNow())
    ids = dict(due.order_by("due_at").values_list("pk", "run_id")[:limit])
    if not ids:
        return 0
    runs = Run.objects.filter(pk__in=set(ids.values())).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    held = {run.pk for run in runs}
    found = [each for each in due.filter(pk__in=ids).order_by("pk") if each.run_id in held]
    now = clock.now()
    for each in found:
        if each.scope == TREE:
            waiting = Run.objects.filter(pk__in=_unstopped(each, limit)).order_by("pk")
            for child in waiting.select_for_update(no_key=True, skip_locked=True):
                _stop(by, child, each, now)
    look(by, found, now)
    return len(found)


def look(by: Actor, found: list[Cancellation], now: datetime) -> None:
    """See whether cancellations of locked runs are over, and say when they are to be looked at next.

    Their own rows are locked before the children's are read: a child that ends meanwhile makes them due again after that."""
    held = list(
        Cancellation.objects.filter(pk__in=[each.pk for each in found], state__in=stopping.OPEN)
        .order_by("pk")
        .select_for_update(no_key=True)
    )
    for each in held:
        each.due_at = _next_look(each, now)
        Cancellation.objects.filter(pk=each.pk).update(due_at=each.due_at)
    told = [each for each in held if each.state == REQUESTED and each.due_at is None]
    if told:
        stopping.resolve(by, told, now)
    if held:
        rows(FINISH, [sorted({each.run_id for each in held}), str(by), now])


def read(by: Actor, cancellation_id: UUID) -> Cancellation:
    """Read a cancellation with its run, as they stand."""
    with transaction(by.tenant_id):
        return Cancellation.objects.select_related("run").get(pk=cancellation_id)


def _next_look(cancellation: Cancellation, now: datetime) -> datetime | None:
    if cancellation.scope == TREE and _unstopped(cancellation, 1):
        return now
    grace = cancellation.grace_until
    return grace if grace is not None and grace > now else None


def _stop(by: Actor, run: Run, of: Cancellation, now: datetime) -> Cancellation | None:
    goes = run.state in RUN_OPEN or (run.state == CLOSING and run.closing_toward == CANCELLED)
    if not goes or Cancellation.objects.filter(run=run, of=of).exists():
        return None
    return stopping.stop(by, run, scope=TREE, mode=of.mode, reason=BECAUSE, now=now, of=of)


def _unstopped(cancellation: Cancellation, most: int) -> list[UUID]:
    """Give children that can be cancelled and were not yet, for this cancellation, at most so many."""
    told = Cancellation.objects.filter(
        run=OuterRef("pk"), of=cancellation
    )  # by the child, along whose cancellations there is an index
    going = Run.objects.filter(parent_id=cancellation.run_id).exclude(state__in=[*RUN_ENDED, CLOSING])
    return list(going.exclude(Exists(told)).order_by("pk").values_list("pk", flat=True)[:most])


def _children(by: Actor, cancellation_id: UUID) -> list[UUID]:
    with transaction(by.tenant_id):
        found = Cancellation.objects.get(pk=cancellation_id)
        return _unstopped(found, AT_ONCE) if found.scope == TREE and found.state in stopping.OPEN else []
