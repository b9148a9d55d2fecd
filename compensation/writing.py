"""Changing plans, work items and endings, and telling of it: what a column becomes is what its entry says, so that nothing is told apart.

Everything here is within the caller's transaction, with the run locked, and then the plans."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from compensation import record
from compensation.models import Ending, EvidenceFile, Plan, WorkItem
from compensation.states import ITEM_OVER, NEEDS_SOMEBODY
from console import bulk
from console.database import after_commit
from console.exact import Object
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.telemetry.counting import count

Row = Plan | WorkItem | Ending | EvidenceFile
COUNTED: Final = ITEM_OVER | NEEDS_SOMEBODY
NAMES: Final[dict[type[Any], str]] = {Plan: "plan", WorkItem: "item", Ending: "ending", EvidenceFile: "file"}


@dataclass(frozen=True, slots=True)
class Change:
    """A row that was changed in memory: the columns of it that are new, and what else is to be told."""

    row: Row
    kind: str
    columns: tuple[str, ...]
    more: Object


def changed(row: Row, kind: str, more: Object | None = None, /, **columns: Any) -> Change:
    """Set columns of a row (ids by their column: owner_id), and give the change to be written. `kind` is the entry's: item.began."""
    for name, value in columns.items():
        setattr(row, name, value)
    return Change(row, kind, tuple(columns), more or {})


def add(by: Actor, rows: Sequence[Row], kind: str, now: datetime) -> set[UUID]:
    """Insert new rows of one model, each told whole; gives the ids of those that came in: what a unique key refuses is left out."""
    came = bulk.insert([*rows])
    new = [row for row in rows if row.pk in came]
    record.write([(_plan(row), kind, _told(row, type(row).recorded)) for row in new], by, now)
    return came


def write(by: Actor, changes: Iterable[Change], now: datetime) -> None:
    """Write changes down in the order of the entries; operational columns are kept and not told."""
    given = [change for change in changes if change.columns]
    if not given:
        return
    alike: dict[tuple[type[Any], tuple[str, ...]], list[Row]] = {}
    for change in given:
        alike.setdefault((type(change.row), change.columns), []).append(change.row)
    for (_, columns), rows in alike.items():
        bulk.update(rows, columns)
    record.write([(_plan(each.row), each.kind, _told(each.row, each.columns) | each.more) for each in given], by, now)
    after_commit(
        partial(
            _count, [each.row.state for each in given if isinstance(each.row, WorkItem) and "state" in each.columns]
        )
    )


def _count(states: Sequence[str]) -> None:
    for state in states:
        if state in COUNTED:
            count("compensation_outcomes", outcome=state)


def _told(row: Row, columns: Sequence[str]) -> Object:
    said: Object = {name: plain(getattr(row, name)) for name in columns if name in type(row).recorded}
    return {NAMES[type(row)]: str(row.pk), "is": said}


def _plan(row: Row) -> UUID:
    return row.pk if isinstance(row, Plan) else row.plan_id
