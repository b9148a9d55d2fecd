"""Home: what needs this member, most uncertain first, and whether the machinery is alive."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse

from approvals.queries import to_decide, with_votes
from console.pages import books, system, task_card, unknown_rows
from console.pages.answers import part_or_page
from console.pages.counts import MOST, Count, if_readable
from console.pages.questions import Slip, slips
from console.pages.room import MemberRequest, page
from console.pages.unknown_rows import Row
from runs import queries
from runs.models import Run
from runs.states import PARTIAL, QUARANTINED
from runs.unknowns import queue
from runs.unknowns.queue import Wanted

SHOWN = 10
RECENT = 5
PARTS = {"inbox": "home/_inbox.html"}


@page()
def home(request: MemberRequest) -> HttpResponse:
    """Show the inbox; a list that cannot be read is said to be unknown, and hides no other."""
    tenant_id = request.member.tenant_id
    context = {
        "unknown": if_readable(lambda: _unconfirmed(request, Wanted())),
        "unknown_count": request.nav.unknown,
        **(if_readable(lambda: _partial(request)) or {"partial": None, "partial_count": None}),
        "waiting": if_readable(lambda: unknown_rows.waiting(request.member, queue.waiting_for_second(request.member))),
        "questions": if_readable(lambda: _questions(request)),
        "questions_count": request.nav.approvals,
        "tasks": if_readable(lambda: task_card.lines(request.member, queries.tasks(request.member, None, SHOWN))),
        "tasks_count": request.nav.tasks,
        "stuck": if_readable(lambda: books.lines(list(_set_aside(tenant_id)[:SHOWN]))),
        "stuck_count": if_readable(lambda: Count(_set_aside(tenant_id)[: MOST + 1].count())),
        "recent": if_readable(lambda: books.lines(queries.ended_lately(tenant_id, RECENT))),
        "system": system.now(tenant_id, request.nav.runs),
    }
    return part_or_page(request, "home.html", PARTS, context)


def _unconfirmed(request: MemberRequest, wanted: Wanted) -> list[Row]:
    return unknown_rows.rows(request.member, queue.unknowns(request.member, wanted, None, SHOWN), request.now)


def _partial(request: MemberRequest) -> dict[str, object]:
    """Give what was done in part; a list that is whole needs no counting."""
    wanted = Wanted(state=PARTIAL)
    found = _unconfirmed(request, wanted)
    many = len(found) == SHOWN
    return {
        "partial": found,
        "partial_count": Count(queue.count(request.member, wanted, MOST + 1) if many else len(found)),
    }


def _set_aside(tenant_id: UUID) -> "QuerySet[Run]":
    """Give the runs that are set aside; those that wait for a partial effect are named by that effect."""
    return queries.stuck(tenant_id).filter(state=QUARANTINED)


def _questions(request: MemberRequest) -> list[Slip]:
    found = list(with_votes(to_decide(request.member))[:SHOWN])
    return slips(found, queries.subjects({asked.subject for asked in found}))
