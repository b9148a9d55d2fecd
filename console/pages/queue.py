"""The inbox beside every card: what waits, in the order that is asked for and gathered by run, and what ended last."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from approvals import inbox, queries
from approvals.inbox import CREATED, MINE, TIER, Wanted
from console.pages import inbox_words
from console.pages.counts import MOST, Count, if_readable
from console.pages.questions import Slip, slips
from console.pages.room import MemberRequest
from runs.queries import open_questions, subjects

SHOWN = 50
DECIDED = 20
SOON = timedelta(hours=1)
TODAY = timedelta(hours=12)
TIER_NAMES = {"high": "High tier", "normal": "Normal tier", "low": "Low tier"}


@dataclass(slots=True)
class Gathering:
    """What one run asks, where that is more than one thing: `of` counts all of its open questions, whoever decides them."""

    run_id: UUID | None
    goal: str
    of: int
    questions: list[Slip]


@dataclass(frozen=True, slots=True)
class Queue:
    """What the templates are told, and the first request that waits."""

    context: dict[str, object]
    first: UUID | None


def read(request: MemberRequest, *, paged: bool = True) -> Queue:
    """Read one page of the inbox for this member; beside a card it is always the first one."""
    asked = inbox_words.read(request, request.member)
    after = inbox_words.place(request) if paged else None
    found = if_readable(lambda: inbox.waiting(request.member, asked, after, SHOWN + 1))
    if found is None:
        return Queue(_told(request, asked) | {"groups": [], "unread": True, "newest": True}, None)
    waiting = queries.in_order(found[:SHOWN])
    ended = [] if after else queries.ended_lately(request.member, DECIDED)
    about = subjects({each.subject for each in [*waiting, *ended]})
    listed = slips(waiting, about)
    older = inbox_words.place_written(inbox.place_of(asked, waiting[-1])) if len(found) > SHOWN else None
    sections = _sections(request, asked, listed)
    if ended:
        gathered = [Gathering(None, "", 0, [slip]) for slip in slips(ended, about)]
        sections.append({"name": "Decided", "gathered": gathered, "many": len(ended)})
    words = inbox_words.written(asked)
    context = _told(request, asked) | {
        "groups": sections, "waits": bool(listed), "newest": after is None,
        "older": "&".join(filter(None, [words, f"after={older}"])) if older else None,
    }  # fmt: skip
    return Queue(context, listed[0].id if listed else None)


def _told(request: MemberRequest, asked: Wanted) -> dict[str, object]:
    """Give what is said around the list: what is asked, how many there are, what may be asked otherwise."""
    return {
        "asked": asked, "words": inbox_words.written(asked), "narrowed": inbox_words.is_narrowed(asked),
        "whose": [(name, label, inbox_words.written(Wanted(whose=name)), name == asked.whose) for name, label in inbox_words.WHOSE.items()],
        "choices": inbox_words.choices(request.member, asked), "count": _count(request, asked), "pending_count": request.nav.approvals,
        "may_approve_any": queries.decides(request.member),
    }  # fmt: skip


def _count(request: MemberRequest, asked: Wanted) -> Count | None:
    """Count what is asked, by the query of the list; all that is for this member is the very count of the badge."""
    if asked == Wanted(sort=asked.sort):
        return request.nav.approvals
    return if_readable(lambda: Count(inbox.count(request.member, asked, MOST + 1)))


def _sections(request: MemberRequest, asked: Wanted, listed: list[Slip]) -> list[dict[str, object]]:
    sections: dict[str, list[Slip]] = {}
    for slip in listed:
        sections.setdefault(_section(request.now, asked, slip), []).append(slip)
    open_in = open_questions({slip.run.pk for slip in listed if slip.run})
    return [
        {"name": name, "gathered": _gathered(found, open_in), "many": len(found), "mine": asked.whose == MINE}
        for name, found in sections.items()
    ]


def _gathered(listed: Iterable[Slip], open_in: dict[UUID, int]) -> list[Gathering]:
    """Gather what one run asks at the place of its first question."""
    gathered: dict[UUID, Gathering] = {}
    for slip in listed:
        run = slip.run
        new = Gathering(run.pk if run else None, run.goal if run else "", open_in.get(run.pk, 0) if run else 0, [])
        gathered.setdefault(run.pk if run else slip.id, new).questions.append(slip)
    return list(gathered.values())


def _section(now: datetime, asked: Wanted, slip: Slip) -> str:
    if asked.sort == TIER:
        return TIER_NAMES.get(slip.tier, slip.tier)
    if asked.sort == CREATED:
        return "Oldest first"
    left = slip.decide_by - now
    if left < SOON:
        return "Decide soon"
    return "Today" if left < TODAY or slip.decide_by.date() == now.date() else "Later"
