"""Who may speak of a standing approval: approvers whom the policy asks, never whoever answers for an agent that it serves."""

from collections.abc import Iterable
from datetime import datetime

from approvals.deciding.refusals import NotEligible, SeparationOfDuties
from approvals.granting.rules import StandIn
from approvals.granting.words import ROLE, Word
from approvals.models import Grant
from console.http.refusals import Forbidden
from console.identity.models import Agent, Member
from console.ledger.actors import Actor


class NotToRevoke(Forbidden):
    """Whoever proposed a standing approval, approvers of its groups and administrators end it."""

    code = "not_to_revoke"


def approver(by: Actor) -> Member:
    """Give whoever speaks, if they approve anything at all. Raises NotEligible."""
    found = speaker(by)
    if found is None or "approver" not in found.roles or not found.groups:
        raise NotEligible
    return found


def speaker(by: Actor) -> Member | None:
    """Give the active member that an actor is, if it is one."""
    if by.kind != "member":
        return None
    return Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).first()


def check_serves_another(grant: Grant, member: Member) -> None:
    """Refuse whoever answers for an agent that the grant serves, which is any active one where it names none. Raises SeparationOfDuties."""
    owned = Agent.objects.filter(tenant_id=grant.tenant_id, owner=member)
    mine = owned.filter(pk=grant.agent_id) if grant.agent_id else owned.filter(active=True)
    if mine.exists():
        raise SeparationOfDuties("Whoever answers for an agent that it would serve says nothing to this.")


def word(by: Actor, member: Member, found: Iterable[StandIn], now: datetime) -> Word:
    """Give a member's word, with the groups and roles that the rules ask for."""
    groups = {group for each in found for group in each.ask.groups}
    roles = {"approver", *(role for each in found for panel in each.ask.panels for role in panel.roles)}
    said_as = {*groups.intersection(member.groups), *(ROLE + role for role in roles.intersection(member.roles))}
    return Word(member.pk, frozenset(said_as), now, by.stepped_up_at)


def may_revoke(member: Member, grant: Grant) -> bool:
    """Tell whether a member may end a grant."""
    asked = "approver" in member.roles and bool(set(member.groups) & set(grant.groups))
    return asked or "admin" in member.roles or member.pk == grant.owner_id
