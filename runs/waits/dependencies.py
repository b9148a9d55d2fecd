"""What waits for a dependency: that it answers again, or that its rate window begins anew. It is taken up as fast as its contract bears."""

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs.waits import news

COME = "select * from runs_dependencies_come(%s, %s)"


def come(by: Actor, limit: int) -> int:
    """Meet the first waits for each dependency that answers, or whose window has begun, and wake their runs; gives how many runs."""
    met = rows(COME, [str(by), limit])
    if met:
        news.woken([row["run_id"] for row in met if row["woke"]], instant(clock.now()))
        ring_after_commit(*{row["run_id"] for row in met})
    return len(met)
