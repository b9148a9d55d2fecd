"""What pages read of messages: those about an effect, and those that name none."""

from uuid import UUID

from runs.models import Callback, Effect

MOST = 100


def callbacks_of(effect: Effect) -> list[Callback]:
    """Give the messages about an effect, those that wait included, in the order they came in; the first hundred."""
    return list(Callback.objects.filter(effect=effect).order_by("received_at", "id")[:MOST])


def unmatched(tenant_id: UUID, limit: int) -> list[Callback]:
    """Give the messages of a tenant that name no effect, the latest first."""
    found = Callback.objects.filter(tenant_id=tenant_id, state="unmatched")
    return list(found.order_by("-received_at", "-id")[:limit])
