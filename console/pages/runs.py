"""Runs: the list with its filters, and one run as a book of its effects and its history."""

from uuid import UUID

from django.http import HttpResponse

from console.http.refusals import NotFound
from console.pages import address, books
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page
from console.pages.counts import MOST, Count, if_readable
from console.pages.room import MemberRequest, page
from runs import queries
from runs.models import Run
from runs.queries import ENDED, OPEN
from runs.states import RUN_STATES

SHOWN = 50
PARTS = {"list": "runs/_list.html"}
BOOK = {"book": "runs/_book.html"}
NEEDS = "needs"
ASKING = "asking"
STATES: dict[str, tuple[str, ...]] = {
    "": (),
    "open": OPEN,
    "ended": ENDED,
    **{state: (state,) for state in RUN_STATES},
}


@page("state", "q", "after")
def runs(request: MemberRequest) -> HttpResponse:
    """Show runs, newest first: all, those in a state, or those that a word is found in."""
    state, text = address.chosen(request, "state", {*STATES, NEEDS, ASKING}), address.word(request, "q")
    after = address.cursor(request)
    found, searched_to = _found(request, state, text, after)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    older = Cursor(last.created_at, last.pk) if last else searched_to
    context = {
        "runs": books.lines(found[:SHOWN]),
        "count": _count(request, state, text),
        "filters": {"state": state, "q": text},
        "older": query(state=state, q=text, after=older) if older else None,
        "searched": queries.SEARCHED if searched_to and not last else None,
        "newest": after is None,
    }
    return part_or_page(request, "runs/list.html", PARTS, context)


@page("before", "after", "history")
def run(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one run: what it intends, what was allowed and done, and what the record says."""
    found = queries.run(request.member.tenant_id, subject)
    if found is None:
        raise NotFound
    return part_or_page(request, "runs/detail.html", BOOK, books.book(request, found))


def _found(request: MemberRequest, state: str, text: str, after: Cursor | None) -> tuple[list[Run], Cursor | None]:
    tenant_id = request.member.tenant_id
    if state == NEEDS:
        return list(queries.stuck(tenant_id, after, text)[: SHOWN + 1]), None
    if state == ASKING:
        return list(queries.asking(tenant_id, after)[: SHOWN + 1]), None
    if text:
        found, searched_to = queries.search(tenant_id, text, STATES[state], after, SHOWN + 1)
        return found, Cursor(*searched_to) if searched_to else None
    return queries.runs(tenant_id, STATES[state], after, SHOWN + 1), None


def _count(request: MemberRequest, state: str, text: str) -> Count | None:
    """Count what the filter shows; a search is not counted, and the open ones are the very count of the badge."""
    if text:
        return None
    if state == "open":
        return request.nav.runs
    tenant_id = request.member.tenant_id
    if state == NEEDS:
        return if_readable(lambda: Count(queries.stuck(tenant_id)[: MOST + 1].count()))
    if state == ASKING:
        return if_readable(lambda: Count(queries.asking(tenant_id)[: MOST + 1].count()))
    return if_readable(lambda: Count(queries.count_runs(tenant_id, STATES[state], MOST + 1)))
