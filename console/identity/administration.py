"""Tenants, people, agents and keys: each change is a move on the tenant's own stream."""

from datetime import timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.database import transaction
from console.exact import Object
from console.http.refusals import NotFound
from console.identity import api_keys
from console.identity.models import Agent, ApiKey, Member, Tenant, User
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move

ROLES = ("approver", "operator", "admin")
SCOPES = ("runs:read", "runs:write")


def hold(tenant_id: UUID) -> Tenant:
    """Lock the tenant whose administration changes. Raises NotFound."""
    tenant = Tenant.objects.select_for_update(no_key=True).filter(pk=tenant_id).first()
    if tenant is None:
        raise NotFound
    return tenant


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
    tenant, now = hold(by.tenant), clock.now()
    member = Member(id=uuid7(), tenant=tenant, user=user, roles=roles, groups=groups, active=True, created_at=now)
    member.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("member.added", told(member, Member.recorded))], by, now)
    return member


@move("change member")
def change_member(by: Actor, member_id: UUID, *, roles: list[str], groups: list[str], active: bool) -> Member:
    """Say anew what a member may do; votes of one who lost the role do not count at use."""
    tenant, now = hold(by.tenant), clock.now()
    member = Member.objects.select_for_update(no_key=True).filter(pk=member_id, tenant=tenant).first()
    if member is None:
        raise NotFound
    member.roles, member.groups, member.active = roles, groups, active
    member.save(update_fields=["roles", "groups", "active"])
    chains.append(tenant, tenant.pk, [("member.changed", told(member, Member.recorded))], by, now)
    return member


@move("add agent")
def add_agent(by: Actor, name: str, owner: Member) -> Agent:
    """Add an agent that a member answers for."""
    tenant, now = hold(by.tenant), clock.now()
    agent = Agent(id=uuid7(), tenant=tenant, name=name, owner=owner, active=True, created_at=now)
    agent.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("agent.added", told(agent, Agent.recorded))], by, now)
    return agent


@move("issue key")
def issue_key(by: Actor, agent: Agent, *, lasts: timedelta, scopes: list[str]) -> tuple[ApiKey, str]:
    """Issue a key for an agent; its text is given here and never again."""
    tenant, now = hold(by.tenant), clock.now()
    key, text = api_keys.mint(agent, now + lasts, scopes)
    key.created_at = now
    key.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("key.issued", told(key, ApiKey.recorded))], by, now)
    return key, text


@move("revoke key")
def revoke_key(by: Actor, key_id: UUID) -> ApiKey:
    """Revoke a key at once."""
    tenant, now = hold(by.tenant), clock.now()
    key = ApiKey.objects.select_for_update(no_key=True).filter(pk=key_id, tenant=tenant).first()
    if key is None:
        raise NotFound
    if key.revoked_at is None:
        key.revoked_at = now
        key.save(update_fields=["revoked_at"])
        chains.append(
            tenant, tenant.pk, [("key.revoked", {"id": str(key.pk), "revoked_at": clock.instant(now)})], by, now
        )
    return key


def told(row: Member | Agent | ApiKey, columns: tuple[str, ...]) -> Object:
    """Tell a row's recorded columns as the facts of its making."""
    return {"id": str(row.pk), **{column: plain(getattr(row, column)) for column in columns}}
