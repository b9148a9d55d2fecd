"""The conditions of waits, by kind: read from what a driver sent into what the row keeps, or refused with the place of the fault."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from console.clock import instant
from console.exact import Object, Value
from console.exact.zones import zone
from console.http.fields import INSTANT
from console.http.refusals import InvalidContent
from runs.models import Dependency, Effect, Run
from runs.states import CHILDREN, CLOCK_TIME, DEPENDENCY, EFFECTS, RATE_WINDOW, SIGNAL, TIMER
from runs.waits import wall

FARTHEST_SECONDS: Final = 10 * 366 * 24 * 3600
MOST_SUBJECTS: Final = 500
LONGEST_NAME: Final = 63
LONGEST_CORRELATION: Final = 255
LOCAL = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?\Z")
OF_DAY = re.compile(r"\d{2}:\d{2}(:\d{2})?\Z")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z")
CHILD_ENDS: Final = ("wake", "ignore", "fail")


class BadWait(InvalidContent):
    """The condition of a wait does not fit its kind; `path` names the part."""

    code = "bad_wait"


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row keeps of a condition: all of it in normal form, and what it is found by."""

    value: Object
    subject_name: str = ""
    correlation: str = ""
    subjects: tuple[UUID, ...] = ()
    due_at: datetime | None = None


class Given:
    """What a driver sent, taken field by field; what is left over is refused."""

    def __init__(self, sent: Object) -> None:
        self.left = dict(sent)

    def take(self, name: str, default: Value = None) -> Value:
        """Give a field as it was sent, whatever it is."""
        return self.left.pop(name, default)

    def text(self, name: str, most: int, default: str | None = None) -> str:
        """Give a text that is not blank."""
        found = self.take(name, default)
        if not isinstance(found, str) or not found.strip() or len(found) > most:
            raise fault(name, f"This is a text of 1 to {most} characters.")
        return found

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        """Give one of several words."""
        found = self.take(name, default)
        if found not in choices:
            raise fault(name, f"This is one of {', '.join(choices)}.")
        return str(found)

    def ids(self, name: str) -> tuple[UUID, ...] | None:
        """Give a list of ids, or nothing where none was sent."""
        found = self.take(name)
        if found is None:
            return None
        if not isinstance(found, list) or not 0 < len(found) <= MOST_SUBJECTS:
            raise fault(name, f"This is a list of 1 to {MOST_SUBJECTS} ids.")
        try:
            return tuple(dict.fromkeys(UUID(str(one)) for one in found))
        except ValueError:
            raise fault(name, "This is a list of ids.") from None

    def end(self) -> None:
        """Refuse what nobody took."""
        for name in self.left:
            raise fault(name, "There is no such field in a condition of this kind.")


def fault(name: str, detail: str) -> BadWait:
    """Make the refusal of a field."""
    return BadWait(detail, path=f"/condition/{name}")


def read(kind: str, sent: Object, run: Run, now: datetime) -> Condition:
    """Read a condition. Raises BadWait, TimeRepeated and TimeSkipped."""
    reader = READERS.get(kind)
    if reader is None:
        raise BadWait(f"A wait is one of {', '.join(READERS)}.", path="/kind")
    given = Given(sent)
    found = reader(given, run, now)
    given.end()
    return found


def _timer(given: Given, run: Run, now: datetime) -> Condition:
    at, seconds = given.take("at"), given.take("after_seconds")
    if (at is None) == (seconds is None):
        raise fault("at", "A timer has either `at` or `after_seconds`.")
    if seconds is not None:
        if isinstance(seconds, bool) or not isinstance(seconds, int | Decimal) or not 0 <= seconds <= FARTHEST_SECONDS:
            raise fault("after_seconds", f"This is a number from 0 to {FARTHEST_SECONDS}.")
        return Condition({"after_seconds": seconds}, due_at=now + timedelta(seconds=float(seconds)))
    due = _instant("at", at, now)
    return Condition({"at": instant(due)}, due_at=due)


def _instant(name: str, sent: Value, now: datetime) -> datetime:
    if not isinstance(sent, str) or not INSTANT.match(sent):
        raise fault(name, "This is an instant as RFC 3339 writes it, with its offset, such as 2026-03-02T09:00:00Z.")
    try:
        due = datetime.fromisoformat(sent.upper().replace(" ", "T")).astimezone(UTC)
    except (ValueError, OverflowError):
        raise fault(name, "There is no such instant.") from None
    if due > now + timedelta(seconds=FARTHEST_SECONDS):
        raise fault(name, "This is more than ten years ahead.")
    return due


def _clock_time(given: Given, run: Run, now: datetime) -> Condition:
    name = given.text("zone", LONGEST_NAME)
    there = zone(name)
    if there is None:
        raise fault("zone", "There is no such time zone in the IANA database; one is Europe/Berlin.")
    local, at = given.take("local"), given.take("time")
    if (local is None) == (at is None):
        raise fault("local", "A time of the clock has either `local` or `time`.")
    if local is not None:
        repeated, skipped = _choices(given, wall.REFUSE, wall.REFUSE)
        due = wall.moment(_local(local), there, repeated, skipped)
        if due > now + timedelta(seconds=FARTHEST_SECONDS):
            raise fault("local", "This is more than ten years ahead.")
        return Condition(
            {"local": local, "zone": name, "repeated": repeated, "skipped": skipped, "chosen": instant(due)}, due_at=due
        )
    repeated, skipped = _choices(given, wall.EARLIER, wall.LATER)
    days = _days(given.take("days"))
    due = wall.next_time(_of_day(at), frozenset(days), there, repeated, skipped, now)
    value: Object = {
        "time": at, "zone": name, "days": [*days], "repeated": repeated, "skipped": skipped, "chosen": instant(due),
    }  # fmt: skip
    return Condition(value, due_at=due)


def _choices(given: Given, repeated: str, skipped: str) -> tuple[str, str]:
    return given.choice("repeated", wall.REPEATED, repeated), given.choice("skipped", wall.SKIPPED, skipped)


def _local(sent: Value) -> datetime:
    if not isinstance(sent, str) or not LOCAL.match(sent):
        raise fault("local", "This is a local time without an offset, such as 2026-11-01T01:30.")
    try:
        found = datetime.fromisoformat(sent)
    except ValueError:
        raise fault("local", "There is no such day or time.") from None
    if not 1970 <= found.year <= 9000:
        raise fault("local", "This year is out of reach.")
    return found


def _of_day(sent: Value) -> time:
    if not isinstance(sent, str) or not OF_DAY.match(sent):
        raise fault("time", "This is a time of the day, such as 09:00.")
    try:
        return time.fromisoformat(sent)
    except ValueError:
        raise fault("time", "There is no such time.") from None


def _days(sent: Value) -> list[str]:
    if sent is None:
        return []
    if not isinstance(sent, list) or not sent or any(day not in wall.DAYS for day in sent):
        raise fault("days", f"This is a list of days: {', '.join(wall.DAYS)}.")
    return [day for day in wall.DAYS if day in sent]


def _signal(given: Given, run: Run, now: datetime) -> Condition:
    name = _name(given, "name")
    correlation = given.text("correlation", LONGEST_CORRELATION, str(run.pk))
    return Condition({"name": name, "correlation": correlation}, subject_name=name, correlation=correlation)


def _children(given: Given, run: Run, now: datetime) -> Condition:
    named = given.ids("runs")
    mode = given.choice("mode", ("all", "any"), "all")
    ends: Object = {end: given.choice(end, CHILD_ENDS, "wake") for end in ("failed", "cancelled", "unknown")}
    mine = Run.objects.filter(parent=run)
    if named is None:
        subjects = tuple(mine.order_by("created_at", "pk").values_list("pk", flat=True)[: MOST_SUBJECTS + 1])
        if not 0 < len(subjects) <= MOST_SUBJECTS:
            raise fault("runs", f"This run has no child, or more than {MOST_SUBJECTS}: name those that are waited for.")
    else:
        subjects = named
        if mine.filter(pk__in=named).count() != len(named):
            raise fault("runs", "These are not all children of this run.")
    return Condition({"runs": [str(one) for one in subjects], "mode": mode, **ends}, subjects=subjects)


def _effects(given: Given, run: Run, now: datetime) -> Condition:
    subjects = given.ids("effects")
    mode = given.choice("mode", ("all", "any"), "all")
    if subjects is None or Effect.objects.filter(run=run, pk__in=subjects).count() != len(subjects):
        raise fault("effects", "This is a list of effects of this run.")
    return Condition({"effects": [str(one) for one in subjects], "mode": mode}, subjects=subjects)


def _dependency(given: Given, run: Run, now: datetime) -> Condition:
    name = _known_dependency(given, run, "name")
    return Condition({"name": name}, subject_name=name)


def _rate_window(given: Given, run: Run, now: datetime) -> Condition:
    name = _known_dependency(given, run, "dependency")
    due = _instant("resets_at", given.take("resets_at"), now)
    return Condition({"dependency": name, "resets_at": instant(due)}, subject_name=name, due_at=due)


def _known_dependency(given: Given, run: Run, field: str) -> str:
    name = given.text(field, LONGEST_NAME)
    if not Dependency.objects.filter(tenant_id=run.tenant_id, name=name, retired_at=None).exists():
        raise fault(field, "There is no dependency of this name.")
    return name


def _name(given: Given, field: str) -> str:
    name = given.text(field, LONGEST_NAME)
    if not NAME.match(name):
        raise fault(field, "A name has letters, digits, dots, - and _, and begins with a letter or a digit.")
    return name


READERS: Final[dict[str, Callable[[Given, Run, datetime], Condition]]] = {
    TIMER: _timer,
    CLOCK_TIME: _clock_time,
    SIGNAL: _signal,
    CHILDREN: _children,
    EFFECTS: _effects,
    DEPENDENCY: _dependency,
    RATE_WINDOW: _rate_window,
}
