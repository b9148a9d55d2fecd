"""People: who belongs to this tenant, what each may do, and the forms by which an administrator changes that."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from console.http.refusals import Forbidden, NotFound, Refusal
from console.identity import own_keys, queries
from console.identity import people as moves
from console.identity.models import Member
from console.identity.people import ROLES
from console.pages import address, sent
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.own_keys import named_key
from console.pages.room import MemberRequest, Receipt, deed, page
from runs.administration_trail import LOOKED, trail

SHOWN = 50
MEANING = {
    "approver": "decides what its groups are asked",
    "operator": "takes unknown effects and stuck runs, and may stop an agent",
    "admin": "changes people, agents and keys",
    "auditor": "sees everything and changes nothing",
}


class NotForYou(Forbidden):
    """Who belongs to this tenant is shown to its administrators and auditors."""

    code = "not_for_you"
    recorded = False


@page("after", "receipt")
def people(request: MemberRequest) -> HttpResponse:
    """Show the members in the order they were added."""
    return part_or_page(request, "people/list.html", {}, _list(request) | {"receipt": sent.told(request)})


@page("before", "receipt")
def person(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one member."""
    return part_or_page(request, "people/detail.html", {}, _one(request, subject) | {"receipt": sent.told(request)})


def _admitted(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Show the list with what became of it; a first password is on this answer and on no other."""
    context = _list(request) | {"receipt": sent.said(became)}
    if isinstance(became, Refusal):
        context |= {"typed": request.POST, "typed_roles": request.POST.getlist("roles")}
        return whole(request, "people/list.html", context, became.status)
    password = became.get("password")
    context |= {
        "new_person": queries.member(request.member.tenant_id, UUID(str(became["member"]))),
        "password": password,
    }
    return whole(request, "people/list.html", context | {"shown_before": became["new_account"] and not password})


@deed(shown=_admitted, on="people")
def admit_person(request: MemberRequest) -> Receipt:
    """Add a person."""
    form = request.POST
    receipt, password = moves.admit(
        request.by, form.get("address", ""), name=form.get("name", ""), roles=form.getlist("roles"),
        groups=_groups(form.get("groups", "")), key=sent.key(request),
    )  # fmt: skip
    return {**receipt, "password": password}


def _changed(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "person", subject)
    context = _one(request, subject) | {"receipt": sent.said(became)}
    return whole(request, "people/detail.html", context, became.status)


@deed(shown=_changed, on="person")
def change_person(request: MemberRequest, subject: UUID) -> Receipt:
    """Say anew what a person may do."""
    form = request.POST
    roles, groups = form.getlist("roles"), _groups(form.get("groups", ""))
    return moves.change(request.by, subject, roles=roles, groups=groups, key=sent.key(request))


def _switch(move: Callable[..., dict[str, Any]]) -> Callable[[MemberRequest, UUID], Receipt]:
    def switched(request: MemberRequest, subject: UUID) -> Receipt:
        return move(request.by, subject, key=sent.key(request))

    return switched


stop_person = deed(shown=_changed, on="person")(_switch(moves.stop))
start_person = deed(shown=_changed, on="person")(_switch(moves.start))


@deed(shown=_changed, on="person")
def revoke_persons_key(request: MemberRequest, subject: UUID) -> Receipt:
    """End one of a person's keys."""
    return own_keys.revoke(request.by, subject, named_key(request), key=sent.key(request))


def _list(request: MemberRequest) -> dict[str, Any]:
    _check_sees(request)
    after = address.cursor(request)
    found = queries.members(request.member.tenant_id, after, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    return {
        "people": found[:SHOWN],
        "more": query(after=Cursor(last.created_at, last.pk)) if last else None,
        "first": after is None,
        "typed": {},
        **_form(request),
    }


def _one(request: MemberRequest, member_id: UUID) -> dict[str, Any]:
    _check_sees(request)
    found = queries.member(request.member.tenant_id, member_id)
    if found is None:
        raise NotFound
    before = address.cursor(request, "before")
    keys = queries.keys(found, before, SHOWN + 1)
    last = keys[SHOWN - 1] if len(keys) > SHOWN else None
    return {
        "person": found,
        "keys": keys[:SHOWN],
        "older": query(before=Cursor(last.created_at, last.pk)) if last else None,
        "newest": before is None,
        "agents": queries.agents_of(found, SHOWN),
        "counts": _counts(found),
        "trail": trail(request.member.tenant_id, {str(found.pk): "", **queries.key_names(found, LOOKED)}),
        **_form(request),
    }


def _counts(member: Member) -> bool:
    """Tell whether the member's word counts at all."""
    return bool(member.active and "approver" in member.roles and member.groups)


def _form(request: MemberRequest) -> dict[str, Any]:
    return {
        "may_administer": "admin" in request.by.roles,
        "roles": [{"name": role, "meaning": MEANING[role]} for role in ROLES],
        "form_key": str(uuid7()),
    }


def _check_sees(request: MemberRequest) -> None:
    if not request.nav.sees_people:
        raise NotForYou


def _groups(text: str) -> list[str]:
    return [group for group in re.split(r"[,\s]+", text) if group]
