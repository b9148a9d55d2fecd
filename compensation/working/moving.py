"""Moving work items of locked runs to where they stand, by legal moves only, each with the entry that tells of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from compensation.alerts import alarms
from compensation.models import WorkItem
from compensation.states import (
    AT_WORK,
    DONE,
    DROPPED,
    ESCALATED,
    FAILED,
    ITEM_MOVES,
    ITEM_OVER,
    RUNNING,
    VERIFYING,
    WAITING,
)
from compensation.working.mirroring import Stand
from compensation.writing import Change, changed, write
from console.ledger.actors import Actor

KIND: Final = {
    WAITING: "item.waits", RUNNING: "item.began", VERIFYING: "item.verifying", DONE: "item.done", FAILED: "item.failed",
    DROPPED: "item.dropped",
}  # fmt: skip
AGAIN: Final = "item.tried_again"
TOLD: Final = "item.told"


@dataclass(slots=True)
class Moved:
    """A work item, where it is to stand, and what else changes about it with that. `kind` is the entry's, where it is not the state's."""

    item: WorkItem
    to: Stand
    columns: dict[str, Any] = field(default_factory=dict)
    kind: str = ""
    unknown_too_long_at: datetime | None = None


def move(by: Actor, moves: Iterable[Moved], now: datetime) -> list[WorkItem]:
    """Write down those that change anything, and give their items. What no move leads to directly passes through `running`."""
    wanted = [each for each in moves if _differs(each)]
    through = [each for each in wanted if not _is_legal(each.item.state, each.to.state)]
    write(by, [_through_running(each, now) for each in through], now)
    write(by, [_change(each, now) for each in wanted], now)
    return [each.item for each in wanted]


def _differs(moved: Moved) -> bool:
    """Tell whether anything is new: an item that was escalated stays so until something was begun anew."""
    item, to = moved.item, moved.to
    if item.state == ESCALATED and to.state == FAILED and "acting_id" not in moved.columns:
        moved.to = to = Stand(ESCALATED, to.waits_for, to.reason)
    if moved.kind or (item.state, item.waits_for, item.state_reason) != (to.state, to.waits_for, to.reason):
        return True
    return any(getattr(item, name) != value for name, value in moved.columns.items())


def _is_legal(before: str, after: str) -> bool:
    return before == after or any(before in sources and after in targets for sources, targets in ITEM_MOVES.values())


def _through_running(moved: Moved, now: datetime) -> Change:
    more = {name: moved.columns.pop(name) for name in ("acting_id", "tries") if name in moved.columns}
    kind, moved.kind = moved.kind or KIND[RUNNING], ""
    started = {} if moved.item.started_at else {"started_at": now}
    return changed(moved.item, kind, state=RUNNING, waits_for="", state_reason="", **started, **more)


def _change(moved: Moved, now: datetime) -> Change:
    item, to = moved.item, moved.to
    same = (item.state, item.waits_for) == (to.state, to.waits_for)
    kind = moved.kind or (TOLD if same else KIND[to.state])
    columns: dict[str, Any] = {"state": to.state, "waits_for": to.waits_for, "state_reason": to.reason, **moved.columns}
    if to.state in AT_WORK and item.started_at is None:
        columns["started_at"] = now
    if to.state in ITEM_OVER and item.ended_at is None:
        columns["ended_at"] = now
    told = changed(item, kind, **columns)
    return changed(item, kind, **{name: getattr(item, name) for name in told.columns}, **_alarm(moved, now))


def _alarm(moved: Moved, now: datetime) -> dict[str, Any]:
    """Give when somebody is told of it next: at once, rung by rung, where it has just come to need somebody, or there is news of it."""
    item = moved.item
    if item.state in ITEM_OVER:
        return {"next_alert_at": None}
    if alarms.needs_somebody(item):
        return alarms.from_now(item, now)
    return {"next_alert_at": alarms.while_it_goes(item, now, moved.unknown_too_long_at)}
