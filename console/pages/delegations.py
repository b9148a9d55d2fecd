"""Delegations: what somebody let others decide, what they may decide for others, and the form that lets another decide."""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from approvals.delegating import giving, queries
from approvals.delegating.giving import BadDelegation, NotATaker, Terms
from console.http.refusals import NotFound, Refusal
from console.pages import address, sent
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page

SHOWN = 50
FIELDS = ("taker", "operations", "starts_at", "ends_at", "reason")


@page("before", "receipt")
def delegations(request: MemberRequest) -> HttpResponse:
    """Show one's own, given and taken; to administrators and auditors everybody's."""
    return part_or_page(request, "delegations/list.html", {}, _list(request) | {"receipt": sent.told(request)})


def _became(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "delegations")
    typed = {name: request.POST.get(name, "") for name in FIELDS}
    context = _list(request) | {
        "receipt": sent.said(became),
        "typed": typed,
        "typed_groups": request.POST.getlist("groups"),
    }
    return whole(request, "delegations/list.html", context, became.status)


@deed(shown=_became, on="delegations")
def delegate(request: MemberRequest) -> Receipt:
    """Let another decide in one's place."""
    form = request.POST
    ends_at = _moment(form.get("ends_at", ""))
    if ends_at is None:
        raise BadDelegation(path="/ends_at")
    operations = tuple(name for name in re.split(r"[,\s]+", form.get("operations", "")) if name)
    reason = form.get("reason", "").replace("\r\n", "\n")
    terms = Terms(operations, tuple(form.getlist("groups")), _moment(form.get("starts_at", "")), ends_at, reason)
    return giving.give(request.by, _id(form.get("taker", ""), NotATaker(path="/taker")), terms, key=sent.key(request))


@deed(shown=_became, on="delegations")
def revoke_delegation(request: MemberRequest) -> Receipt:
    """Take one back."""
    return giving.revoke(request.by, _id(request.POST.get("delegation", ""), NotFound()), key=sent.key(request))


def _list(request: MemberRequest) -> dict[str, Any]:
    member, everybody = request.member, request.nav.sees_people
    before = address.cursor(request, "before") if request.method in {"GET", "HEAD"} else None
    found = queries.delegations(member, before, SHOWN + 1, everybody=everybody)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    gives = "approver" in member.roles and bool(member.groups)
    return {
        "delegations": [
            {"one": each, "stands": queries.stands(each, request.now), "may_end": each.giver_id == member.pk or "admin" in member.roles}
            for each in found[:SHOWN]
        ],
        "older": query(before=Cursor(last.created_at, last.pk)) if last else None,
        "newest": before is None,
        "everybody": everybody,
        "gives": gives,
        "takers": queries.takers(member) if gives else [],
        "groups": member.groups,
        "longest_days": giving.LONGEST_DAYS,
        "form_key": str(uuid7()),
        "typed": {},
    }  # fmt: skip


def _moment(text: str) -> datetime | None:
    """Read a field for a time, in UTC; None where nothing, or nothing such, stands in it."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC) if text.strip() else None
    except ValueError:
        raise BadDelegation(path="/starts_at") from None


def _id(text: str, otherwise: Refusal) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise otherwise from None
