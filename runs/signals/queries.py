"""What the API and the pages read of signals."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from console.http.cursors import Place
from console.http.refusals import NotFound
from runs.models import Signal
from runs.states import SIGNAL_STATES

NEWEST = ("-received_at", "-id")


def signal(tenant_id: UUID, signal_id: UUID) -> Signal:
    """Give a signal. Raises NotFound."""
    found = Signal.objects.filter(pk=signal_id, tenant_id=tenant_id).select_related("run", "wait").first()
    if found is None:
        raise NotFound
    return found


def signals(
    tenant_id: UUID, states: Sequence[str] = SIGNAL_STATES, before: Place | None = None, limit: int = 50
) -> list[Signal]:
    """Give signals in one of these states from the newest on, after that place: each state's along its index, of those the newest."""
    found = Signal.objects.filter(tenant_id=tenant_id)
    if before is not None:
        at, row_id = before
        found = found.filter(Q(received_at__lt=at) | Q(received_at=at, pk__lt=row_id), received_at__lte=at)
    each = [found.filter(state=state).order_by(*NEWEST).values_list("pk", "received_at")[:limit] for state in states]
    newest = sorted(((at, row_id) for some in each for row_id, at in some), reverse=True)
    ids = [row_id for _, row_id in newest[:limit]]
    return list(Signal.objects.filter(pk__in=ids).select_related("run", "wait").order_by(*NEWEST))


def signals_of(run_id: UUID, limit: int = 100) -> list[Signal]:
    """Give the signals that a run's waits took, and those that came too late for it, in the order they came in."""
    found = Signal.objects.filter(run_id=run_id).select_related("wait")
    return list(found.order_by("received_at", "id")[:limit])
