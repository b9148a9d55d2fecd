"""Approvals: the queue, one request as a card, and the decision."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from approvals import inbox, queries
from approvals.inbox import Wanted
from approvals.models import Request
from approvals.policies import asked
from console.http.refusals import NotFound, Refusal
from console.pages import address, inbox_words, offers, proving, queue, receipts
from console.pages.answers import part_or_page, wants, whole
from console.pages.questions import question, slips
from console.pages.room import MemberRequest, Receipt, deed, page, reading
from runs import queries as runs
from runs.pausing.deciding import approve, deny

PARTS = {"list": "approvals/_list.html", "card": "approvals/_card.html"}


@page("after", *inbox_words.FIELDS)
def approvals(request: MemberRequest) -> HttpResponse:
    """Show the inbox as it is asked for, with its first request open beside it."""
    listed = queue.read(request)
    first = queries.one(request.member.tenant_id, listed.first) if listed.first else None
    context = listed.context | (_card(request, first, {}) if first else {"question": None})
    return inbox_words.keep_order(request, part_or_page(request, "approvals/list.html", PARTS, context))


@page("receipt", "shown_target", *inbox_words.FIELDS)
def approval(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one request, whatever has become of it, with the queue beside it; after a decision also its receipt."""
    typed = {name: values[-1] for name, values in proving.typed(request).items() if values}
    context = _card(request, _found(request, subject), typed) | _receipt(request, subject)
    if typed:
        context["typed_reason"] = typed.get("reason", "")
        context["proven"] = proving.came_back(request.by, request.now)
    if not wants(request, "card"):
        context |= queue.read(request, paged=False).context
    return part_or_page(request, "approvals/card.html", PARTS, context)


def _receipt(request: MemberRequest, subject: UUID) -> dict[str, object]:
    kept = receipts.kept(request.by, request.GET.get("receipt", ""), subject)
    return {"receipt": receipts.receipt(kept), "next_question": _next(request, subject)} if kept else {}


def _next(request: MemberRequest, subject: UUID) -> Request | None:
    """Give what is next in the order that this browser was left with."""
    asked = replace(Wanted(), sort=inbox_words.read(request, request.member).sort)
    ids = [request_id for request_id in inbox.waiting(request.member, asked, None, 2) if request_id != subject]
    return queries.in_order(ids[:1])[0] if ids else None


def shown_after(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Show the request as it stands after a decision was sent, with what became of it and the next one.

    Without JavaScript a decision leads to the card, so that going back never asks to send the form again."""
    refused = isinstance(became, Refusal)
    if not request.htmx and not refused:
        words = address.query(receipt=request.POST["idempotency_key"])
        return HttpResponseRedirect(f"{reverse('approval', args=[subject])}?{words}", status=303)
    context = _card(request, _found(request, subject), request.POST.dict() if refused else {})
    context |= {"receipt": receipts.receipt(became), "next_question": _next(request, subject)}
    context["typed_reason"] = request.POST.get("reason", "") if refused else ""
    status = became.status if isinstance(became, Refusal) else 200
    if request.htmx:
        return whole(request, "approvals/_card.html", context, status)
    return whole(request, "approvals/card.html", queue.read(request, paged=False).context | context, status)


@deed(shown=shown_after, on="approval")
def decide_approval(request: MemberRequest, subject: UUID) -> Receipt:
    """Approve or deny exactly what the form showed."""
    form = receipts.DecisionForm.read(request.POST)
    if form.verdict == "approve" and not form.has_read:
        _check_needs_no_reading(request, subject)
    word: dict[str, Any] = {
        "shown_digest": form.shown_digest,
        "reason": form.reason,
        "key": form.key,
        "voice": form.voice,
    }
    with reading(request):
        found = _found(request, subject)
        if form.verdict == "deny":
            word["alternative"] = offers.alternative(request.POST.dict(), found)
        else:
            word["constraints"] = offers.constraints(request.POST.dict(), asked(found))
    if form.verdict == "deny":
        return deny(request.by, subject, **word)
    return approve(request.by, subject, shown_target=form.shown_target or None, **word)


def _check_needs_no_reading(request: MemberRequest, request_id: UUID) -> None:
    with reading(request):
        if _found(request, request_id).tier == "high":
            raise receipts.ReadNeeded


def _found(request: MemberRequest, request_id: UUID) -> Request:
    found = queries.one(request.member.tenant_id, request_id)
    if found is None:
        raise NotFound
    return found


def card(request: MemberRequest, subject: UUID) -> dict[str, object]:
    """Give what a card is told. Raises NotFound."""
    return _card(request, _found(request, subject), {})


def _card(request: MemberRequest, found: Request, typed: Mapping[str, str]) -> dict[str, object]:
    effect = runs.subjects([found.subject]).get(found.subject)
    shown = question(found, effect, request.now, request.GET.get("shown_target", ""))
    shown.after_count = runs.waiting_for(effect) if effect else 0
    again = queries.asked_again(found)
    shown.rerouted_to = slips([again], {})[0] if again else None
    why_not = queries.why_not(request.member, found, request.now)
    return {
        "question": shown, "may_decide": not why_not, "why_not": why_not,
        "more": offers.offers(request.member, request.by, found, request.now, typed), "typed": typed, "idempotency_key": str(uuid7()),
    }  # fmt: skip
