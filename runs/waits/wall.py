"""Wall-clock times of a zone as instants, across the days on which its clocks are put forward and back. Pure.

What is chosen is chosen when the wait opens, and shown: a change of the zone's rules afterwards moves nothing."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from console.clock import instant
from console.http.refusals import InvalidContent

EARLIER, LATER, REFUSE = "earlier", "later", "refuse"
REPEATED: Final = (EARLIER, LATER, REFUSE)
SKIPPED: Final = (LATER, REFUSE)
DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class TimeRepeated(InvalidContent):
    """This time comes twice on that day, because the clocks are put back. Say with `repeated` which one is meant: `earlier` or `later`."""

    code = "time_repeated"


class TimeSkipped(InvalidContent):
    """This time does not come on that day, because the clocks are put forward. Say `skipped: later` to have it moved on by as much."""

    code = "time_skipped"


def moment(local: datetime, there: ZoneInfo, repeated: str = REFUSE, skipped: str = REFUSE) -> datetime:
    """Give the instant at which the clocks of a zone show a local time. Raises TimeRepeated and TimeSkipped, with what there is to choose.

    A time that is skipped is moved on by as much as the clocks are: 02:30 becomes 03:30 where 02:00 to 03:00 is left out."""
    first, second = (local.replace(tzinfo=there, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first
    if first < second:  # the clocks are put back between them
        if repeated == REFUSE:
            raise TimeRepeated(path="/condition/local", earlier=instant(first), later=instant(second))
        return first if repeated == EARLIER else second
    if skipped == REFUSE:
        raise TimeSkipped(path="/condition/local", later=instant(first))
    return first  # read by the offset that held before, it is as much later as is left out


def next_time(at: time, days: frozenset[str], there: ZoneInfo, repeated: str, skipped: str, now: datetime) -> datetime:
    """Give the next instant after `now` at which the clocks show this time, on one of these days (all, when none is named)."""
    day: date = now.astimezone(there).date() - timedelta(days=1)
    while True:
        if not days or DAYS[day.weekday()] in days:
            found = moment(datetime.combine(day, at), there, repeated, skipped)
            if found > now:
                return found
        day += timedelta(days=1)
