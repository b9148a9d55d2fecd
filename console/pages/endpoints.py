"""Where notices go beside these pages: a tenant's endpoints, what was sent to each, and what did not arrive by any way."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.notices import endpoints as moves
from console.notices import queries
from console.notices.fate import MOST_ATTEMPTS
from console.notices.kinds import KINDS, TITLES
from console.pages import address, sent
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.people import NotForYou
from console.pages.room import MemberRequest, Receipt, deed, page
from runs.administration_trail import trail

SHOWN = 50
DEAD_SHOWN = 20
OUTCOMES = {
    "delivered": "taken", "refused": "refused", "redirected": "wanted to lead elsewhere, and is not followed",
    "timeout": "no answer in time",
    "unreachable": "not reached", "blocked": "blocked: not an address that webhooks may go to",
    "unreadable": "not sent: the secret cannot be opened", "stopped": "not sent: the receiver is stopped",
    "used_up": "given up: no attempt was seen to end",
    "": "not tried yet",
}  # fmt: skip


@page("before", "receipt")
def endpoints(request: MemberRequest) -> HttpResponse:
    """Show the endpoints, and what was given up."""
    context = _list(request) | {"receipt": sent.told(request)}
    return part_or_page(request, "notices/endpoints.html", {}, context)


@page("before", "receipt")
def endpoint(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one endpoint with what was sent to it."""
    return part_or_page(request, "notices/endpoint.html", {}, _one(request, subject) | {"receipt": sent.told(request)})


def _added(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Show the new endpoint with its secret, which is on this answer and on no other."""
    if isinstance(became, Refusal):
        context = _list(request) | {"receipt": sent.said(became), "typed": request.POST}
        return whole(
            request, "notices/endpoints.html", context | {"typed_kinds": request.POST.getlist("kinds")}, became.status
        )
    return _with_secret(request, UUID(str(became["endpoint"])), became)


def _renewed(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    return _changed(request, subject, became) if isinstance(became, Refusal) else _with_secret(request, subject, became)


def _with_secret(request: MemberRequest, subject: UUID, became: Receipt) -> HttpResponse:
    secret = became["secret"]
    context = _one(request, subject) | {"receipt": sent.said(became), "secret": secret, "shown_before": not secret}
    return whole(request, "notices/endpoint.html", context)


def _changed(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "endpoint", subject)
    return whole(
        request, "notices/endpoint.html", _one(request, subject) | {"receipt": sent.said(became)}, became.status
    )


def _sent_again(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "endpoints")
    return whole(request, "notices/endpoints.html", _list(request) | {"receipt": sent.said(became)}, became.status)


@deed(shown=_added, on="endpoints")
def add_endpoint(request: MemberRequest) -> Receipt:
    """Add an endpoint."""
    form = request.POST
    receipt, secret = moves.add(request.by, form.get("url", ""), kinds=form.getlist("kinds"), key=sent.key(request))
    return {**receipt, "secret": secret}


@deed(shown=_renewed, on="endpoint")
def renew_endpoint(request: MemberRequest, subject: UUID) -> Receipt:
    """Give an endpoint a new secret."""
    receipt, secret = moves.renew(request.by, subject, key=sent.key(request))
    return {**receipt, "secret": secret}


@deed(shown=_changed, on="endpoint")
def change_endpoint(request: MemberRequest, subject: UUID) -> Receipt:
    """Say anew which kinds it takes."""
    return moves.change(request.by, subject, kinds=request.POST.getlist("kinds"), key=sent.key(request))


def _switch(move: Callable[..., dict[str, Any]]) -> Callable[[MemberRequest, UUID], Receipt]:
    def switched(request: MemberRequest, subject: UUID) -> Receipt:
        return move(request.by, subject, key=sent.key(request))

    return switched


stop_endpoint = deed(shown=_changed, on="endpoint")(_switch(moves.stop))
start_endpoint = deed(shown=_changed, on="endpoint")(_switch(moves.start))
try_endpoint = deed(shown=_changed, on="endpoint")(_switch(moves.try_out))


@deed(shown=_sent_again, on="endpoints")
def send_again(request: MemberRequest) -> Receipt:
    """Send again what was given up."""
    try:
        delivery_id = UUID(request.POST.get("delivery", ""))
    except ValueError:
        raise NotFound from None
    return moves.send_again(request.by, delivery_id, key=sent.key(request))


def _list(request: MemberRequest) -> dict[str, Any]:
    _check_sees(request)
    tenant_id = request.member.tenant_id
    before = address.cursor(request, "before")
    dead = queries.dead(tenant_id, before, DEAD_SHOWN + 1)
    last = dead[DEAD_SHOWN - 1] if len(dead) > DEAD_SHOWN else None
    return {
        "endpoints": [{"endpoint": each, "kinds": kinds_in_words(each.kinds)} for each in queries.endpoints(tenant_id)],
        "dead": [_line(each) for each in dead[:DEAD_SHOWN]],
        "older": query(before=Cursor(last.ended_at, last.pk)) if last and last.ended_at else None,
        "newest": before is None,
        "most_attempts": MOST_ATTEMPTS,
        "mail_is_sent": settings.EMAIL_IS_SENT,
        "typed": {},
        "typed_kinds": [],
        **_form(request),
    }


def _one(request: MemberRequest, endpoint_id: UUID) -> dict[str, Any]:
    _check_sees(request)
    found = queries.endpoint(request.member.tenant_id, endpoint_id)
    if found is None:
        raise NotFound
    before = address.cursor(request, "before")
    sent_to = queries.deliveries(found, before, SHOWN + 1)
    last = sent_to[SHOWN - 1] if len(sent_to) > SHOWN else None
    return {
        "endpoint": found,
        "takes": kinds_in_words(found.kinds),
        "deliveries": [_line(each) for each in sent_to[:SHOWN]],
        "older": query(before=Cursor(last.created_at, last.pk)) if last else None,
        "newest": before is None,
        "trail": trail(request.member.tenant_id, {str(found.pk): ""}),
        **_form(request),
    }


def _line(delivery: Any) -> dict[str, Any]:
    """Tell of one delivery what a row shows."""
    return {
        "delivery": delivery,
        "kind": TITLES.get(delivery.notice.kind, delivery.notice.kind),
        "outcome": OUTCOMES.get(delivery.last_outcome, delivery.last_outcome.replace("_", " ")),
    }


def kinds_in_words(names: list[str]) -> str:
    """Name the kinds that a receiver takes."""
    return ", ".join(TITLES.get(name, name) for name in names) or "every kind"


def _form(request: MemberRequest) -> dict[str, Any]:
    return {"may_administer": "admin" in request.by.roles, "kinds": KINDS, "form_key": str(uuid7())}


def _check_sees(request: MemberRequest) -> None:
    """Let administrators and auditors see it: an address may tell more than it should. Raises NotForYou."""
    if not request.nav.sees_people:
        raise NotForYou("Where notices go is shown to administrators and auditors.")
