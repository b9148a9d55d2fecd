"""Several requests decided together: each is shown whole first, each gets its own verdict by the one move, and each its own receipt.

There is no transaction around them: what one of them is refused for changes nothing about the others."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from approvals import queries
from approvals.inbox import to_decide
from approvals.models import Request
from approvals.states import PENDING
from console.http.keys import LONGEST
from console.http.refusals import BadRequest, InvalidContent, Refusal
from console.pages import receipts
from console.pages.answers import part_or_page, whole
from console.pages.questions import Question, question
from console.pages.room import MemberRequest, Receipt, deed, page, reading
from runs.pausing.deciding import OneByOne, approve, deny
from runs.queries import subjects

MOST = 50


class NothingSelected(BadRequest):
    """Select at least one request."""

    code = "nothing_selected"


class TooMany(InvalidContent):
    """At most 50 requests are decided together."""

    code = "too_many"


@dataclass(frozen=True, slots=True)
class Item:
    """One request of several: what it asks, why it cannot be decided here (or nothing), and what became of it once something was sent."""

    question: Question
    why_not: str
    receipt: dict[str, object] | None = None


@page("request")
def together(request: MemberRequest) -> HttpResponse:
    """Show several requests, each whole, with one form for all that may be decided together."""
    return part_or_page(request, "approvals/together.html", {}, _context(request, request.GET.getlist("request")))


def _decided(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Show each with what became of it; after a form that could not be read, all of them again with what was typed."""
    sent = [item.partition(":")[0] for item in request.POST.getlist("item")]
    if isinstance(became, Refusal):
        context = _context(request, sent) | {
            "receipt": receipts.receipt(became),
            "typed_reason": request.POST.get("reason", ""),
        }
        return whole(request, "approvals/together.html", context, became.status)
    told: dict[UUID, Any] = {each["id"]: each["became"] for each in became["items"]}  # type: ignore[attr-defined]
    context = _context(request, sent, {each: receipts.receipt(what) for each, what in told.items()})
    done = [each for each in told.values() if not isinstance(each, Refusal)]
    return whole(request, "approvals/together.html", context | {"sent": len(told), "recorded": len(done)})


@deed(shown=_decided, on="approvals")
def decide_all(request: MemberRequest) -> Receipt:
    """Approve or deny each request of the form, exactly as it was shown there; gives what became of each."""
    form = receipts.DecisionForm.read(request.POST)
    items = {_id(item): item.partition(":")[2] for item in request.POST.getlist("item")}
    _check_number(len(items))
    receipts.check_length(form.key, LONGEST - len(str(uuid7())) - 1)
    with reading(request):
        high = {each.pk for each in _found(request, items) if each.tier == "high"}
    return {
        "items": [
            {"id": each, "became": _one(request, form, each, shown, each in high)} for each, shown in items.items()
        ]
    }


def _one(
    request: MemberRequest, form: receipts.DecisionForm, request_id: UUID, shown: str, high: bool
) -> dict[str, Any] | Refusal:
    if high:
        return OneByOne()
    digest, _, target = shown.partition(":")
    word: dict[str, Any] = {"shown_digest": digest, "reason": form.reason, "key": f"{form.key}.{request_id}"}
    try:
        if form.verdict == "deny":
            return deny(request.by, request_id, **word)
        return approve(request.by, request_id, **word, shown_target=target or None)
    except Refusal as refusal:
        return refusal


def _context(
    request: MemberRequest, named: list[str], told: dict[UUID, dict[str, object]] | None = None
) -> dict[str, object]:
    ids = dict.fromkeys(map(_id, named))
    _check_number(len(ids))
    found = _found(request, ids)
    about = subjects({each.subject for each in found})
    mine = set(to_decide(request.member).filter(pk__in=ids).values_list("pk", flat=True))
    items = [
        Item(
            question(each, about.get(each.subject), request.now),
            _why_not(request, each, each.pk in mine),
            told.get(each.pk) if told else None,
        )
        for each in found
    ]
    return {
        "items": items, "open": [item for item in items if not item.why_not], "missing": len(ids) - len(found),
        "told": told is not None, "idempotency_key": str(uuid7()),
    }  # fmt: skip


def _why_not(request: MemberRequest, found: Request, mine: bool) -> str:
    """Say why this one is not decided here, or nothing."""
    if found.state != PENDING:
        return "It no longer waits."
    if found.tier == "high":
        return OneByOne().detail
    return "" if mine else queries.why_not(request.member, found, request.now) or "It does not wait for your word."


def _found(request: MemberRequest, ids: dict[UUID, Any]) -> list[Request]:
    return queries.whole(request.member.tenant_id, ids)


def _check_number(number: int) -> None:
    if not number:
        raise NothingSelected
    if number > MOST:
        raise TooMany


def _id(text: str) -> UUID:
    try:
        return UUID(text.partition(":")[0])
    except ValueError:
        raise NothingSelected from None
