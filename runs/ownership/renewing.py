"""A driver's sign of life: it has the run for another lease. Nothing else is renewed, and nothing is proven by it (R-I2)."""

from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.ledger.actors import Actor
from console.ledger.moves import move
from runs import driver, record
from runs.models import Run
from runs.ownership.acquiring import CALM, change, standing
from runs.states import RUN_ENDED, STALLED


@move("renew")
def renew(by: Actor, run_id: UUID, *, epoch: int) -> dict[str, Any]:
    """Keep the run for another lease. Raises NotFound, StaleToken, RunEnded."""
    run = driver.hold(by, run_id, epoch=epoch)
    if run.state in RUN_ENDED:
        raise driver.RunEnded(state=run.state, version=run.ledger_seq)
    now = clock.now()
    driver.keep(run, now)
    if run.attention == STALLED:
        change(run, CALM)
        record.write([(run.pk, "run.goes_on", {})], by, now)
    seen = Run.objects.get(pk=run.pk)
    return {**standing(seen), "version": seen.ledger_seq, "attention": seen.attention or None, "at": instant(now)}
