"""Quiet hours: a span of each day by the clock of somebody's zone, over midnight too, in which nothing is sent that can wait. Pure."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAY = timedelta(days=1)


def after_quiet(moment: datetime, since: time | None, until: time | None, zone: str) -> datetime:
    """Give this moment, or the end of the quiet hours in which it lies. An end that a change of the clock skips is the moment after."""
    if since is None or until is None or since == until:
        return moment
    place = known(zone)
    here = moment.astimezone(place)
    clock = here.time()
    over_midnight = since > until
    quiet = (clock >= since or clock < until) if over_midnight else since <= clock < until
    if not quiet:
        return moment
    day = here.date() + DAY if over_midnight and clock >= since else here.date()
    ends = datetime.combine(day, until, tzinfo=place).astimezone(moment.tzinfo)
    return max(ends, moment)


def known(zone: str) -> ZoneInfo:
    """Give a zone by its name; UTC for one that this machine does not know."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
