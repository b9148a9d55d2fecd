"""Which delegations hold at an instant. They end by their own time, so nothing has to come by and end them.

What is handed over is what the giver may do at this moment: one who lost a role, a group or their place hands nothing over any more."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from approvals.models import Delegation
from console.clock import DatabaseNow
from console.identity.models import Member


def delegation_for(
    taker_id: UUID, giver_id: UUID, operation: str, groups: Collection[str], now: datetime
) -> Delegation | None:
    """Give the delegation by which the taker may now decide, in the giver's place, what these groups are asked about an operation.

    It is held against being revoked until the caller's transaction ends, so that a word and a revocation come one after the other."""
    found = _standing(now).filter(taker_id=taker_id, giver_id=giver_id).order_by("ends_at", "id")
    for delegation in found.select_for_update(of=["self"], no_key=True).select_related("giver", "taker"):
        if covers(delegation, operation, groups):
            return delegation
    return None


def givers_for(taker: Member, now: datetime | DatabaseNow) -> list[Delegation]:
    """Give what was handed to a member and holds now, each with its giver, nearest end first."""
    if not (taker.active and "approver" in taker.roles):
        return []
    found = _standing(now).filter(taker=taker, tenant_id=taker.tenant_id).select_related("giver__user")
    return [each for each in found.order_by("ends_at", "id") if lent(each)]


def handed_over(tenant_id: UUID) -> list[Delegation]:
    """Give everything that is handed over in a tenant at this moment, each with its giver, the earliest first."""
    found = _standing(DatabaseNow()).filter(tenant_id=tenant_id).select_related("giver__user")
    return list(found.order_by("starts_at", "id"))


def lent(delegation: Delegation) -> frozenset[str]:
    """Name the groups for which it lets the taker decide: of the giver's, as they are now."""
    own = frozenset(delegation.giver.groups)
    return own & frozenset(delegation.groups) if delegation.groups else own


def covers(delegation: Delegation, operation: str, groups: Collection[str]) -> bool:
    """Tell whether it is for this operation and for one of these groups."""
    return (not delegation.operations or operation in delegation.operations) and not lent(delegation).isdisjoint(groups)


def _standing(now: datetime | DatabaseNow) -> "QuerySet[Delegation]":
    """Give what holds: begun, neither ended nor revoked, and both are active approvers."""
    both = Q(giver__active=True, giver__roles__contains=["approver"]) & Q(
        taker__active=True, taker__roles__contains=["approver"]
    )
    return Delegation.objects.filter(both, revoked_at=None, starts_at__lte=now, ends_at__gt=now)
