"""Breaking the glass: its own page for one request; and the list of what is open, what waits for a review, and what was."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from approvals import queries as requests
from approvals.breaking import ending, queries, releasing, reviewing
from approvals.breaking.typing import unusual
from approvals.models import BreakGlass, Request
from approvals.states import PENDING
from approvals.target import state_of
from console.http.refusals import NotFound, Refusal
from console.pages import address, proving, sent
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs.pausing import deciding

SHOWN = 50
FIELDS = ("target", "reason", "minutes")


@page()
def break_glass(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form, for whoever may break the glass for this request, and to others why they may not."""
    typed = {name: proving.typed_text(request, name) for name in FIELDS}
    proven = any(typed.values()) and proving.came_back(request.by, request.now)
    return whole(request, "break_glass/form.html", _form(request, subject) | {"typed": typed, "proven": proven})


def _broken(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead to the card, or show the form again with why it was refused."""
    if not isinstance(became, Refusal):
        return sent.to(request, "glasses")
    typed = {name: request.POST.get(name, "") for name in FIELDS}
    told = {"typed": typed, "receipt": sent.said(became), "differs": became.facts.get("differs", [])}
    return whole(request, "break_glass/form.html", _form(request, subject) | told, became.status)


@deed(shown=_broken, on="break_glass")
def break_glass_now(request: MemberRequest, subject: UUID) -> Receipt:
    """Break it."""
    form = request.POST
    return deciding.break_glass(
        request.by, subject, shown_digest=form.get("shown_digest", ""), target=form.get("target", ""), reason=_text(request, "reason"),
        seconds=_minutes(form.get("minutes", "")) * 60, key=sent.key(request), shown_target=form.get("shown_target") or None,
    )  # fmt: skip


@page("before", "receipt")
def glasses(request: MemberRequest) -> HttpResponse:
    """Show what is open, what waits for a review, and what was."""
    return part_or_page(request, "break_glass/list.html", {}, _list(request) | {"receipt": sent.told(request)})


@page()
def glass(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Lead to the list, where each one stands."""
    return HttpResponseRedirect(reverse("glasses"))


def _looked_after(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "glasses")
    context = _list(request) | {
        "receipt": sent.said(became),
        "typed_review": request.POST.get("text", ""),
        "typed_for": subject,
    }
    return whole(request, "break_glass/list.html", context, became.status)


@deed(shown=_looked_after, on="glass")
def close_glass(request: MemberRequest, subject: UUID) -> Receipt:
    """End one now."""
    return ending.close(request.by, subject, key=sent.key(request))


@deed(shown=_looked_after, on="glass")
def review_glass(request: MemberRequest, subject: UUID) -> Receipt:
    """Say whether one was justified."""
    justified = request.POST.get("justified") == "yes"
    return reviewing.review(
        request.by, subject, justified=justified, text=_text(request, "text"), key=sent.key(request)
    )


def _form(request: MemberRequest, request_id: UUID) -> dict[str, Any]:
    found = requests.one(request.member.tenant_id, request_id)
    if found is None:
        raise NotFound
    terms = releasing.terms_of(found)
    return {
        "asked": found, "terms": terms, "may_break": _may(request, found), "most_minutes": terms.within_seconds // 60 if terms else 0,
        "unusual": unusual(found.target), "digest_hex": found.subject_digest.hex(), "form_key": str(uuid7()),
        "glass": queries.of_request(found.pk), "state": state_of(found),
    }  # fmt: skip


def _may(request: MemberRequest, found: Request) -> bool:
    return found.state == PENDING and found.decide_by > request.now and releasing.may_break(request.member, found)


def _list(request: MemberRequest) -> dict[str, Any]:
    tenant_id = request.member.tenant_id
    before = address.cursor(request, "before") if request.method in {"GET", "HEAD"} else None
    found = queries.history(tenant_id, before, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    return {
        "open": [{"glass": each, "may_close": _may_close(request, each)} for each in queries.open_now(tenant_id)[:SHOWN]],
        "to_review": [
            {"glass": each, "may_review": reviewing.may_review(request.member, each, each.request)}
            for each in queries.to_review(tenant_id)[:SHOWN]
            if each.ended_at is not None or each.ends_at <= request.now
        ],
        "past": found[:SHOWN],
        "older": query(before=Cursor(last.opened_at, last.pk)) if last else None,
        "newest": before is None,
        "form_key": str(uuid7()),
    }  # fmt: skip


def _may_close(request: MemberRequest, glass: BreakGlass) -> bool:
    return ending.may_close(request.by, glass)


def _minutes(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len("10080") else 0


def _text(request: MemberRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\r\n", "\n")
