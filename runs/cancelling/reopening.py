"""The way back: a run that ended without success goes on by an operator's word, under a new token, once a resume has decided (R-I4)."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http import reasons
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import record
from runs.cancelling import standing
from runs.cancelling.stopping import NEXT_EPOCH
from runs.models import Run
from runs.states import CANCELLED, EXPIRED, FAILED, RUNNING

REOPENED: Final = (FAILED, EXPIRED, CANCELLED)
NOBODY_LEFT: Final[dict[str, Any]] = {"attention": "", "attention_since": None, "attention_reason": ""}


class NotToReopen(Refusal):
    """Only a run that failed, expired or was cancelled, and whose contents are there, is opened again."""

    code = "not_to_reopen"


class DeadlineNeeded(InvalidContent):
    """The run's deadline has passed; say within how many seconds it must end now."""

    code = "deadline_needed"


class NothingLeft(Refusal):
    """Nothing of this run waits for somebody to see to it."""

    code = "nothing_left"


@move("reopen")
def reopen(
    by: Actor, run_id: UUID, *, reason: str, key: str, deadline_seconds: int | None = None, version: int | None = None
) -> dict[str, Any]:
    """Open an ended run again. Raises NotFound, NotAnOperator, NotToReopen, DeadlineNeeded, ReasonMissing, StaleVersion."""
    said = reasons.given(reason)
    asked: Object = {"run": str(run_id), "reason": said, "deadline_seconds": deadline_seconds}
    return once(by, key, "reopen", asked, lambda: _reopen(by, run_id, said, deadline_seconds, version), about=run_id)


@move("see to")
def see_to(by: Actor, run_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Say as an operator that what came after a run's end is seen to. Raises NotFound, NotAnOperator, NothingLeft, ReasonMissing."""
    said = reasons.given(reason)
    return once(
        by, key, "see_to", {"run": str(run_id), "reason": said}, lambda: _see_to(by, run_id, said), about=run_id
    )


def _reopen(by: Actor, run_id: UUID, reason: str, seconds: int | None, version: int | None) -> dict[str, Any]:
    standing.check_operator(by)
    run = standing.hold(by, run_id, epoch=None, version=version)
    now = clock.now()
    if run.state not in REOPENED or run.erased_at is not None:
        raise NotToReopen(state=run.state, version=run.ledger_seq)
    if seconds is None and run.deadline_at is not None and run.deadline_at <= now:
        raise DeadlineNeeded(path="/deadline_seconds", deadline_at=instant(run.deadline_at))
    deadline = run.deadline_at if seconds is None else now + timedelta(seconds=seconds)
    epoch = int(rows(NEXT_EPOCH, [run.epoch])[0]["epoch"])
    Run.objects.filter(pk=run.pk).update(
        state=RUNNING, closing_toward="", closing_reason="", ended_at=None, epoch=epoch, lease_holder="", lease_expires_at=None,
        resume_due=True, deadline_at=deadline, watch_at=now + timedelta(seconds=60), told_at=None, **NOBODY_LEFT,
    )  # fmt: skip
    facts: Object = {"reason": reason, "epoch": epoch, "deadline_at": instant(deadline), "was": run.state}
    record.write([(run.pk, "run.reopened", facts)], by, now)
    ring_after_commit(run.pk)
    return {"run": str(run.pk), "state": RUNNING, "epoch": epoch, "at": instant(now)}


def _see_to(by: Actor, run_id: UUID, reason: str) -> dict[str, Any]:
    standing.check_operator(by)
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    if run.ended_at is None or not run.attention:
        raise NothingLeft(state=run.state, version=run.ledger_seq)
    now = clock.now()
    Run.objects.filter(pk=run.pk).update(**NOBODY_LEFT)
    record.write([(run.pk, "run.seen_to", {"reason": reason})], by, now)
    ring_after_commit(run.pk, work=False)
    return {"run": str(run.pk), "state": run.state, "at": instant(now)}
