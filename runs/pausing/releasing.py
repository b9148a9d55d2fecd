"""Letting go on what a wide pause had stopped, in flat batches by the clock: some of its effects a pass, in the order of their ids."""

from console import clock
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs.models import Pause

RELEASE = "select * from runs_release(%s, %s, %s)"


def release_due(by: Actor, limit: int) -> int:
    """Make due again what pauses that were lifted had stopped, at most so much in a pass. Within the caller's transaction."""
    lifted = Pause.objects.filter(lifted_at__isnull=False, released_at=None)
    found = lifted.order_by("lifted_at", "id").first()  # the one clock that passes has it for itself
    if found is None:
        return 0
    now = clock.now()
    batch = rows(RELEASE, [found.pk, now, limit])[0]
    if batch["looked"] < limit:
        found.released_at = now
    else:
        found.release_after = batch["last"]
    found.save(update_fields=["released_at", "release_after"])
    ring_after_commit(work=batch["released"] > 0)
    return int(batch["looked"]) or 1
