"""Home: what needs this member, most uncertain first, and whether the machinery is alive."""

from django.http import HttpResponse

from approvals.queries import to_decide, with_votes
from console.pages import books, effects, system, task_card
from console.pages.answers import part_or_page
from console.pages.counts import MOST, Count, if_readable
from console.pages.questions import Slip, slips
from console.pages.room import MemberRequest, page
from runs import queries

SHOWN = 10
RECENT = 5
PARTS = {"inbox": "home/_inbox.html"}


@page()
def home(request: MemberRequest) -> HttpResponse:
    """Show the inbox; a list that cannot be read is said to be unknown, and hides no other."""
    tenant_id = request.member.tenant_id
    context = {
        "unknown": if_readable(lambda: effects.unknown(queries.unknown(tenant_id, None, SHOWN), request.now)),
        "unknown_count": request.nav.unknown,
        "questions": if_readable(lambda: _questions(request)),
        "questions_count": request.nav.approvals,
        "tasks": if_readable(lambda: task_card.lines(request.member, queries.tasks(request.member, None, SHOWN))),
        "tasks_count": request.nav.tasks,
        "stuck": if_readable(lambda: books.lines(list(queries.stuck(tenant_id)[:SHOWN]))),
        "stuck_count": if_readable(lambda: Count(queries.stuck(tenant_id)[: MOST + 1].count())),
        "recent": if_readable(lambda: books.lines(queries.ended_lately(tenant_id, RECENT))),
        "system": system.now(tenant_id, request.nav.runs),
    }
    return part_or_page(request, "home.html", PARTS, context)


def _questions(request: MemberRequest) -> list[Slip]:
    found = list(with_votes(to_decide(request.member))[:SHOWN])
    return slips(found, queries.subjects({asked.subject for asked in found}))
