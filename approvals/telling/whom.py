"""Whom a request is told to, and why: approvers of the groups asked and whoever decides in their place; never the agent's owner."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import F, Q

from approvals.models import Delegation, Request
from console.clock import DatabaseNow
from console.identity.models import Member
from console.notices.audience import Audience


def asked(tenant_id: UUID, requests: Sequence[Request], groups: Collection[str] | None = None) -> dict[UUID, Audience]:
    """Give for each request whom it asks now, each with why; only those of `groups` where these are named.

    Where that is nobody, the administrators are told, for a notice that reaches nobody is lost. In two queries, however many requests."""
    active = Member.objects.filter(tenant_id=tenant_id, active=True).select_related("user").order_by("pk")
    members = {each.pk: each for each in active.filter(Q(roles__contains=["approver"]) | Q(roles__contains=["admin"]))}
    handed = _handed(tenant_id)
    return {request.pk: _audience(members, handed, request, groups) for request in requests}


def _audience(
    members: dict[UUID, Member], handed: list[Delegation], request: Request, only: Collection[str] | None
) -> Audience:
    groups = set(request.groups if only is None else only)
    approvers = [each for each in members.values() if "approver" in each.roles and groups & set(each.groups)]
    why = {
        each.pk: f"You were told because you approve for {_spoken(groups & set(each.groups))}." for each in approvers
    }
    for delegation in handed:
        if delegation.giver_id in why and _covers(delegation, request, groups & set(delegation.giver.groups)):
            said = f"You were told because {delegation.giver.user.name} handed their decisions to you."
            why.setdefault(delegation.taker_id, said)
            if delegation.taker_id not in members:
                members[delegation.taker_id] = delegation.taker
    why.pop(request.owner_id, None)
    if why:
        return Audience([members[each] for each in sorted(why)], f"approvers of {_spoken(groups)}", why)
    admins = [each for each in members.values() if "admin" in each.roles]
    said = f"You were told because you administer, and nobody can approve for {_spoken(groups)}."
    return Audience(
        admins, f"administrators, for nobody approves for {_spoken(groups)}", {each.pk: said for each in admins}
    )


def _handed(tenant_id: UUID) -> list[Delegation]:
    """Give the delegations in force, whose takers are active."""
    found = Delegation.objects.filter(
        tenant_id=tenant_id,
        revoked_at=None,
        starts_at__lte=DatabaseNow(),
        ends_at__gt=DatabaseNow(),
        taker__active=True,
    ).exclude(taker=F("giver"))
    return list(found.select_related("giver__user", "taker__user").order_by("starts_at", "pk"))


def _covers(delegation: Delegation, request: Request, groups: set[str]) -> bool:
    if delegation.operations and request.operation not in delegation.operations:
        return False
    return not delegation.groups or bool(groups & set(delegation.groups))


def _spoken(groups: Collection[str]) -> str:
    *most, last = sorted(groups) or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last
