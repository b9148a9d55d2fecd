"""Home: what needs this member, most uncertain first, and whether the machinery is alive."""

from uuid import UUID

from django.http import HttpResponse

from approvals.inbox import DEADLINE, waiting
from approvals.inbox import Wanted as Asked
from approvals.queries import in_order
from compensation.queries import desk, plans
from compensation.queries.desk import Wanted as Needed
from console.pages import books, system, task_card, unknown_rows
from console.pages.answers import part_or_page
from console.pages.compensation import rows
from console.pages.counts import MOST, Count, if_readable
from console.pages.questions import Slip, slips
from console.pages.room import MemberRequest, page
from console.pages.unknown_rows import Row
from runs import queries
from runs.states import PARTIAL
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
        **_to_make_good(request),
        "mending_count": request.nav.compensation,
        "questions": if_readable(lambda: _questions(request)),
        "questions_count": request.nav.approvals,
        "tasks": if_readable(lambda: task_card.lines(request.member, queries.tasks(request.member, None, SHOWN))),
        "tasks_count": request.nav.tasks,
        **(if_readable(lambda: _stuck(tenant_id)) or {"stuck": None, "stuck_count": None}),
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


def _to_make_good(request: MemberRequest) -> dict[str, object]:
    """Give the work items and plans of compensation that go no further without somebody; where none is counted, none is read."""
    if request.nav.compensation == 0:
        return {"mending": [], "plans": []}
    return if_readable(lambda: _mending(request)) or {"mending": None, "plans": None}


def _mending(request: MemberRequest) -> dict[str, object]:
    found = desk.desk(request.member, Needed(group=desk.NEEDS_A_PERSON), None, SHOWN)
    return {
        "mending": rows.rows(request.member, found, request.now),
        "plans": plans.to_approve(request.member, SHOWN),
    }


def _stuck(tenant_id: UUID) -> dict[str, object]:
    """Give the runs that need somebody; a list that is whole needs no counting."""
    found = list(queries.stuck(tenant_id)[:SHOWN])
    counted = len(found) if len(found) < SHOWN else queries.stuck(tenant_id)[: MOST + 1].count()
    return {"stuck": books.lines(found), "stuck_count": Count(counted)}


def _questions(request: MemberRequest) -> list[Slip]:
    found = in_order(waiting(request.member, Asked(sort=DEADLINE), None, SHOWN))
    return slips(found, queries.subjects({asked.subject for asked in found}))
