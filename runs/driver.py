"""Who drives a run: every write of a driver carries the run's epoch, and a stale one is refused (R-A6, R-H3)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from console.clock import instant
from console.database import rows
from console.http.refusals import NotFound, Refusal, StaleToken, StaleVersion
from console.ledger.actors import Actor
from runs import catalogue
from runs.models import Run
from runs.states import CLOSING, QUARANTINED, RUN_GOING, RUN_OPEN, RUNNING, WAITING

# A write renews the lease once a tenth of it is used up, so that a driver who writes often does not write twice each time. Who was
# thought to be gone and writes is looked at again at once. A run that waits is nobody's until it goes on.
KEEP = """
update runs_run set lease_expires_at = cf_now() + make_interval(secs => %(lease)s),
                    watch_at = case when attention = 'stalled' then cf_now() else watch_at end
where id = %(run)s and state in ('running', 'closing')
  and (lease_expires_at is null or lease_expires_at < cf_now() + make_interval(secs => 0.9 * %(lease)s))
returning lease_expires_at
"""


class RunEnded(Refusal):
    """This run has ended or is ending; it takes nothing more."""

    code = "run_ended"


class RunWaits(Refusal):
    """This run waits. Withdraw what it waits for, or go on when it has come."""

    code = "run_waits"


class ResumeFirst(Refusal):
    """This run changed hands. Resume it: nothing new is taken before a resume has decided."""

    code = "resume_first"


class RunStopped(Refusal):
    """This run is set aside until a person has decided."""

    code = "run_stopped"


class RunOutOfTime(Refusal):
    """This run's deadline has passed."""

    code = "run_out_of_time"


def hold(by: Actor, run_id: UUID, *, epoch: int, version: int | None = None) -> Run:
    """Lock the run for its driver, and renew its lease. Raises NotFound (also for agents that cannot drive it), StaleToken, StaleVersion.

    The token decides, not the time: a lease that ran out and that nobody took up is renewed by the next write."""
    run = locked(by, run_id)
    check_held(by, run, epoch, version)
    return run


def check_held(by: Actor, run: Run, epoch: int, version: int | None = None) -> None:
    """Refuse a locked run to all but its driver, and renew its lease. Raises StaleToken, StaleVersion."""
    if run.epoch != epoch or run.driver_id != by.id:
        raise stale(run, epoch)
    check_version(run, version)
    rows(KEEP, {"run": run.pk, "lease": lease_seconds(run)})


def keep(run: Run, now: datetime) -> None:
    """Renew the lease of a locked run that its driver holds, whole."""
    if run.state in (RUNNING, CLOSING):
        run.lease_expires_at = now + timedelta(seconds=lease_seconds(run))
        Run.objects.filter(pk=run.pk).update(lease_expires_at=run.lease_expires_at)


def locked(by: Actor, run_id: UUID) -> Run:
    """Lock a run that the agent may drive, whoever drives it now. Raises NotFound, also where it could never be the driver."""
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id).first()
    if run is None or not may_drive(by, run):
        raise NotFound
    return run


def may_drive(by: Actor, run: Run) -> bool:
    """Tell whether the agent can be the driver: the run is its own, or the run type's contract names it under `ownership.drivers`."""
    if by.kind != "agent":
        return False
    return run.agent_id == by.id or catalogue.run_type(run.run_type_id).document.may_take_over(by.name)


def lease_seconds(run: Run) -> int:
    """Give how long a driver holds the run without a sign of life."""
    return catalogue.run_type(run.run_type_id).document.lease_seconds


def stale(run: Run, epoch: int) -> StaleToken:
    """Make the refusal of a write with another token than the run's, which is listed with the run."""
    refusal = StaleToken(
        f"Somebody else drives this run now; token {epoch} is no longer good.",
        epoch=run.epoch,
        state=run.state,
        version=run.ledger_seq,
    )
    refusal.about = run.pk
    return refusal


def check_version(run: Run, version: int | None) -> None:
    """Refuse a write that believes in another version of the locked run. Raises StaleVersion."""
    if version is not None and version != run.ledger_seq:
        raise StaleVersion(version=run.ledger_seq, state=run.state)


def check_going_on(run: Run, now: datetime, *, may_wait: bool = False) -> None:
    """Refuse more work for a run that does not go on now. Raises RunEnded, RunWaits, RunStopped, ResumeFirst, RunOutOfTime.

    `may_wait` says that this goes on while the run waits, as what was taken on before does."""
    stands: dict[str, Any] = {"state": run.state, "version": run.ledger_seq}
    if run.state == WAITING and not may_wait:
        raise RunWaits(**stands)
    if run.state in RUN_OPEN - RUN_GOING:
        raise RunStopped(attention=run.attention, reason=run.attention_reason, **stands)
    if run.state not in RUN_GOING:
        raise RunEnded(**stands)
    if run.resume_due:
        raise ResumeFirst(epoch=run.epoch, **stands)
    if run.deadline_at is not None and run.deadline_at <= now:
        raise RunOutOfTime(state=run.state, version=run.ledger_seq, deadline_at=instant(run.deadline_at))


def check_not_set_aside(run: Run) -> None:
    """Refuse what makes good for another effect while a person looks at its run; nothing else that became of it stands in the way."""
    if run.state == QUARANTINED:
        raise RunStopped(attention=run.attention, reason=run.attention_reason, state=run.state, version=run.ledger_seq)


def first_epoch() -> int:
    """Give the epoch of a new run: 1, above all that earlier incarnations of this database gave out."""
    return int(rows("select cf_next_fence(0) as epoch")[0]["epoch"])
