"""What pages read of notices: one query a list, pages by (database time, id), counts that stop at a bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from django.db.models import Q, QuerySet

from console.database import rows
from console.identity.models import Member
from console.notices.models import Channel, Copy, Delivery, Endpoint, Wishes
from console.notices.states import DEAD

Place: TypeAlias = tuple[datetime, UUID]
# What a receiver who was stopped did not get is nobody's loss; what waits for more than ten minutes is late.
UNDELIVERED: Final = """
select (select count(*) from (
           select from notices_delivery where tenant_id = %s and state = 'dead' and last_outcome <> 'stopped' limit %s) d) as dead,
       (select count(*) from (
           select from notices_delivery where tenant_id = %s and state = 'waiting' and created_at < cf_now() - interval '10 minutes'
           limit %s) w) as late
"""


@dataclass(frozen=True, slots=True)
class Undelivered:
    """What did not reach its receiver: given up, and waiting for more than ten minutes; each up to a bound."""

    dead: int
    late: int


def copies(member: Member, before: Place | None, limit: int) -> list[Copy]:
    """Give a member's notices, the newest first."""
    found = Copy.objects.filter(tenant_id=member.tenant_id, member=member).select_related("notice")
    if before is not None:
        at, copy_id = before
        found = found.filter(posted_at__lte=at).exclude(posted_at=at, id__gte=copy_id)
    return list(found.order_by("-posted_at", "-id")[:limit])


def count_unread(member: Member, limit: int) -> int:
    """Count what a member has not read, up to a bound."""
    return Copy.objects.filter(tenant_id=member.tenant_id, member=member, read_at=None)[:limit].count()


def wants_mail(member: Member) -> bool:
    """Tell whether a member has notices by e-mail too."""
    return not Wishes.objects.filter(member=member, off_at__isnull=False).exists()


def endpoints(tenant_id: UUID) -> list[Endpoint]:
    """Give a tenant's endpoints in the order they were added; there are few."""
    return list(Endpoint.objects.filter(tenant_id=tenant_id).order_by("created_at", "id"))


def endpoint(tenant_id: UUID, endpoint_id: UUID) -> Endpoint | None:
    """Give one endpoint."""
    return Endpoint.objects.filter(tenant_id=tenant_id, pk=endpoint_id).first()


def deliveries(endpoint: Endpoint, before: Place | None, limit: int) -> list[Delivery]:
    """Give what was sent to an endpoint, the newest first."""
    found = Delivery.objects.filter(tenant_id=endpoint.tenant_id, endpoint=endpoint).select_related("notice")
    if before is not None:
        at, delivery_id = before
        found = found.filter(created_at__lte=at).exclude(created_at=at, id__gte=delivery_id)
    return list(found.order_by("-created_at", "-id")[:limit])


def dead(tenant_id: UUID, before: Place | None, limit: int) -> list[Delivery]:
    """Give what was given up, by whatever channel, the latest first."""
    found = _dead(tenant_id).select_related("notice", "endpoint", "member__user", "via__member__user")
    if before is not None:
        at, delivery_id = before
        found = found.filter(ended_at__lte=at).exclude(ended_at=at, id__gte=delivery_id)
    return list(found.order_by("-ended_at", "-id")[:limit])


def undelivered(tenant_id: UUID, limit: int) -> Undelivered:
    """Count what was given up, and what has waited for too long."""
    return Undelivered(**rows(UNDELIVERED, [tenant_id, limit, tenant_id, limit])[0])


def channels(member: Member, *, of_tenant: bool) -> list[Channel]:
    """Give a member's own channels, and the tenant's where they may see these; in the order they were added."""
    mine = Q(member=member) | Q(member=None) if of_tenant else Q(member=member)
    found = Channel.objects.filter(mine, tenant_id=member.tenant_id)
    return list(found.order_by("created_at", "id"))


def last_sent(channels: Sequence[Channel]) -> dict[UUID, Delivery]:
    """Give for each channel the last delivery that was tried or waits."""
    last = Delivery.objects.filter(via__in=[each.pk for each in channels]).order_by("via", "-created_at", "-id")
    return {each.via_id: each for each in last.distinct("via") if each.via_id is not None}


def wishes(member: Member) -> Wishes:
    """Give how a member wants to be told; what they never said is as it is for everybody."""
    return Wishes.objects.filter(member=member).first() or Wishes(member=member, tenant_id=member.tenant_id)


def _dead(tenant_id: UUID) -> "QuerySet[Delivery]":
    return Delivery.objects.filter(tenant_id=tenant_id, state=DEAD).exclude(last_outcome="stopped")
