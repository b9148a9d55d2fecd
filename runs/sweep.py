"""One pass over everything that is due, in bounded, conditional steps. Any number of clocks may run it; a lock keeps it to one."""

import logging
import time
from collections.abc import Callable
from functools import partial

from approvals import closing, spending
from approvals.alone import judging as alone
from approvals.alone import outcomes
from approvals.breaking import ending as glass
from approvals.deciding import escalating
from approvals.granting import ending as grants
from approvals.telling import reminding
from console import clock
from console.clock import DatabaseNow
from console.database import rows, transaction
from console.doorbell import ring
from console.ledger.actors import Actor, system
from console.notices import gathering, outbox
from console.telemetry.counting import count
from runs import driving, finishing, judging, outcomes_told, overdue
from runs.callbacks import applying
from runs.cancelling import left, tree
from runs.checkpoints import dropping
from runs.limits import exhausting
from runs.models import Effect, Run
from runs.ownership import watching
from runs.pausing import releasing
from runs.signals import settling as signals
from runs.states import EXPIRED, RUN_OPEN, UNSTARTED
from runs.unknowns import alerts, overtaking
from runs.waits import children, dependencies, due

logger = logging.getLogger(__name__)
Step = Callable[[Actor, int], int]
MORE: dict[str, Step] = {}  # steps of rooms above, which name them when they are opened
FULL: dict[str, int] = {}  # those of them that are done again while their batches are full, and how many that is
LIMIT = 500
MOST_BATCHES = 40  # of a step that is done again while its batches are full, in one pass
REPEATED = frozenset({"times come", "parents told", "waits expired", "units settled", "effects judged again"})
LONGEST_SECONDS = 4.0  # of one repeated step in one pass: leases and deadlines wait meanwhile
MOST_SIGNALS = 100  # that a crash left; each subject is locked and looked at by itself
CLOCK = system("clock")
LOCK = "select pg_try_advisory_xact_lock(hashtext('counterfoil clock')) as mine"
WORK_IS_DUE = "select runs_work_is_due(cf_now() - make_interval(secs => %s)) as due"
UNHEARD_AFTER_SECONDS = 2.0


def sweep(by: Actor = CLOCK, limit: int = LIMIT) -> dict[str, int | None]:
    """Do one pass and give how much each step found; one that fails is logged, found None, and leaves the others alone."""
    steps: dict[str, Callable[[], int]] = {
        "leases ended": lambda: end_leases(by, limit),
        "requests expired": lambda: closing.expire_due(by, limit),
        "requests escalated": lambda: escalating.escalate_due(by, limit),
        "approvals lapsed": lambda: closing.lapse_due(by, limit),
        "broken glass ended": lambda: glass.end_due(by, limit),
        "reminders told": lambda: reminding.remind_due(limit),
        "requests alone judged again": lambda: alone.judge_again_due(by, limit),
        "outcomes not reported": lambda: outcomes.become_unknown(by, limit),
        "late work followed": lambda: finishing.follow_due(by, limit),
        "decisions followed": lambda: follow(by, limit),
        "callbacks applied": lambda: applying.apply_due(by, limit),
        "signals settled": lambda: signals.settle_due(by, min(limit, MOST_SIGNALS)),
        "signals expired": lambda: signals.expire_due(by, limit),
        "accepted overdue": lambda: overdue.become_unknown(by, limit),
        "times come": lambda: due.meet_times(by, limit),
        "parents told": lambda: children.tell_due(by, limit),
        "dependencies come": lambda: dependencies.come(by, limit),
        "waits expired": lambda: due.expire(by, limit),
        "effects expired": lambda: expire_effects(by, limit),
        "runs expired": lambda: expire_runs(by, limit),
        "runs watched": lambda: watching.watch(by, limit),
        "runs out of budget": lambda: exhausting.follow_due(by, limit),
        "effects judged again": lambda: judging.judge_again_due(by, limit),
        "effects judged": lambda: judging.judge_due(by, limit),
        "cancellations looked at": lambda: tree.look_due(by, limit),
        "left by cancellations told": lambda: left.tell_due(by, limit),
        "findings overtaken": lambda: overtaking.overtake(by, limit),
        "checkpoints let go": lambda: dropping.drop_due(by, limit),
        "alerts posted": lambda: alerts.alert_due(by, limit),
        "outcomes told": lambda: outcomes_told.tell_due(by, limit),
        "digests gathered": lambda: gathering.gather_due(limit),
        "pauses released": lambda: releasing.release_due(by, limit),
        **{name: partial(step, by, limit) for name, step in MORE.items()},
        "units settled": lambda: settle_units(by, limit),
        "grants ended": lambda: grants.end_due(by, limit),
        "sums let go": lambda: spending.forget_due(limit),
    }
    found = {name: _whole(name, step, limit if name in REPEATED else FULL.get(name)) for name, step in steps.items()}
    if work_is_due():
        ring(unheard=work_is_due(UNHEARD_AFTER_SECONDS))
    return found


def _whole(name: str, step: Callable[[], int], full: int | None) -> int | None:
    """Do a step once, or until a batch of it is not full: each is a transaction of its own, so that nobody waits long for its locks."""
    done = _step(name, step)
    batch, total = done, done
    until = time.monotonic() + LONGEST_SECONDS
    for _ in range(MOST_BATCHES - 1):
        if full is None or batch is None or total is None or batch < full or time.monotonic() > until:
            break
        batch = _step(name, step)
        total += batch or 0
    return total


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


def settle_units(by: Actor, limit: int) -> int:
    """Settle the units of standing approvals that are held for effects that are over."""
    return int(rows("select runs_settle_units(%s, %s) as settled", [str(by), limit])[0]["settled"])


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
    due = Run.objects.filter(state__in=sorted(RUN_OPEN), deadline_at__lte=DatabaseNow())
    ids = list(due.order_by("deadline_at").values_list("pk", flat=True)[:limit])
    held = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True))
    if held:
        driving.close(by, held, toward=EXPIRED, reason="the run's deadline passed", now=clock.now())
    return len(held)
