"""Agents of a tenant and their keys: added, stopped and started again; a key is shown once and kept as a digest."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.identity import api_keys
from console.identity.models import Agent, ApiKey, Member, Tenant
from console.identity.office import check_administers, check_answers, hold, told
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.moves import move, once

NAME = re.compile(r"[a-z][a-z0-9_-]{0,62}")
LONGEST_REASON = 2000


class BadAgent(InvalidContent):
    """An agent's name is small letters, digits, - and _, begins with a letter, and has at most 63 characters."""

    code = "bad_agent"


class NameTaken(Refusal):
    """Another agent of this tenant has that name."""

    code = "name_taken"


class NoOwner(InvalidContent):
    """An agent needs an owner: an active member of this tenant, who answers for it."""

    code = "no_owner"


class AgentStopped(Refusal):
    """This agent is stopped; start it again before it gets a key."""

    code = "agent_stopped"


class ReasonTooLong(InvalidContent):
    """A reason has at most 2,000 characters."""

    code = "reason_too_long"


@move("register agent")
def register_agent(by: Actor, name: str, *, owner_id: UUID, key: str) -> dict[str, Any]:
    """Add an agent that a member answers for. Raises NotAdministrator, BadAgent, NoOwner, NameTaken."""
    if not NAME.fullmatch(name):
        raise BadAgent

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        owner = Member.objects.filter(pk=owner_id, tenant=tenant, active=True).first()
        if owner is None:
            raise NoOwner
        if Agent.objects.filter(tenant=tenant, name=name).exists():
            raise NameTaken
        agent = added(by, tenant, name, owner)
        return {"receipt": "added", "agent": str(agent.pk), "at": instant(agent.created_at)}

    return once(by, key, "register agent", {"name": name, "owner": str(owner_id)}, act)


@move("stop agent")
def stop_agent(by: Actor, agent_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Begin nothing more for an agent and let its keys in no more; what is in flight may settle, what it was allowed lapses in its time.

    Raises NotAnswerable, NotFound, ReasonTooLong."""
    return _switch(by, agent_id, active=False, reason=reason, key=key)


@move("start agent")
def start_agent(by: Actor, agent_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Let an agent go on; what is still allowed is begun. Raises NotAdministrator, NotFound, ReasonTooLong."""
    return _switch(by, agent_id, active=True, reason=reason, key=key)


@move("issue key")
def issue(by: Actor, agent_id: UUID, *, days: int, scopes: list[str], key: str) -> tuple[dict[str, Any], str]:
    """Issue a key; its text is given here and never again: sent a second time, the receipt comes without it.

    Raises NotAdministrator, NotFound, BadTerms, NotItsScope, AgentStopped."""
    scopes = api_keys.checked("agent", days, scopes)
    given: list[str] = []

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        agent = _agent(tenant, agent_id)
        if not agent.active:
            raise AgentStopped
        issued, text = api_keys.minted(by, tenant, agent, timedelta(days=days), scopes)
        given.append(text)
        return {
            "receipt": "issued",
            "agent": str(agent_id),
            "api_key": str(issued.pk),
            "at": instant(issued.created_at),
        }

    asked = {"agent": str(agent_id), "days": days, "scopes": scopes}
    return once(by, key, "issue key", asked, act), "".join(given)


@move("revoke key")
def revoke(by: Actor, agent_id: UUID, api_key_id: UUID, *, key: str) -> dict[str, Any]:
    """Revoke one of an agent's keys at once. Raises NotAnswerable, NotFound."""

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        keys = ApiKey.objects.select_for_update(no_key=True, of=("self",)).select_related("agent")
        found = keys.filter(pk=api_key_id, tenant=tenant, agent_id=agent_id).first()
        if found is None or found.agent is None:
            raise NotFound
        check_answers(by, found.agent)
        receipt = {"agent": str(agent_id), "api_key": str(api_key_id), "at": instant(clock.now())}
        if found.revoked_at is not None:
            return {"receipt": "unchanged", **receipt}
        api_keys.revoked(by, tenant, found)
        return {"receipt": "revoked", **receipt}

    return once(by, key, "revoke key", {"api_key": str(api_key_id)}, act)


def added(by: Actor, tenant: Tenant, name: str, owner: Member) -> Agent:
    """Write a new agent into the tenant that is held."""
    now = clock.now()
    agent = Agent(id=uuid7(), tenant=tenant, name=name, owner=owner, active=True, created_at=now)
    agent.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("agent.added", told(agent, Agent.recorded))], by, now)
    return agent


def _switch(by: Actor, agent_id: UUID, *, active: bool, reason: str, key: str) -> dict[str, Any]:
    reason = reason.strip()
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong
    verb, became = ("start agent", "started") if active else ("stop agent", "stopped")

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        agent = _agent(tenant, agent_id)
        if active:
            check_administers(by)
        else:
            check_answers(by, agent)
        now = clock.now()
        receipt = {"agent": str(agent_id), "at": instant(now)}
        if agent.active == active:
            return {"receipt": "unchanged", **receipt}
        agent.active = active
        agent.save(update_fields=["active"])
        facts = {"id": str(agent.pk), "active": active, "reason": reason}
        chains.append(tenant, tenant.pk, [(f"agent.{became}", facts)], by, now)
        ring_after_commit(tenant.pk)
        return {"receipt": became, **receipt}

    return once(by, key, verb, {"agent": str(agent_id), "reason": reason}, act)


def _agent(tenant: Tenant, agent_id: UUID) -> Agent:
    found = Agent.objects.select_for_update(no_key=True).filter(pk=agent_id, tenant=tenant).first()
    if found is None:
        raise NotFound
    return found
