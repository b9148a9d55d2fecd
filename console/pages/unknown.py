"""The queue of what is not confirmed: what there is, whose it is, what was learnt, and claiming in the row."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.http.refusals import Refusal
from console.pages import resolve_receipts, unknown_rows, unknown_words
from console.pages.answers import part_or_page, whole
from console.pages.counts import MOST, Count, if_readable
from console.pages.receipts import given
from console.pages.room import MemberRequest, Receipt, page
from runs.callbacks import queries as callbacks
from runs.models import Effect
from runs.unknowns import queue
from runs.unknowns.queue import Wanted
from runs.unknowns.standing import document_of

SHOWN = 50
PARTS = {"list": "unknown/_list.html"}
FROM = "from_queue"  # the field by which a form says that it stands in the queue, with the words of its address


@page("after", "receipt", *unknown_words.FIELDS)
def unknown(request: MemberRequest) -> HttpResponse:
    """Show the queue as it is asked for; findings that wait for this member stand first."""
    asked, after = unknown_words.read(request), unknown_words.place(request)
    found = queue.unknowns(request.member, asked, after, SHOWN + 1)
    last = queue.place_of(found[SHOWN - 1]) if len(found) > SHOWN else None
    words = unknown_words.written(asked)
    further = f"{words}&" if words else ""
    context = {
        "rows": unknown_rows.rows(request.member, found[:SHOWN], request.now),
        "unmatched": if_readable(lambda: Count(callbacks.unmatched_lately(request.member.tenant_id, MOST + 1))),
        "waiting": [] if after else if_readable(lambda: _waiting(request)),
        "asked": asked,
        "narrowed": unknown_words.is_narrowed(asked),
        "tabs": unknown_words.tabs(asked),
        "names": unknown_words.names(request.member.tenant_id, asked),
        "words": words,
        "count": _count(request, asked),
        "older": f"{further}after={unknown_words.place_written(last)}" if last else None,
        "newest": after is None,
        "idempotency_key": str(uuid7()),
        "receipt": _receipt(request),
    }
    return part_or_page(request, "unknown/list.html", PARTS, context)


def came_from(request: MemberRequest) -> str | None:
    """Give the words of the queue that a form was sent from; None when it was sent from elsewhere."""
    return unknown_words.kept(request.POST[FROM]) if FROM in request.POST else None


def back_to(words: str, effect: Effect, receipt: str) -> str:
    """Give the address of the row in the queue that a form was sent from."""
    return f"{reverse('unknown')}?{'&'.join(filter(None, [words, receipt]))}#row-{effect.pk}"


def row_again(request: MemberRequest, effect: Effect, became: Receipt | Refusal) -> HttpResponse:
    """Show the row alone as it stands after a deed in it, in its place."""
    found = queue.resolutions([effect.pk]).get(effect.pk, [])
    context = {
        "row": unknown_rows.row(request.member, effect, document_of(effect), found, request.now),
        "words": came_from(request), "idempotency_key": str(uuid7()), "said": resolve_receipts.told(became),
    }  # fmt: skip
    return whole(request, "unknown/_row.html", context, resolve_receipts.status(became))


def _waiting(request: MemberRequest) -> list[unknown_rows.Waiting]:
    return unknown_rows.waiting(request.member, queue.waiting_for_second(request.member))


def _count(request: MemberRequest, asked: Wanted) -> Count | None:
    """Count what is asked; all that is unknown is the very count of the badge."""
    if asked == Wanted(sort=asked.sort):
        return request.nav.unknown
    return if_readable(lambda: Count(queue.count(request.member, asked, MOST + 1)))


def _receipt(request: MemberRequest) -> dict[str, object] | None:
    """Say what became of a form that stood in the queue, when it was sent without a script."""
    kept = given(request.by, request.GET.get("receipt", ""))
    if not kept or "owner_group" not in kept:
        return None
    place = UUID(str(kept["effect"]))
    return {**resolve_receipts.told(kept), "row": place}
