"""Agents: who acts here besides people, who answers for each, with which keys, and the forms that stop them and start them again."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.identity import agents as moves
from console.identity import queries
from console.identity.api_keys import LONGEST_DAYS
from console.identity.scopes import AGENTS
from console.pages import address, sent
from console.pages.address import BadCursor, Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.own_keys import days, named_key
from console.pages.room import MemberRequest, Receipt, deed, page
from runs.administration_trail import LOOKED, trail

SHOWN = 50
OWNERS = 200
DAYS = 90


@page("after", "receipt")
def agents(request: MemberRequest) -> HttpResponse:
    """Show the agents by name."""
    return part_or_page(request, "agents/list.html", {}, _list(request) | {"receipt": sent.told(request)})


@page("before", "receipt")
def agent(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one agent with its keys."""
    return part_or_page(request, "agents/detail.html", {}, _one(request, subject) | {"receipt": sent.told(request)})


def _added(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "agent", became["agent"])
    context = _list(request) | {"receipt": sent.said(became), "typed": request.POST}
    return whole(request, "agents/list.html", context, became.status)


@deed(shown=_added, on="agents")
def add_agent(request: MemberRequest) -> Receipt:
    """Add an agent."""
    owner = _id(request.POST.get("owner", ""))
    return moves.register_agent(request.by, request.POST.get("name", ""), owner_id=owner, key=sent.key(request))


def _changed(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "agent", subject)
    return whole(request, "agents/detail.html", _one(request, subject) | {"receipt": sent.said(became)}, became.status)


def _switch(move: Callable[..., dict[str, Any]]) -> Callable[[MemberRequest, UUID], Receipt]:
    def switched(request: MemberRequest, subject: UUID) -> Receipt:
        reason = request.POST.get("reason", "").replace("\r\n", "\n")
        return move(request.by, subject, reason=reason, key=sent.key(request))

    return switched


stop_agent = deed(shown=_changed, on="agent")(_switch(moves.stop_agent))
start_agent = deed(shown=_changed, on="agent")(_switch(moves.start_agent))


def _issued(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Show the agent with its new key, whose text is on this answer and on no other."""
    context = _one(request, subject) | {"receipt": sent.said(became)}
    if not isinstance(became, Refusal):
        context |= {"key_text": became["text"], "shown_before": not became["text"]}
    return whole(request, "agents/detail.html", context, sent.status(became))


@deed(shown=_issued, on="agent")
def issue_key(request: MemberRequest, subject: UUID) -> Receipt:
    """Issue a key for an agent."""
    lasts, scopes = days(request.POST.get("days", "")), request.POST.getlist("scopes")
    receipt, text = moves.issue(request.by, subject, days=lasts, scopes=scopes, key=sent.key(request))
    return {**receipt, "text": text}


@deed(shown=_changed, on="agent")
def revoke_key(request: MemberRequest, subject: UUID) -> Receipt:
    """Revoke one of an agent's keys."""
    return moves.revoke(request.by, subject, named_key(request), key=sent.key(request))


def _list(request: MemberRequest) -> dict[str, Any]:
    after = address.word(request, "after")
    if after and not after.replace("-", "").replace("_", "").isalnum():
        raise BadCursor
    tenant_id = request.member.tenant_id
    found = queries.agents(tenant_id, after, SHOWN + 1)
    administers = "admin" in request.by.roles
    return {
        "agents": found[:SHOWN],
        "more": query(after=found[SHOWN - 1].name) if len(found) > SHOWN else None,
        "first": not after,
        "may_administer": administers,
        "owners": queries.owners(tenant_id, OWNERS) if administers else [],
        "form_key": str(uuid7()),
        "typed": {},
    }


def _one(request: MemberRequest, agent_id: UUID) -> dict[str, Any]:
    found = queries.agent(request.member.tenant_id, agent_id)
    if found is None:
        raise NotFound
    roles, owns = request.by.roles, found.owner_id == request.member.pk
    sees_keys = owns or bool(roles & {"admin", "auditor", "operator"})
    before = address.cursor(request, "before")
    keys = queries.keys(found, before, SHOWN + 1) if sees_keys else []
    last = keys[SHOWN - 1] if len(keys) > SHOWN else None
    steps = trail(request.member.tenant_id, {str(found.pk): found.name, **queries.key_names(found, LOOKED)})
    return {
        "agent": found,
        "trail": steps if sees_keys else [],
        "stopped": None if found.active else next((step for step in steps if step.kind == "agent.stopped"), None),
        "keys": keys[:SHOWN],
        "older": query(before=Cursor(last.created_at, last.pk)) if last else None,
        "newest": before is None,
        "sees_keys": sees_keys,
        "may_administer": "admin" in roles,
        "may_stop": owns or bool(roles & {"admin", "operator"}),
        "scopes": AGENTS,
        "days": DAYS,
        "longest_days": LONGEST_DAYS,
        "form_key": str(uuid7()),
    }


def _id(text: str) -> UUID:
    """Read an id of a form. Raises NotFound."""
    try:
        return UUID(text)
    except ValueError:
        raise NotFound from None
