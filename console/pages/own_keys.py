"""A member's own keys, for tools of recovery: the page where that person makes them, sees when they were used, and ends them."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.identity import own_keys as moves
from console.identity import queries
from console.identity.api_keys import LONGEST_DAYS
from console.identity.scopes import (
    APPROVALS_DECIDE,
    APPROVALS_READ,
    COMPENSATION_DECIDE,
    COMPENSATION_READ,
    RECOVERY,
    RECOVERY_READ,
    RECOVERY_WRITE,
)
from console.pages import address, proving, sent
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page

SHOWN = 50
DAYS = 30
MEANS = {
    RECOVERY_READ: "read what is unknown, with its evidence",
    RECOVERY_WRITE: "take it over, ask again, and record what you found",
    APPROVALS_READ: "read what you are asked to decide",
    APPROVALS_DECIDE: "decide it; where a policy asks for a proof that it is you, the tool has to bring one",
    COMPENSATION_READ: "read what is to be made good for, with its evidence",
    COMPENSATION_DECIDE: "ask for it, take it over, try it again, resolve or waive it, and approve plans",
}


@page("before", "receipt")
def own_keys(request: MemberRequest) -> HttpResponse:
    """Show the keys of whoever looks, the newest first."""
    context = _list(request) | {"receipt": sent.told(request)}
    if typed := proving.typed(request):
        fields = {name: values[-1] for name, values in typed.items() if values}
        context |= {"typed": fields, "typed_scopes": typed.get("scopes", [])}
        context["proven"] = proving.came_back(request.by, request.now)
    return part_or_page(request, "keys/list.html", {}, context)


def _issued(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Show the page with the new key, whose text is on this answer and on no other."""
    context = _list(request) | {"receipt": sent.said(became)}
    if isinstance(became, Refusal):
        context |= {"typed": request.POST, "typed_scopes": request.POST.getlist("scopes")}
    else:
        context |= {"key_text": became["text"], "shown_before": not became["text"]}
    return whole(request, "keys/list.html", context, sent.status(became))


@deed(shown=_issued, on="own_keys")
def issue_own_key(request: MemberRequest) -> Receipt:
    """Make a key for oneself."""
    form = request.POST
    receipt, text = moves.issue(
        request.by, form.get("name", ""), days=days(form.get("days", "")), scopes=form.getlist("scopes"), key=sent.key(request)
    )  # fmt: skip
    return {**receipt, "text": text}


def _revoked(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "own_keys")
    return whole(request, "keys/list.html", _list(request) | {"receipt": sent.said(became)}, became.status)


@deed(shown=_revoked, on="own_keys")
def revoke_own_key(request: MemberRequest) -> Receipt:
    """End one of one's own keys."""
    return moves.revoke(request.by, request.member.pk, named_key(request), key=sent.key(request))


def days(text: str) -> int:
    """Read for how many days a form asks; what is no such number is 0, which no key lasts."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(LONGEST_DAYS)) else 0


def named_key(request: MemberRequest) -> UUID:
    """Read which key a form names. Raises NotFound."""
    try:
        return UUID(request.POST.get("api_key", ""))
    except ValueError:
        raise NotFound from None


def _list(request: MemberRequest) -> dict[str, Any]:
    before = address.cursor(request, "before")
    keys = queries.keys(request.member, before, SHOWN + 1)
    last = keys[SHOWN - 1] if len(keys) > SHOWN else None
    return {
        "keys": keys[:SHOWN],
        "older": query(before=Cursor(last.created_at, last.pk)) if last else None,
        "newest": before is None,
        "scopes": MEANS.items(),
        "typed_scopes": RECOVERY,
        "days": DAYS,
        "longest_days": LONGEST_DAYS,
        "form_key": str(uuid7()),
    }
