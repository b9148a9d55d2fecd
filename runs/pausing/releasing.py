"""Letting go on what a wide pause had stopped, in flat batches by the clock: some of its effects a pass, in the order of their ids."""

from console import clock
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs.models import Pause

RELEASE = "select * from runs_release(%s, %s, %s)"
MOST = 50  # pauses that are looked at in a pass


def release_due(by: Actor, limit: int) -> int:
    """Make due again what pauses that were lifted had stopped, at most so much in a pass. Within the caller's transaction."""
    lifted = Pause.objects.filter(lifted_at__isnull=False, released_at=None)
    now, left, done, released = clock.now(), limit, 0, 0
    for pause in lifted.order_by("lifted_at", "id")[:MOST]:  # the one clock that passes has them for itself
        batch = rows(RELEASE, [pause.pk, now, left])[0]
        if batch["looked"] < left:
            pause.released_at = now
        else:
            pause.release_after = batch["last"]
        pause.save(update_fields=["released_at", "release_after"])
        left, released, done = left - batch["looked"], released + batch["released"], done + (batch["looked"] or 1)
        if left <= 0:
            break
    ring_after_commit(work=released > 0)
    return done
