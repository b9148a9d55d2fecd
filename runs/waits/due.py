"""What the clock ends: times that have come, and waits that expire. Each step is bounded; a full batch is followed by another."""

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from console.telemetry.counting import observe
from runs import driving
from runs.cancelling import stopping
from runs.cancelling.rule import rule_of_run
from runs.models import Run
from runs.states import CANCELLED, FAILED, RUN_OPEN
from runs.waits import news

TIMES = "select * from runs_times_come(%s, %s)"
EXPIRE = "select * from runs_waits_expire(%s, %s)"
TOWARD = {"fail": FAILED, "cancel": CANCELLED}


def meet_times(by: Actor, limit: int) -> int:
    """Meet the waits whose time has come, and wake their runs."""
    met = rows(TIMES, [str(by), limit])
    for row in met:
        observe("timer_late_seconds", row["late_seconds"])
    if met:
        news.woken({row["run_id"] for row in met if row["woke"]}, instant(clock.now()))
        ring_after_commit(*{row["run_id"] for row in met})
    return len(met)


def expire(by: Actor, limit: int) -> int:
    """Expire waits for which nothing came: their runs wake, fail or are cancelled, or a person is told and they wait on, as each says."""
    expired = rows(EXPIRE, [str(by), limit])
    if not expired:
        return 0
    now = clock.now()
    news.woken({row["run_id"] for row in expired if row["woke"]}, instant(now))
    for follows, toward in TOWARD.items():
        names = {row["run_id"]: row["name"] for row in expired if row["on_expiry"] == follows}
        for run in Run.objects.filter(pk__in=names, state__in=RUN_OPEN).order_by("pk"):
            reason = f"what it waited for ({names[run.pk]}) did not come in its time"
            if toward == CANCELLED:
                rule = rule_of_run(run)
                stopping.stop(by, run, scope=rule.scope, mode=rule.mode, reason=reason, now=now)
            else:
                driving.close(by, [run], toward=toward, reason=reason, now=now)
    news.overdue(
        [
            (row["tenant_id"], row["run_id"], row["wait_id"], row["name"], instant(row["expires_at"]))
            for row in expired
            if row["on_expiry"] == "escalate"
        ]
    )
    ring_after_commit(*{row["run_id"] for row in expired})
    return len(expired)
