"""Runs: the list with what is asked of it, and one run as a book of its effects and its history."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import HttpResponse

from console.http.refusals import NotFound
from console.pages import address, books, panels, terms
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page
from console.pages.counts import MOST, Count, if_readable
from console.pages.panel import ITEMS
from console.pages.room import MemberRequest, page
from runs import finding, queries, wanted
from runs.models import Run
from runs.wanted import Wanted

SHOWN = 50
PARTS = {"list": "runs/_list.html"}
BOOK = {"book": "runs/_book.html"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the list: its runs, the place of the next page, how many there are, and how far was looked."""

    runs: list[Run]
    older: Cursor | None
    count: Count | None
    searched: int | None


@page("q", "after", *terms.FIELDS)
def runs(request: MemberRequest) -> HttpResponse:
    """Show the runs that are asked for: by one line, by a form of the same words, or all, newest first."""
    asked, faults = terms.read(request)
    after = address.cursor(request)
    listed = Listed([], None, None, None) if faults else _listed(request, asked, after)
    line = request.GET.get("q", "") if faults else wanted.line(asked)
    context = {
        "runs": books.lines(listed.runs),
        "count": listed.count,
        "asked": asked,
        "faults": faults,
        "line": line,
        "chips": terms.chips(asked),
        "choices": terms.choices(request.member.tenant_id, asked),
        "words": query(q=line),
        "older": query(q=line, after=listed.older) if listed.older else None,
        "searched": listed.searched,
        "newest": after is None,
    }
    return part_or_page(request, "runs/list.html", PARTS, context, status=400 if faults else 200)


@page("before", "after", "history", ITEMS)
def run(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one run: what it intends, what was allowed and done, and what the record says."""
    found = queries.run(request.member.tenant_id, subject)
    if found is None:
        raise NotFound
    context = books.book(request, found) | panels.panels(request, found)
    return part_or_page(request, "runs/detail.html", BOOK, context)


def _listed(request: MemberRequest, asked: Wanted, after: Cursor | None) -> Listed:
    """Read one page. What only a state narrows is read by its index alone; everything else is looked for, so far."""
    tenant_id = request.member.tenant_id
    if asked.is_simple and asked.order == "age" and (asked.states or not asked.state):
        found = queries.runs(tenant_id, asked.states, after, SHOWN + 1)
        older = Cursor(found[SHOWN - 1].created_at, found[SHOWN - 1].pk) if len(found) > SHOWN else None
        return Listed(found[:SHOWN], older, _count(request, asked), None)
    found_so_far = finding.find(tenant_id, asked, request.now, after, SHOWN, MOST + 1)
    runs, looked_to = found_so_far.runs, found_so_far.looked_to
    last: tuple[datetime, UUID] | None = (runs[-1].created_at, runs[-1].pk) if found_so_far.more else looked_to
    count = None if found_so_far.count is None else Count(found_so_far.count)
    if count is None and asked.is_simple:
        count = _count(request, asked)
    return Listed(runs, Cursor(*last) if last else None, count, finding.FAR if looked_to else None)


def _count(request: MemberRequest, asked: Wanted) -> Count | None:
    """Count what a state alone asks for; the open ones are the very count of the badge."""
    if asked.state == "open":
        return request.nav.runs
    if asked.state and not asked.states:
        return None
    tenant_id = request.member.tenant_id
    return if_readable(lambda: Count(queries.count_runs(tenant_id, asked.states, MOST + 1)))
