"""Who drives a run: every write of a driver carries the run's epoch, and a stale one is refused (R-A6, R-H3)."""

from datetime import datetime
from uuid import UUID

from console.clock import instant
from console.database import rows
from console.http.refusals import NotFound, Refusal, StaleToken, StaleVersion
from console.ledger.actors import Actor
from runs.models import Run
from runs.states import RUNNING


class RunEnded(Refusal):
    """This run has ended or is ending; it takes nothing more."""

    code = "run_ended"


class RunOutOfTime(Refusal):
    """This run's deadline has passed."""

    code = "run_out_of_time"


def hold(by: Actor, run_id: UUID, *, epoch: int, version: int | None = None) -> Run:
    """Lock the run for its driver. Raises NotFound (also for another agent's run), StaleToken, StaleVersion."""
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, agent_id=by.principal).first()
    if run is None:
        raise NotFound
    if run.epoch != epoch or run.driver_id != by.id:
        raise StaleToken(epoch=run.epoch, state=run.state, version=run.ledger_seq)
    check_version(run, version)
    return run


def check_version(run: Run, version: int | None) -> None:
    """Refuse a write that believes in another version of the locked run. Raises StaleVersion."""
    if version is not None and version != run.ledger_seq:
        raise StaleVersion(version=run.ledger_seq, state=run.state)


def check_going_on(run: Run, now: datetime) -> None:
    """Refuse more work for a run that is over. Raises RunEnded, RunOutOfTime."""
    if run.state != RUNNING:
        raise RunEnded(state=run.state, version=run.ledger_seq)
    if run.deadline_at is not None and run.deadline_at <= now:
        raise RunOutOfTime(state=run.state, version=run.ledger_seq, deadline_at=instant(run.deadline_at))


def first_epoch() -> int:
    """Give the epoch of a new run: 1, above all that earlier incarnations of this database gave out."""
    return int(rows("select cf_next_fence(0) as epoch")[0]["epoch"])
