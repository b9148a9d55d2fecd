"""Erasing what checkpoints say, with the run that they are of: their places, times and digests remain."""

from datetime import datetime
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Coalesce

from console.exact import Object
from console.ledger.erasing import remains
from runs.models import Checkpoint, Run


def erase(run: Run, now: datetime) -> list[tuple[UUID, str, Object]]:
    """Erase the checkpoints of a locked run; gives the entries that say what remains."""
    of_run = Checkpoint.objects.filter(run_id=run.pk)
    of_run.filter(state_digest__isnull=False).update(dropped_at=Coalesce(F("dropped_at"), now))
    of_run.update(
        authoritative=None,
        state=None,
        artifacts="",
        note="",
        versions="",
        contradictions="",
        sealed_with="",
        drop_at=None,
    )
    left = of_run.order_by("number")
    return [(run.pk, "checkpoint.remains", {"checkpoint": str(each.pk), "remains": remains(each)}) for each in left]
