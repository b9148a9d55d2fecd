"""One pass over everything that is due, in bounded, conditional steps. Any number of clocks may run it; a lock keeps it to one."""

import logging
from collections.abc import Callable

from approvals import closing
from console import clock
from console.clock import DatabaseNow
from console.database import rows, transaction
from console.doorbell import ring
from console.ledger.actors import Actor, system
from console.notices import outbox
from console.telemetry.counting import count
from runs import driving, judging, overdue
from runs.callbacks import applying
from runs.models import Effect, Run
from runs.states import EXPIRED, RUNNING, UNSTARTED
from runs.unknowns import alerts, overtaking

logger = logging.getLogger(__name__)
LIMIT = 500
CLOCK = system("clock")
LOCK = "select pg_try_advisory_xact_lock(hashtext('counterfoil clock')) as mine"
WORK_IS_DUE = "select runs_work_is_due(cf_now() - make_interval(secs => %s)) as due"
UNHEARD_AFTER_SECONDS = 2.0


def sweep(by: Actor = CLOCK, limit: int = LIMIT) -> dict[str, int | None]:
    """Do one pass and give how much each step found; one that fails is logged, found None, and leaves the others alone."""
    steps: dict[str, Callable[[], int]] = {
        "leases ended": lambda: end_leases(by, limit),
        "requests expired": lambda: closing.expire_due(by, limit),
        "approvals lapsed": lambda: closing.lapse_due(by, limit),
        "decisions followed": lambda: follow(by, limit),
        "callbacks applied": lambda: applying.apply_due(by, limit),
        "accepted overdue": lambda: overdue.become_unknown(by, limit),
        "effects expired": lambda: expire_effects(by, limit),
        "runs expired": lambda: expire_runs(by, limit),
        "effects judged again": lambda: judging.judge_again_due(by, limit),
        "effects judged": lambda: judging.judge_due(by, limit),
        "findings overtaken": lambda: overtaking.overtake(by, limit),
        "alerts posted": lambda: alerts.alert_due(by, limit),
    }
    found = {name: _step(name, step) for name, step in steps.items()}
    if work_is_due():
        ring(unheard=work_is_due(UNHEARD_AFTER_SECONDS))
    return found


def _step(name: str, step: Callable[[], int]) -> int | None:
    try:
        with transaction(None):
            return step() if rows(LOCK)[0]["mine"] else 0
    except Exception:
        logger.exception("step of the clock failed: %s", name)
        return None


def work_is_due(seconds: float = 0) -> bool:
    """Say whether a worker would find something to do that has been due for so long."""
    with transaction(None):
        due = rows(WORK_IS_DUE, [seconds])[0]["due"]
        return bool(due or (not seconds and outbox.is_due()))


def end_leases(by: Actor, limit: int, worker: str | None = None) -> int:
    """End attempts whose lease ran out, or all of one worker's that was seen to die."""
    ended = len(rows("select * from runs_end_leases(%s, %s, %s)", [str(by), limit, worker]))
    count("lost_leases", ended, seen_by="clock" if worker is None else "parent")
    return ended


def follow(by: Actor, limit: int) -> int:
    """Take the news of decided requests to their effects."""
    return len(rows("select * from runs_follow(%s, %s)", [str(by), limit]))


def expire_effects(by: Actor, limit: int) -> int:
    """Expire effects that were not begun by their deadline."""
    due = Effect.objects.filter(state__in=UNSTARTED, deadline_at__lte=DatabaseNow())
    effects = judging.held(due, limit)
    if not effects:
        return 0
    now = clock.now()
    driving.end_unstarted(by, effects, EXPIRED, "its deadline passed before it was begun", now)
    rows("select runs_after_endings(%s::uuid[], %s, %s)", [sorted({effect.run_id for effect in effects}), str(by), now])
    return len(effects)


def expire_runs(by: Actor, limit: int) -> int:
    """Bring runs whose deadline has passed to their end."""
    due = Run.objects.filter(state=RUNNING, deadline_at__lte=DatabaseNow())
    ids = list(due.order_by("deadline_at").values_list("pk", flat=True)[:limit])
    held = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True))
    if held:
        driving.close(by, held, toward=EXPIRED, reason="the run's deadline passed", now=clock.now())
    return len(held)
