"""What pages and the API read of standing approvals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from approvals.granting.covering import amount_of, fits
from approvals.granting.ending import OPEN
from approvals.models import Grant, GrantUse, Request
from approvals.states import ACTIVE, GRANT_ENDED, PROPOSED_GRANT
from console.exact import decode

MOST = 200
LOOKED_AT = 2000  # of the requests that ended last
Place = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class Tried:
    """What a grant would have stood in for: how many of the last requests of its operation, and the sum of their amounts."""

    covered: int
    of: int
    amount: Decimal | None


def in_force(tenant_id: UUID) -> list[Grant]:
    """Give the grants that stand or wait to be confirmed, those that wait first, then by their end; at most 200."""
    found = _with_people(Grant.objects.filter(tenant_id=tenant_id, state__in=sorted(OPEN))).order_by("ends_at", "id")
    return sorted(found[:MOST], key=lambda grant: grant.state == ACTIVE)


def ended(tenant_id: UUID, before: Place | None, limit: int) -> list[Grant]:
    """Give the grants that have ended, the latest made first."""
    found = Grant.objects.filter(tenant_id=tenant_id, state__in=sorted(GRANT_ENDED))
    return list(_with_people(_before(found, "created_at", before)).order_by("-created_at", "-id")[:limit])


def listed(tenant_id: UUID, states: Sequence[str], before: Place | None, limit: int) -> list[Grant]:
    """Give grants in these states, the latest made first."""
    found = Grant.objects.filter(tenant_id=tenant_id, state__in=states)
    return list(_with_people(_before(found, "created_at", before)).order_by("-created_at", "-id")[:limit])


def serving(tenant_id: UUID, agent_id: UUID, before: Place | None, limit: int) -> list[Grant]:
    """Give the grants in force that may serve an agent, the latest made first."""
    found = Grant.objects.filter(tenant_id=tenant_id, state=ACTIVE).filter(Q(agent=agent_id) | Q(agent=None))
    return list(_with_people(_before(found, "created_at", before)).order_by("-created_at", "-id")[:limit])


def one(tenant_id: UUID, grant_id: UUID) -> Grant | None:
    """Give one grant, in whatever state it is."""
    return _with_people(Grant.objects.filter(tenant_id=tenant_id, pk=grant_id)).first()


def uses(grant: Grant, before: Place | None, limit: int) -> list[GrantUse]:
    """Give the uses of a grant, the latest first."""
    found = _before(GrantUse.objects.filter(grant=grant), "reserved_at", before)
    return list(found.order_by("-reserved_at", "-id")[:limit])


def count_proposed(tenant_id: UUID, groups: Sequence[str], but: UUID, most: int) -> int:
    """Count the grants that wait for somebody of these groups to confirm them, up to `most`."""
    found = Grant.objects.filter(tenant_id=tenant_id, state=PROPOSED_GRANT, groups__overlap=list(groups))
    return found.exclude(owner=but)[:most].count()


def tried(grant: Grant) -> Tried:
    """Try a grant on the requests of its operation that ended last: what it names, not what it has left."""
    lately = Request.objects.filter(tenant_id=grant.tenant_id, erased_at=None).exclude(state="pending")
    rows = lately.order_by("-decided_at", "-id").values_list(
        "operation", "agent_id", "owner_id", "shown", "target", "arguments"
    )
    mine = [row for row in rows[:LOOKED_AT] if row[0] == grant.operation]
    amounts: list[Decimal] = []
    for operation, agent_id, owner_id, shown, target, text in mine:
        told, arguments = decode(shown, 128), decode(text, 128)
        if not isinstance(told, dict) or not isinstance(arguments, dict) or owner_id == grant.owner_id:
            continue
        if fits(grant, operation, agent_id, str(told.get("run_type", "")), target, arguments):
            amounts.append(amount_of(grant, arguments) or Decimal(0))
    return Tried(len(amounts), len(mine), sum(amounts, Decimal(0)) if grant.amount_path else None)


def _with_people(found: "QuerySet[Grant]") -> "QuerySet[Grant]":
    return found.select_related("agent", "owner__user", "confirmed_by__user", "ended_by__user")


def _before(found: "QuerySet[Any]", column: str, place: Place | None) -> "QuerySet[Any]":
    if place is None:
        return found
    at, row_id = place
    return found.filter(**{f"{column}__lte": at}).exclude(**{column: at, "id__gte": row_id})
