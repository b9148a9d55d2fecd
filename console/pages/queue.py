"""The queue of requests beside every card: what waits, by how near its deadline is, and what ended last."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from approvals import queries
from approvals.models import Request
from console.pages.address import Cursor, query
from console.pages.questions import Slip, slips
from console.pages.room import MemberRequest
from runs.queries import subjects

SHOWN = 50
DECIDED = 20
SOON = timedelta(hours=1)
TODAY = timedelta(hours=12)
GROUPS = ("Decide soon", "Today", "Later", "Others decide", "Decided")


@dataclass(frozen=True, slots=True)
class Queue:
    """What the templates are told, and the first request that waits."""

    context: dict[str, object]
    first: UUID | None


def read(request: MemberRequest, after: Cursor | None) -> Queue:
    """Read one page of the queue for this member."""
    member = request.member
    waiting = queries.pending(member, after, SHOWN + 1)
    ended = [] if after else queries.ended_lately(member, DECIDED)
    shown = [*waiting[:SHOWN], *ended]
    about = subjects({found.subject for found in shown})
    groups: dict[str, list[Slip]] = {name: [] for name in GROUPS}
    for found, asked in zip(shown, slips(shown, about), strict=True):
        groups[_group(request, found)].append(asked)
    mine = [asked for name in GROUPS[:4] for asked in groups[name]]
    last = waiting[SHOWN - 1] if len(waiting) > SHOWN else None
    return Queue(
        {
            "groups": [{"name": name, "questions": listed} for name, listed in groups.items() if listed],
            "pending_count": request.nav.approvals,
            "may_approve_any": queries.decides(member),
            "older": query(after=Cursor(last.decide_by, last.pk)) if last else None,
            "newest": after is None,
        },
        mine[0].id if mine else None,
    )


def _group(request: MemberRequest, found: Request) -> str:
    if found.state != "pending":
        return "Decided"
    if queries.why_not(request.member, found, request.now):
        return "Others decide"
    left = found.decide_by - request.now
    if left < SOON:
        return "Decide soon"
    return "Today" if left < TODAY or _same_day(found.decide_by, request.now) else "Later"


def _same_day(a: datetime, b: datetime) -> bool:
    return a.date() == b.date()
