"""Running out: the run is set aside, whoever looks after it is told, and it ends where its contract says so."""

from datetime import datetime
from uuid import UUID

from console import clock
from console.clock import DatabaseNow, instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from console.ledger.moves import move
from console.notices import kinds
from console.notices.posting import post
from runs import driving
from runs.limits.budgets import ON_EXHAUSTION, terms_of
from runs.models import Run
from runs.states import EXHAUSTED, FAILED

EXHAUST = "select runs_exhaust(%s::uuid[], %s, %s, %s) as runs"
FAIL = "fail"


@move("exhaust")
def exhaust_now(by: Actor, run_id: UUID) -> None:
    """Set a run aside that was found to have run out; the move that found it was refused, and took everything back with itself."""
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    exhaust(by, run, clock.now())


def exhaust(by: Actor, run: Run, now: datetime) -> bool:
    """Set a locked run aside if a budget of it has run out, with what follows; within the caller's transaction."""
    if not rows(EXHAUST, [[run.pk], str(by), now, by.via])[0]["runs"]:
        return False
    _follow(by, Run.objects.get(pk=run.pk), now)
    ring_after_commit(run.pk, work=False)
    return True


def follow_due(by: Actor, limit: int) -> int:
    """See to the runs that a claim set aside: tell whom it concerns, and end those whose contracts say so. For the clock."""
    due = Run.objects.filter(state=EXHAUSTED, watch_at__lte=DatabaseNow())
    ids = list(due.order_by("watch_at").values_list("pk", flat=True)[:limit])
    held = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True)) if ids else []
    now = clock.now()
    for run in held:
        _follow(by, run, now)
    return len(held)


def _follow(by: Actor, run: Run, now: datetime) -> None:
    Run.objects.filter(pk=run.pk).update(watch_at=None)
    ends = terms_of(run.limits).get(ON_EXHAUSTION) == FAIL
    _tell(run, ends=ends)
    if ends:
        driving.close(
            by, [run], toward=FAILED, reason=f"it ran out of what it may use ({run.attention_reason})", now=now
        )


def _tell(run: Run, *, ends: bool) -> None:
    follows = (
        "It ends as failed, as its contract says."
        if ends
        else "Nothing more begins until somebody gives it more or ends it."
    )
    post(
        run.tenant_id, kinds.EXHAUSTED, about=run.pk, path=f"/runs/{run.pk}", title=f"Ran out: {' '.join(run.goal.split())}",
        text=f"Used up: {run.attention_reason}. {follows}", to_roles={"operator"}, to_members=[run.agent.owner_id],
        key=f"run:{run.pk}:exhausted:{instant(run.attention_since)}",
    )  # fmt: skip
