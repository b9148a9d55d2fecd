"""The desk: work items by deadline and weight, narrowed and page by page, along one index however many there are.

A page goes on from a place whose deadline, weight and id all count, each in its own direction: that is at most four lanes, each a range of
the index, merged from their beginnings."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from compensation.models import WorkItem
from compensation.queries.seen import RELATED, Item, item
from compensation.states import AT_WORK, ITEM_OPEN, ITEM_OVER, NEEDS, NEEDS_SOMEBODY
from console.database import rows
from console.identity.groups import groups_of
from console.identity.models import Member

MINE, NOBODY, GROUP = "mine", "nobody", "group"
OWNERS: Final = (MINE, GROUP, NOBODY)
OPEN, NEEDS_A_PERSON, WAITING, AT_WORK_NOW, OVER = "open", "needs_somebody", "waiting", "at_work", "over"
GROUPS: Final = (OPEN, NEEDS_A_PERSON, WAITING, AT_WORK_NOW, OVER)
COUNTED: Final = 10_000  # of more than so many it is said that there are more


def among(states: frozenset[str]) -> str:
    """Write that an item is in one of these states."""
    return "state in (" + ", ".join(f"'{state}'" for state in sorted(states)) + ")"


IS_OPEN: Final = among(ITEM_OPEN)
IS_OVER: Final = "ended_at is not null and " + among(ITEM_OVER)
SOMEBODY: Final = f"({among(NEEDS_SOMEBODY)} or waits_for = 'person')"
HELD: Final = "state in ('planned', 'waiting') and waits_for <> 'person'"
NARROWED: Final = {OPEN: "", NEEDS_A_PERSON: SOMEBODY, WAITING: HELD, AT_WORK_NOW: among(AT_WORK), OVER: ""}
COUNTS: Final = f"""
select count(*) as open, count(*) filter (where {SOMEBODY}) as needs_somebody, count(*) filter (where {HELD}) as waiting,
       count(*) filter (where {among(AT_WORK)}) as at_work, count(*) filter (where owner_id = %s) as mine,
       count(*) filter (where owner_group = any (%s::text[])) as "group", count(*) filter (where owner_id is null) as nobody,
       count(*) filter (where need = 'required') as required, count(*) filter (where deadline_at <= cf_now()) as overdue
from (select state, waits_for, owner_id, owner_group, need, deadline_at from compensation_workitem
      where tenant_id = %s and {IS_OPEN} order by deadline_at, weight desc, id limit %s) i
"""  # noqa: S608 - constants
NEEDING: Final = f"""
select (select count(*) from (select from compensation_workitem where tenant_id = %s and {IS_OPEN} and {SOMEBODY} limit %s) i)
     + (select count(*) from (select from compensation_plan where tenant_id = %s and state = 'proposed' limit %s) p) as many
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the desk; what is empty is not asked. `group` is one of GROUPS: what is over comes newest first."""

    group: str = OPEN
    owner: str = ""
    operation: str = ""
    need: str = ""
    overdue: bool = False
    run: UUID | None = None


class Place(NamedTuple):
    """Where on the desk an item stands: its deadline (of what is over, its end), its weight and its id."""

    at: datetime | None
    weight: int
    id: UUID


@dataclass(frozen=True, slots=True)
class Counts:
    """How many open items each filter holds, up to COUNTED."""

    open: int
    needs_somebody: int
    waiting: int
    at_work: int
    mine: int
    group: int
    nobody: int
    required: int
    overdue: int


def desk(member: Member, wanted: Wanted, after: Place | None, limit: int) -> list[Item]:
    """Give the next items after a place: the nearest deadline first, and of one deadline the heaviest; those without one come last."""
    ids = [row["id"] for row in rows(*_statement(member, wanted, after, limit))]
    found = WorkItem.objects.select_related(*RELATED).in_bulk(ids)
    return [item(found[pk]) for pk in ids if pk in found]


def counts(member: Member) -> Counts:
    """Count what each filter of the desk holds, in one statement."""
    asked = [member.pk, groups_of(member), member.tenant_id, COUNTED]
    return Counts(**rows(COUNTS, asked)[0])


def count_needing(tenant_id: UUID, most: int) -> int:
    """Count what goes no further without somebody: work items and plans to approve, each up to `most`."""
    return int(rows(NEEDING, [tenant_id, most, tenant_id, most])[0]["many"])


def place_of(wanted: Wanted, item: Item) -> Place:
    """Name the place of an item on the desk that is asked for."""
    return Place(item.ended_at if wanted.group == OVER else item.deadline_at, item.weight, item.id)


def _statement(member: Member, wanted: Wanted, after: Place | None, limit: int) -> tuple[str, list[Any]]:
    over = wanted.group == OVER
    order = "ended_at desc, id desc" if over else "deadline_at, weight desc, id"
    texts, parameters = list[str](), list[Any]()
    narrowed, values = _narrowed(member, wanted)
    for text, bounds in _ended(after) if over else _lanes(after):
        texts.append(
            "(select id, deadline_at, weight, ended_at from compensation_workitem"  # noqa: S608 - constants
            f" where tenant_id = %s and {IS_OVER if over else IS_OPEN}{text}{narrowed} order by {order} limit %s)"
        )
        parameters += [member.tenant_id, *bounds, *values, limit]
    lanes = " union all ".join(texts)
    return f"select id from ({lanes}) lanes order by {order} limit %s", [*parameters, limit]  # noqa: S608 - constants


def _lanes(after: Place | None) -> Iterator[tuple[str, list[Any]]]:
    """Give the ranges of the desk's index beyond a place: its own weight, lighter ones, later deadlines, and none at all."""
    if after is None:
        yield "", []
        return
    at, values = ("deadline_at is null", []) if after.at is None else ("deadline_at = %s", [after.at])
    yield f" and {at} and weight = %s and id > %s", [*values, after.weight, after.id]
    yield f" and {at} and weight < %s", [*values, after.weight]
    if after.at is not None:
        yield " and deadline_at > %s", [after.at]
        yield " and deadline_at is null", []


def _ended(after: Place | None) -> Iterator[tuple[str, list[Any]]]:
    if after is None:
        yield "", []
    else:
        yield " and ended_at <= %s and (ended_at, id) < (%s, %s)", [after.at, after.at, after.id]


def _narrowed(member: Member, wanted: Wanted) -> tuple[str, list[Any]]:
    conditions = [
        (NARROWED[wanted.group], []) if NARROWED[wanted.group] else None,
        ("owner_id = %s", [member.pk]) if wanted.owner == MINE else None,
        ("owner_id is null", []) if wanted.owner == NOBODY else None,
        ("owner_group = any (%s::text[])", [groups_of(member)]) if wanted.owner == GROUP else None,
        ("operation = %s", [wanted.operation]) if wanted.operation else None,
        ("need = %s", [wanted.need]) if wanted.need in NEEDS else None,
        ("deadline_at <= cf_now()", []) if wanted.overdue else None,
        ("run_id = %s", [wanted.run]) if wanted.run else None,
    ]
    asked = [each for each in conditions if each is not None]
    return "".join(f" and {text}" for text, _ in asked), [value for _, values in asked for value in values]
