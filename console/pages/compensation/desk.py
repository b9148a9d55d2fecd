"""The desk of compensation: what is to be made good for, by deadline and weight; whose it is; and claiming in the row."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from uuid_utils.compat import uuid7

from compensation.queries import desk, items, plans
from compensation.queries.desk import Counts
from compensation.queries.seen import Plan
from console.http.refusals import NotFound, Refusal, StaleVersion
from console.pages.answers import part_or_page, whole
from console.pages.compensation import receipts, rows, words
from console.pages.compensation.words import PLANS, Asked
from console.pages.counts import MOST, Count, if_readable
from console.pages.room import MemberRequest, Receipt, page

SHOWN = 50
PLANS_SHOWN = 20
PARTS = {"list": "compensation/_list.html"}
FROM = "from_desk"  # the field by which a form says that it stands on the desk, with the words of its address


@page("after", "receipt", *words.FIELDS)
def compensation(request: MemberRequest) -> HttpResponse:
    """Show the desk as it is asked for; plans that wait for approval stand first."""
    asked, after = words.read(request), words.place(request)
    found = [] if asked.show == PLANS else desk.desk(request.member, asked.wanted, after, SHOWN + 1)
    last = desk.place_of(asked.wanted, found[SHOWN - 1]) if len(found) > SHOWN else None
    counts = if_readable(lambda: desk.counts(request.member))
    waiting = if_readable(lambda: plans.to_approve(request.member, MOST if asked.show == PLANS else PLANS_SHOWN))
    of_run = asked.wanted.run
    written = words.written(asked)
    context = {
        "rows": rows.rows(request.member, found[:SHOWN], request.now),
        "plans": [plan for plan in waiting if plan.run == of_run]
        if waiting and of_run
        else waiting
        if after is None
        else [],
        "asked": asked,
        "tabs": words.tabs(asked, counts, None if waiting is None else Count(len(waiting))),
        "needs": words.NEED_NAMES,
        "operations": words.operations(request.member.tenant_id, asked),
        "words": written,
        "count": _count(asked, counts),
        "counts": counts,
        "older": "&".join(filter(None, [written, f"after={words.place_written(last)}"])) if last else None,
        "newest": after is None,
        "idempotency_key": str(uuid7()),
        "receipt": receipts.of_desk(request),
    }
    return part_or_page(request, "compensation/desk.html", PARTS, context)


def came_from(request: MemberRequest) -> str | None:
    """Give the words of the desk that a form was sent from; None when it was sent from elsewhere."""
    return words.kept(request.POST[FROM]) if FROM in request.POST else None


def back_to(written: str, item_id: UUID, receipt: str) -> str:
    """Give the address of the row on the desk that a form was sent from."""
    return f"{reverse('compensation')}?{'&'.join(filter(None, [written, receipt]))}#row-{item_id}"


def row_again(request: MemberRequest, item_id: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Show the row alone as it stands after a deed in it, in its place."""
    found = items.one(request.member.tenant_id, item_id)
    if found is None:
        raise NotFound
    said = receipts.told(became)
    if isinstance(became, StaleVersion):
        new = receipts.news(request, found.plan, item_id)
        said["sentence"] = " ".join([str(said["sentence"]), *(line.sentence for line in new[-1:])])
    context = {
        "row": rows.rows(request.member, [found], request.now)[0], "words": came_from(request), "idempotency_key": str(uuid7()),
        "said": said,
    }  # fmt: skip
    return whole(request, "compensation/_row.html", context, receipts.status(became))


def to_approve(request: MemberRequest, limit: int) -> list[Plan]:
    """Give the plans that wait for somebody, the oldest first."""
    return plans.to_approve(request.member, limit)


def _count(asked: Asked, counts: Counts | None) -> Count | None:
    """Give how many the chosen tab holds, where that is counted and nothing narrows it further."""
    name = next((name for word, _, _, name in words.TABS if word == asked.show), "")
    return Count(getattr(counts, name)) if counts is not None and name and not asked.narrowed else None
