"""What pages read of broken glass: what is open now, what waits for a review, and what was."""

from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import QuerySet

from approvals.models import BreakGlass
from approvals.states import APPROVED, CONSUMED
from console.clock import DatabaseNow

Place: TypeAlias = tuple[datetime, UUID]


def open_now(tenant_id: UUID) -> "QuerySet[BreakGlass]":
    """Give the ones by which something may be done at this moment, the next to end first."""
    found = BreakGlass.objects.filter(tenant_id=tenant_id, ended_at=None, ends_at__gt=DatabaseNow())
    return _whole(found.filter(request__state__in=[APPROVED, CONSUMED])).order_by("ends_at", "id")


def to_review(tenant_id: UUID) -> "QuerySet[BreakGlass]":
    """Give those that nobody has reviewed, the oldest first; open ones are among them."""
    return _whole(BreakGlass.objects.filter(tenant_id=tenant_id, reviewed_at=None)).order_by("opened_at", "id")


def count_to_review(tenant_id: UUID, most: int) -> int:
    """Count them, up to `most`."""
    return BreakGlass.objects.filter(tenant_id=tenant_id, reviewed_at=None)[:most].count()


def history(tenant_id: UUID, before: Place | None, limit: int) -> list[BreakGlass]:
    """Give all of them, the latest first."""
    found = BreakGlass.objects.filter(tenant_id=tenant_id)
    if before is not None:
        at, glass_id = before
        found = found.filter(opened_at__lte=at).exclude(opened_at=at, id__gte=glass_id)
    return list(_whole(found).order_by("-opened_at", "-id")[:limit])


def of_request(request_id: UUID) -> BreakGlass | None:
    """Give the one that released a request, if one did."""
    return _whole(BreakGlass.objects.filter(request=request_id)).first()


def _whole(found: "QuerySet[BreakGlass]") -> "QuerySet[BreakGlass]":
    return found.select_related("member__user", "reviewed_by__user", "request")
