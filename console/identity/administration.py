"""Opening a tenant, and what commands do in it: the same changes as the pages', without a form's key."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.database import transaction
from console.http.refusals import NotFound
from console.identity import agents, api_keys, people
from console.identity.models import Agent, ApiKey, Member, Tenant, User
from console.identity.office import check_administers, hold
from console.identity.people import ROLES
from console.identity.scopes import AGENTS as SCOPES
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.moves import move

__all__ = [
    "ROLES", "SCOPES", "add_agent", "add_member", "change_member", "hold", "issue_key", "open_tenant", "revoke_key",
]  # fmt: skip


def open_tenant(by: Actor, slug: str, name: str) -> Tenant:
    """Open a tenant; the one change that belongs to no tenant yet."""
    with transaction(None):
        tenant = Tenant(id=uuid7(), slug=slug, name=name, ledger_seq=0, ledger_hash=b"", created_at=clock.now())
        tenant.save(force_insert=True)
    with transaction(tenant.pk):
        held = hold(tenant.pk)
        chains.append(held, held.pk, [("tenant.opened", {"slug": slug, "name": name})], by, clock.now())
    return held


@move("add member")
def add_member(by: Actor, user: User, roles: list[str], groups: list[str]) -> Member:
    """Make a user a member of the actor's tenant."""
    return people.added(by, _held(by), user, roles, groups)


@move("change member")
def change_member(by: Actor, member_id: UUID, *, roles: list[str], groups: list[str], active: bool) -> Member:
    """Say anew what a member may do; votes of one who lost the role do not count at use."""
    terms: dict[str, Any] = {"roles": roles, "groups": groups, "active": active}
    return people.changed(by, _held(by), member_id, terms)


@move("add agent")
def add_agent(by: Actor, name: str, owner: Member) -> Agent:
    """Add an agent that a member answers for."""
    return agents.added(by, _held(by), name, owner)


@move("issue key")
def issue_key(by: Actor, agent: Agent, *, lasts: timedelta, scopes: list[str]) -> tuple[ApiKey, str]:
    """Issue a key for an agent; its text is given here and never again."""
    return api_keys.minted(by, _held(by), agent, lasts, scopes)


@move("issue member's key")
def issue_members_key(
    by: Actor, member: Member, name: str, *, lasts: timedelta, scopes: list[str]
) -> tuple[ApiKey, str]:
    """Issue a key for a member; its text is given here and never again. Raises NotItsScope."""
    return api_keys.minted(by, _held(by), member, lasts, scopes, name)


@move("revoke key")
def revoke_key(by: Actor, key_id: UUID) -> ApiKey:
    """Revoke a key of whoever's at once. Raises NotFound, NotAdministrator."""
    tenant = _held(by)
    found = ApiKey.objects.select_for_update(no_key=True).filter(pk=key_id, tenant=tenant).first()
    if found is None:
        raise NotFound
    return api_keys.revoked(by, tenant, found)


def _held(by: Actor) -> Tenant:
    """Lock the actor's tenant, for somebody who administers it. Raises NotFound, NotAdministrator."""
    tenant = hold(by.tenant)
    check_administers(by)
    return tenant
