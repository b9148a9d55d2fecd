"""What pages read of delegations: one query a list, pages by (database time, id)."""

from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import Q

from approvals.models import Delegation
from console.identity.models import Member

Place: TypeAlias = tuple[datetime, UUID]
MOST = 200


def delegations(member: Member, before: Place | None, limit: int, *, everybody: bool) -> list[Delegation]:
    """Give those that the member gave or was given, or all of the tenant's, the newest first."""
    found = Delegation.objects.filter(tenant_id=member.tenant_id)
    if not everybody:
        found = found.filter(Q(giver=member) | Q(taker=member))
    if before is not None:
        at, delegation_id = before
        found = found.filter(created_at__lte=at).exclude(created_at=at, id__gte=delegation_id)
    return list(found.select_related("giver__user", "taker__user").order_by("-created_at", "-id")[:limit])


def takers(member: Member) -> list[Member]:
    """Give who may decide in a member's place: the other active approvers, by name."""
    found = Member.objects.filter(tenant_id=member.tenant_id, active=True, roles__contains=["approver"]).exclude(
        pk=member.pk
    )
    return list(found.select_related("user").order_by("user__name", "id")[:MOST])


def stands(delegation: Delegation, now: datetime) -> str:
    """Say how it stands: to_come, standing, ended or revoked."""
    if delegation.revoked_at is not None:
        return "revoked"
    if delegation.ends_at <= now:
        return "ended"
    return "standing" if delegation.starts_at <= now else "to_come"
