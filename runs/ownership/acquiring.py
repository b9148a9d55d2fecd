"""Taking a run: a new token, a lease, and the ready effects held until a resume decides. Of two who ask at once, one has it."""

from datetime import datetime, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.refusals import InvalidContent, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.models import Run
from runs.states import RUN_ENDED, RUNNING, STALLED, WAITING

LONGEST_HOLDER = 255
CALM: dict[str, Any] = {"attention": "", "attention_since": None, "attention_reason": ""}
NEXT = "select cf_next_fence(%s) as epoch"


class RunHeld(Refusal):
    """Somebody drives this run. `holder` says who, and `until` how long without a further sign of life."""

    code = "run_held"


class BadHolder(InvalidContent):
    """The process that drives says its name, in 1 to 255 characters."""

    code = "bad_holder"


@move("acquire")
def acquire(by: Actor, run_id: UUID, *, holder: str, key: str) -> dict[str, Any]:
    """Take the run over, if nobody has it. Raises NotFound, RunHeld, RunEnded, BadHolder.

    Its ready effects wait until a resume has decided (`resume_due`); what is in flight goes on."""
    asked: Object = {"run": str(run_id), "holder": holder}
    return once(by, key, "acquire", asked, lambda: _acquire(by, run_id, holder), about=run_id)


def _acquire(by: Actor, run_id: UUID, holder: str) -> dict[str, Any]:
    run = driver.locked(by, run_id)
    now = clock.now()
    return take(by, run, holder=holder, now=now)


def take(by: Actor, run: Run, *, holder: str, now: datetime) -> dict[str, Any]:
    """Take a run over that the caller locked (`driver.locked`), in its transaction. Raises RunHeld, RunEnded, BadHolder."""
    named = checked(holder)
    check_free(run, now)
    until = now + timedelta(seconds=driver.lease_seconds(run))
    epoch = int(rows(NEXT, [run.epoch])[0]["epoch"])
    facts: Object = {"epoch": epoch, "driver": str(by.principal), "holder": named}
    changes: dict[str, Any] = {
        "epoch": epoch, "driver_id": by.principal, "lease_holder": named, "lease_expires_at": until, "resume_due": True,
    }  # fmt: skip
    if run.state == RUNNING:
        changes["watch_at"] = until
    if run.attention == STALLED:
        facts["goes_on"] = True
        changes |= CALM
    change(run, changes)
    record.write([(run.pk, "run.acquired", facts)], by, now)
    ring_after_commit(run.pk, work=False)
    return {**standing(run), "holder": named, "at": instant(now)}


def checked(holder: str) -> str:
    """Give the name of the process that drives. Raises BadHolder."""
    named = holder.strip()
    if not named or len(named) > LONGEST_HOLDER or not named.isprintable():
        raise BadHolder(path="/holder")
    return named


def check_free(run: Run, now: datetime) -> None:
    """Refuse a run that somebody drives, or that nobody drives any more. Raises RunHeld, RunEnded."""
    stands: dict[str, Any] = {"state": run.state, "version": run.ledger_seq}
    if run.state in RUN_ENDED:
        raise driver.RunEnded(**stands)
    if is_held(run, now):
        until = run.lease_expires_at or now
        seconds = max(1, ceil((until - now).total_seconds()))
        raise RunHeld(holder=run.lease_holder, until=instant(until), epoch=run.epoch, retry_after=seconds, **stands)


def is_held(run: Run, now: datetime) -> bool:
    """Tell whether somebody's lease of the run lives. A run that waits is nobody's."""
    return run.state != WAITING and run.lease_expires_at is not None and run.lease_expires_at > now


def standing(run: Run) -> dict[str, Any]:
    """Say how a run stands with its driver."""
    return {
        "run": str(run.pk), "epoch": run.epoch, "lease_expires_at": instant(run.lease_expires_at), "state": run.state,
        "resume_due": run.resume_due,
    }  # fmt: skip


def change(run: Run, changes: dict[str, Any]) -> None:
    """Write columns of a locked run."""
    Run.objects.filter(pk=run.pk).update(**changes)
    for name, value in changes.items():
        setattr(run, name, value)
