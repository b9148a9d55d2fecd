"""Saying that corrections are taken into account: the driver of a run does, or a person where nobody drives it."""

from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.http.refusals import InvalidContent, NotFound
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.corrections.making import NotYoursToCorrect, may_correct
from runs.models import Run
from runs.states import CLOSING, RUN_OPEN


class NoSuchCorrection(InvalidContent):
    """This run has no correction of this number."""

    code = "no_such_correction"


@move("acknowledge")
def acknowledge(by: Actor, run_id: UUID, *, epoch: int | None, number: int, key: str) -> dict[str, Any]:
    """Say that the corrections up to this number are taken into account: by the driver with its token, or by a member, without one.

    Raises NotFound, StaleToken, NotYoursToCorrect, RunEnded, NoSuchCorrection."""
    return once(
        by, key, "acknowledge", {"run": str(run_id), "number": number}, lambda: _acknowledge(by, run_id, epoch, number), about=run_id
    )  # fmt: skip


def _acknowledge(by: Actor, run_id: UUID, epoch: int | None, number: int) -> dict[str, Any]:
    run = _held(by, run_id, epoch)
    if run.state not in RUN_OPEN | {CLOSING}:
        raise driver.RunEnded(state=run.state, version=run.ledger_seq)
    if not 1 <= number <= run.corrections_count:
        raise NoSuchCorrection(path="/number", corrections=run.corrections_count)
    now = clock.now()
    if number > run.corrections_seen:
        Run.objects.filter(pk=run.pk).update(corrections_seen=number)
        record.write([(run.pk, "correction.seen", {"seen": number})], by, now)
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [[run.pk], str(by), now])
        ring_after_commit(run.pk, work=False)
    stands = Run.objects.get(pk=run.pk)
    return {
        "run": str(run.pk), "seen": stands.corrections_seen, "corrections": stands.corrections_count, "state": stands.state,
        "at": instant(now),
    }  # fmt: skip


def _held(by: Actor, run_id: UUID, epoch: int | None) -> Run:
    if epoch is not None:
        return driver.hold(by, run_id, epoch=epoch)
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    if by.kind != "member" or not may_correct(by, run):
        raise NotYoursToCorrect
    return run
