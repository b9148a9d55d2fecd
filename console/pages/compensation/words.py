"""The words in the address of the desk: read strictly, written back as links; also a place on it."""

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from django.http import HttpRequest, QueryDict

from compensation.queries import desk
from compensation.queries.desk import Counts, Place, Wanted
from compensation.states import NEEDS
from console.clock import instant
from console.database import rows
from console.pages import address
from console.pages.address import BadCursor, BadFilter, query
from console.pages.counts import Count

FIELDS: Final = ("show", "operation", "need", "overdue", "run")
PLANS: Final = "plans"  # not items but plans: they are listed above the desk, and alone here
# What stands behind each tab: its word in the address, its label, what is asked, and which count it shows.
TABS: Final = (
    ("", "All open", Wanted(), "open"),
    ("needs", "Needs somebody", Wanted(group=desk.NEEDS_A_PERSON), "needs_somebody"),
    ("mine", "Mine", Wanted(owner=desk.MINE), "mine"),
    ("groups", "My groups", Wanted(owner=desk.GROUP), "group"),
    ("waiting", "Waiting", Wanted(group=desk.WAITING), "waiting"),
    ("work", "At work", Wanted(group=desk.AT_WORK_NOW), "at_work"),
    (PLANS, "Plans to approve", Wanted(), ""),
    ("over", "Over", Wanted(group=desk.OVER), ""),
)
SHOWS: Final = {word: wanted for word, _, wanted, _ in TABS}
NEED_NAMES: Final = {"": "Any", "required": "Required", "allowed": "Allowed"}
OFFERED: Final = 200
OPERATIONS: Final = """
select name from runs_operationcontract where tenant_id = %s and retired_at is null order by name limit %s
"""
LATE: Final = "-"  # in a place: no deadline


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the desk: a tab, and what narrows it."""

    show: str
    wanted: Wanted

    @property
    def narrowed(self) -> bool:
        """Tell whether anything is asked beyond the tab."""
        return self.wanted != SHOWS[self.show]


@dataclass(frozen=True, slots=True)
class Tab:
    """A link to the same desk, otherwise asked; `count` is None where nothing is counted."""

    label: str
    words: str
    chosen: bool
    count: Count | None


def read(request: HttpRequest) -> Asked:
    """Read what is asked of the desk. Raises BadFilter."""
    show = address.chosen(request, "show", set(SHOWS))
    wanted = replace(
        SHOWS[show], operation=address.word(request, "operation"), need=address.chosen(request, "need", {*NEEDS}),
        overdue=bool(address.chosen(request, "overdue", {"yes"})), run=_run(request),
    )  # fmt: skip
    return Asked(show, wanted)


def _run(request: HttpRequest) -> UUID | None:
    text = request.GET.get("run", "")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadFilter from None


def written(asked: Asked) -> str:
    """Write what is asked as the words of an address; what is not asked is left out."""
    wanted = asked.wanted
    return query(
        show=asked.show,
        operation=wanted.operation,
        need=wanted.need,
        overdue="yes" if wanted.overdue else "",
        run=wanted.run or "",
    )


def kept(words: str) -> str:
    """Give the words of an address that a form carried along, and no others."""
    sent = QueryDict(words[: 10 * address.LONGEST])
    return query(**{name: sent.get(name, "") for name in (*FIELDS, "after")})


def tabs(asked: Asked, counts: Counts | None, plans: Count | None) -> list[Tab]:
    """Give the links to the other tabs, with what each holds; what narrows goes along."""
    counted = {name: None if counts is None else Count(getattr(counts, name)) for _, _, _, name in TABS if name}
    found = []
    for word, label, wanted, name in TABS:
        other = replace(
            asked.wanted, group=wanted.group, owner=wanted.owner
        )  # fmt: skip
        number = plans if word == PLANS else counted.get(name)
        found.append(Tab(label, written(Asked(word, other)), asked.show == word, number))
    return found


def operations(tenant_id: UUID, asked: Asked) -> list[str]:
    """Give the operations that can be chosen, what is asked among them even if it is retired."""
    found = [row["name"] for row in rows(OPERATIONS, [tenant_id, OFFERED])]
    chosen = asked.wanted.operation
    return found if not chosen or chosen in found else [*found, chosen]


def place(request: HttpRequest) -> Place | None:
    """Give the place on the desk that the address names, or None at its beginning. Raises BadCursor."""
    text = request.GET.get("after", "")
    if not text:
        return None
    weight, _, rest = text.partition("_")
    at, _, identity = rest.partition("_")
    if not (weight.isascii() and weight.isdigit() and len(weight) == 1):
        raise BadCursor
    if at != LATE:
        cursor = address.Cursor.read(rest)
        return Place(cursor.at, int(weight), cursor.id)
    try:
        return Place(None, int(weight), UUID(identity))
    except ValueError:
        raise BadCursor from None


def place_written(place: Place) -> str:
    """Write what `place` reads."""
    return f"{place.weight}_{LATE if place.at is None else instant(place.at)}_{place.id}"
