"""Noticing that nothing will wake a run: nobody drives it, it waits for nothing, and nothing in it goes on by itself (RES-06).

A run is looked at when its lease ends, and then the more seldom the longer nobody has driven it, so that many that go on by themselves
for days cost little. Of a run that stands still people are told once; it is looked at again when somebody drives it again."""

from datetime import datetime, timedelta
from uuid import UUID

from console import clock
from console.clock import DatabaseNow
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.posting import post
from console.telemetry.counting import count
from runs import driver, record
from runs.models import Run
from runs.ownership.acquiring import CALM, is_held
from runs.states import RUNNING, STALLED

MOST = 100  # posting takes a few statements each, and runs are held meanwhile
SELDOM = timedelta(hours=1)
NOTHING = "nothing will wake it"
# A run that completes by itself may have been kept from it by a resume that was due, or by a correction, and nothing ends in it any more.
AFTER_ENDINGS = "select runs_after_endings(%s::uuid[], %s, %s)"
# What goes on without a driver: what workers, people or the other side have in hand. What the agent does itself, and what is blocked, does
# not; in a run that changed hands neither does what is ready, or becomes it, before a resume.
GOES_ON = """
select r.id from runs_run r where r.id = any (%s) and exists (
    select from runs_effect e where e.run_id = r.id and (
        e.state in ('dispatched', 'accepted', 'unknown')
        or (not r.resume_due and (e.state in ('proposed', 'awaiting_approval') or (e.state = 'ready' and e.executor <> 'agent')))))
"""


def watch(by: Actor, limit: int) -> int:
    """Look at the runs whose time for it has come, and give how many were found to stand still or to go on again.

    Within the caller's transaction."""
    due = Run.objects.filter(state=RUNNING, watch_at__lte=DatabaseNow())
    ids = list(due.order_by("watch_at").values_list("pk", flat=True)[: min(limit, MOST)])
    if not ids:
        return 0
    held = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True))
    now = clock.now()
    going = {row["id"] for row in rows(GOES_ON, [[run.pk for run in held]])}
    entries: list[tuple[UUID, str, Object]] = []
    for run in held:
        entries += _look(run, run.pk in going, now)
    Run.objects.bulk_update(held, ["watch_at", *CALM], batch_size=100)
    record.write(entries, by, now)
    ending = [run.pk for run in held if _ends_by_itself(run) and not is_held(run, now)]
    if ending:
        rows(AFTER_ENDINGS, [ending, str(by), now])
        ring_after_commit(*ending, work=False)
    return len(entries)


def _look(run: Run, goes_on: bool, now: datetime) -> list[tuple[UUID, str, Object]]:
    """Set on the run what follows from how it stands, and give what is to be recorded."""
    run.watch_at = _again(run, now)
    if is_held(run, now) or goes_on or run.open_waits or _ends_by_itself(run):
        return _calm(run)
    if run.attention:
        return []
    run.watch_at = None
    run.attention, run.attention_since, run.attention_reason = STALLED, now, NOTHING
    _tell(run)
    count("stalled_runs")
    return [(run.pk, "run.stalled", {"reason": NOTHING})]


def _again(run: Run, now: datetime) -> datetime | None:
    """Give when to look next."""
    if run.lease_expires_at is not None and run.lease_expires_at > now:
        return run.lease_expires_at
    if _ends_by_itself(run):
        return None
    unheld = now - (run.lease_expires_at or run.created_at)
    return now + min(max(unheld, timedelta(seconds=driver.lease_seconds(run))), SELDOM)


def _ends_by_itself(run: Run) -> bool:
    """Tell whether a run ends without a driver: not where a resume is due, or a correction that nobody has taken into account yet."""
    return run.completes_itself and not run.resume_due and run.corrections_seen >= run.corrections_count


def _calm(run: Run) -> list[tuple[UUID, str, Object]]:
    if run.attention != STALLED:
        return []
    run.attention, run.attention_since, run.attention_reason = "", None, ""
    return [(run.pk, "run.goes_on", {})]


def _tell(run: Run) -> None:
    post(
        run.tenant_id, kinds.STALLED, about=run.pk, path=f"/runs/{run.pk}", title=f"Stands still: {' '.join(run.goal.split())}",
        text=f"Nobody drives the run, it waits for nothing, and {NOTHING}. Start a process that resumes it, or end it.",
        to_roles={"operator"}, key=f"run:{run.pk}:stalled:{run.ledger_seq}",
    )  # fmt: skip
