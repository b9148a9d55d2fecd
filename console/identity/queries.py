"""What pages read of people, agents and keys: one query a list, pages by (database time, id) or by name."""

from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from console.clock import DatabaseNow
from console.identity.models import Agent, ApiKey, Member

Place: TypeAlias = tuple[datetime, UUID]


def members(tenant_id: UUID, after: Place | None, limit: int) -> list[Member]:
    """Give the people of a tenant in the order they were added."""
    found = _members(tenant_id)
    if after is not None:
        at, member_id = after
        found = found.filter(created_at__gte=at).exclude(created_at=at, id__lte=member_id)
    return list(found.order_by("created_at", "id")[:limit])


def member(tenant_id: UUID, member_id: UUID) -> Member | None:
    """Give one member."""
    return _members(tenant_id).filter(pk=member_id).first()


def owners(tenant_id: UUID, limit: int) -> list[Member]:
    """Give the active members by name, for whom an agent may be answered by."""
    return list(_members(tenant_id).filter(active=True).order_by("user__name", "id")[:limit])


def agents(tenant_id: UUID, after: str, limit: int) -> list[Agent]:
    """Give the agents of a tenant by name, each with how many of its keys let it in now (`live_keys`)."""
    return list(_agents(tenant_id).filter(name__gt=after).order_by("name")[:limit])


def agent(tenant_id: UUID, agent_id: UUID) -> Agent | None:
    """Give one agent, with how many of its keys let it in now."""
    return _agents(tenant_id).filter(pk=agent_id).first()


def agents_of(member: Member, limit: int) -> list[Agent]:
    """Give the agents that a member answers for, by name."""
    return list(Agent.objects.filter(tenant_id=member.tenant_id, owner=member).order_by("name")[:limit])


def keys(holder: Agent | Member, before: Place | None, limit: int) -> list[ApiKey]:
    """Give the keys of an agent or a member, the newest first."""
    found = _keys(holder)
    if before is not None:
        at, key_id = before
        found = found.filter(created_at__lte=at).exclude(created_at=at, id__gte=key_id)
    return list(found.order_by("-created_at", "-id")[:limit])


def key_names(holder: Agent | Member, limit: int) -> dict[str, str]:
    """Give how the newest keys of an agent or a member begin, by id."""
    found = _keys(holder).order_by("-created_at", "-id")
    return {str(key_id): prefix for key_id, prefix in found.values_list("pk", "prefix")[:limit]}


def _keys(holder: Agent | Member) -> "QuerySet[ApiKey]":
    mine = {"agent": holder} if isinstance(holder, Agent) else {"member": holder}
    return ApiKey.objects.filter(tenant_id=holder.tenant_id, **mine)


def _members(tenant_id: UUID) -> "QuerySet[Member]":
    return Member.objects.filter(tenant_id=tenant_id).select_related("user")


def _agents(tenant_id: UUID) -> "QuerySet[Agent]":
    alive = Q(keys__revoked_at=None, keys__expires_at__gt=DatabaseNow())
    found = Agent.objects.filter(tenant_id=tenant_id).select_related("owner__user")
    return found.annotate(live_keys=Count("keys", filter=alive))
