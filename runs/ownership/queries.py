"""What is read about who drove a run: the writes that were refused, and the runs below it. Each along an index, and bounded."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from console.database import rows
from console.http.cursors import Place
from console.ledger.models import Entry, Refusal
from runs.models import Run

STALE = "stale_token"
CHANGES = ("run.accepted", "run.acquired", "run.released")
COUNTED = "select count(*) as n from (select from ledger_refusal where subject = %s and tenant_id = %s and type = %s limit %s) r"


def refusals(run: Run, before: int | None, limit: int) -> list[Refusal]:
    """Give what was refused about the run, from the newest on, after that place."""
    found = Refusal.objects.filter(tenant_id=run.tenant_id, subject=str(run.pk))
    if before is not None:
        found = found.filter(pk__lt=before)
    return list(found.order_by("-pk")[:limit])


def stale_writes(run: Run, most: int) -> int:
    """Count the writes of those who drove the run no more, up to so many."""
    return int(rows(COUNTED, [str(run.pk), run.tenant_id, STALE, most])[0]["n"])


def children(run_id: UUID, before: Place | None, limit: int) -> list[Run]:
    """Give the runs below a run, newest first, after that place."""
    found = Run.objects.filter(parent_id=run_id)
    if before is not None:
        at, row_id = before
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=row_id))
    return list(found.select_related("agent", "run_type").order_by("-created_at", "-id")[:limit])


def changes(run: Run, most: int) -> Sequence[Entry]:
    """Give the entries that tell how the run changed hands, newest first."""
    found = Entry.objects.filter(stream=run.stream(), kind__in=CHANGES).select_related("payload")
    return list(found.order_by("-seq")[:most])
