"""When a work item that needs somebody is told of, and to whom. Pure: the ladder of its contract, rung by rung.

Silence resolves nothing: an item stays what it is until it is done, or a person says otherwise. What is over has no alarm."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from compensation.models import Plan, WorkItem
from compensation.states import FOR_PERSON, NEEDS_SOMEBODY, WAITING
from console.exact import decode
from runs.contracts.undoing import LADDER, Rung

AT_LEAST: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class Climb:
    """What a look at an alarm that has come finds: the rung that is told now, how many are taken then, and when the next one is due."""

    rung: Rung
    level: int
    next_at: datetime | None


def rungs(item: Plan | WorkItem) -> list[Rung]:
    """Give the steps of the ladder of an item, or of a plan that waits; where it has none, the careful ones."""
    if not item.ladder:
        return [Rung(*each) for each in LADDER]
    listed: Any = decode(item.ladder.encode())
    return [Rung(int(each["after_seconds"]), str(each["to"])) for each in listed]


def needs_somebody(item: WorkItem) -> bool:
    """Tell whether nothing goes on unless a person does something."""
    return item.state in NEEDS_SOMEBODY or (item.state == WAITING and item.waits_for == FOR_PERSON)


def from_now(item: WorkItem, now: datetime) -> dict[str, Any]:
    """Give what changes when an item comes to need somebody: whoever had it hears of it again, and the ladder goes on from there."""
    level = max(item.level - 1, 0)
    wait = rungs(item)[0].after_seconds if level == 0 else 0
    return {"level": level, "next_alert_at": now + timedelta(seconds=wait)}


def while_it_goes(item: WorkItem, now: datetime, unknown_too_long_at: datetime | None = None) -> datetime | None:
    """Give when an item that goes on, or waits for its turn, comes to need somebody: past its deadline, or unknown for too long.

    What was told of already goes on as it stands: somebody who tries again takes nobody's alarm away."""
    comes = [each for each in (item.deadline_at, unknown_too_long_at) if each is not None]
    ahead = [each for each in comes if each > now or not item.level]
    if len(ahead) < len(comes) and item.next_alert_at is not None:
        ahead.append(item.next_alert_at)
    return min(ahead, default=None)


def climb(item: Plan | WorkItem, now: datetime) -> Climb:
    """Take the rung that is due now; of several that passed unseen the last. The top one is told again where there is none above it."""
    ladder, due = rungs(item), item.next_alert_at or now
    place = min(item.level, len(ladder) - 1)
    while place + 1 < len(ladder) and (after := due + _between(ladder, place)) <= now:
        place, due = place + 1, after
    above = place + 1 < len(ladder)
    return Climb(ladder[place], place + 1, due + _between(ladder, place) if above else None)


def _between(ladder: list[Rung], place: int) -> timedelta:
    return max(timedelta(seconds=ladder[place + 1].after_seconds - ladder[place].after_seconds), AT_LEAST)
