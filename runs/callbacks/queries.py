"""What pages and the API read of messages: those about an effect, and those that name none."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Left, Length

from console import clock
from console.http.cursors import Place
from console.http.refusals import NotFound
from runs.models import Callback, Effect

MOST = 100
BEGINNING: Final = 4_000  # characters of a message that a list shows
LATELY: Final = timedelta(hours=24)


def callbacks_of(effect: Effect) -> list[Callback]:
    """Give the messages about an effect, those that wait included, in the order they came in; the first hundred."""
    return list(Callback.objects.filter(effect=effect).order_by("received_at", "id")[:MOST])


def unnamed(tenant_id: UUID, before: Place | None, limit: int) -> list[Callback]:
    """Give a tenant's messages that name no effect (yet), the latest first, after that place.

    Each with the `beginning` and the `length` of what it says, and not with its body."""
    found = Callback.objects.filter(tenant_id=tenant_id, effect__isnull=True)
    if before is not None:
        at, row_id = before
        found = found.filter(Q(received_at__lt=at) | Q(received_at=at, pk__lt=row_id), received_at__lte=at)
    told = found.defer("body").annotate(beginning=Left("body", BEGINNING), length=Length("body"))
    return list(told.order_by("-received_at", "-id")[:limit])


def one_unnamed(tenant_id: UUID, callback_id: UUID) -> Callback:
    """Give a message that names no effect. Raises NotFound."""
    found = Callback.objects.filter(pk=callback_id, tenant_id=tenant_id, effect__isnull=True).first()
    if found is None:
        raise NotFound
    return found


def unmatched_lately(tenant_id: UUID, most: int) -> int:
    """Count the messages of the last 24 hours that turned out to name no effect, up to `most`."""
    found = Callback.objects.filter(tenant_id=tenant_id, effect__isnull=True, received_at__gt=clock.now() - LATELY)
    listed = found.order_by("-received_at", "-id").values_list("state", flat=True)[:most]
    return sum(state == "unmatched" for state in listed)
