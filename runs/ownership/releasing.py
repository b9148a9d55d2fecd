"""Letting a run go: the token is no longer good, and whoever comes next need not wait for a lease to end."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.ownership.acquiring import NEXT, change, standing
from runs.states import RUN_ENDED, RUNNING


@move("release run")
def release(by: Actor, run_id: UUID, *, epoch: int, key: str) -> dict[str, Any]:
    """Let the run go. What is ready goes on being done. Raises NotFound, StaleToken, RunEnded."""
    return once(by, key, "release_run", {"run": str(run_id)}, lambda: _release(by, run_id, epoch), about=run_id)


def _release(by: Actor, run_id: UUID, epoch: int) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch)
    if run.state in RUN_ENDED:
        raise driver.RunEnded(state=run.state, version=run.ledger_seq)
    now = clock.now()
    following = int(rows(NEXT, [run.epoch])[0]["epoch"])
    facts: Object = {"epoch": following, "holder": run.lease_holder}
    again = now + timedelta(seconds=driver.lease_seconds(run))
    watched = {"watch_at": again} if run.state == RUNNING else {}
    change(run, {"epoch": following, "lease_holder": "", "lease_expires_at": None, **watched})
    record.write([(run.pk, "run.released", facts)], by, now)
    ring_after_commit(run.pk, work=False)
    return {**standing(run), "at": instant(now)}
