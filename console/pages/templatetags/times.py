"""Times as people read them: never negative, never absurd, always with the absolute time beside them."""

from datetime import UTC, datetime, timedelta

DAY = 86400
YEAR = 365 * DAY


def aware(at: datetime) -> datetime:
    """Give the instant in UTC; one without a zone is taken as UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def span(seconds: float) -> str:
    """Give a length of time in the one or two units that do not mislead: 8 s, 18 min, 3 h 58 min, 2 days 23 h, 9 days."""
    seconds = max(0, int(seconds))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < DAY:
        hours, rest = divmod(seconds // 60, 60)
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    days, hours = divmod(seconds // 3600, 24)
    told = "1 day" if days == 1 else f"{days} days"
    return f"{told} {hours} h" if hours and days < 7 else told


def ago(at: datetime | None, now: datetime) -> str:
    """Give how long ago it was; what lies ahead is said to be ahead."""
    if at is None:
        return "not yet"
    seconds = (aware(now) - aware(at)).total_seconds()
    if abs(seconds) < 5:
        return "just now"
    if abs(seconds) > 60 * DAY:
        return day(at)
    return f"in {span(-seconds)}" if seconds < 0 else f"{span(seconds)} ago"


def age(at: datetime | None, now: datetime) -> str:
    """Give how old it is, without a word around it."""
    return "" if at is None else span((aware(now) - aware(at)).total_seconds())


def left(until: datetime | None, now: datetime) -> str:
    """Give what is left until then: 18 min left, <1 min left, expired, no expiry."""
    if until is None:
        return "no expiry"
    seconds = (aware(until) - aware(now)).total_seconds()
    if seconds <= 0:
        return "expired"
    if seconds < 60:
        return "<1 min left"
    if seconds > 10 * YEAR:
        return "no expiry"
    return f"until {day(until)}" if seconds > 60 * DAY else f"{span(seconds)} left"


def took(start: datetime | None, end: datetime | None) -> str:
    """Give how long it lasted, from milliseconds up."""
    if start is None or end is None:
        return ""
    seconds = max(0.0, (aware(end) - aware(start)).total_seconds())
    if seconds < 1:
        return f"{round(seconds * 1000)} ms"
    return f"{seconds:.1f} s" if seconds < 60 else span(seconds)


def day(at: datetime) -> str:
    """Give the date: 3 Nov 2025."""
    at = aware(at)
    return f"{at.day} {at:%b} {at.year}"


def clock(at: datetime, now: datetime) -> str:
    """Give the time of day, with the date when it is not today's: 14:32, 3 Nov 14:32."""
    at = aware(at)
    if at.date() == aware(now).date():
        return f"{at:%H:%M}"
    return f"{at.day} {at:%b} {at:%H:%M}" if at.year == aware(now).year else f"{day(at)} {at:%H:%M}"


def absolute(at: datetime) -> str:
    """Give the whole instant: 3 Nov 2025, 14:32:08 UTC."""
    return f"{day(at)}, {aware(at):%H:%M:%S} UTC"


def soon(until: datetime | None, now: datetime, within: timedelta = timedelta(hours=1)) -> bool:
    """Tell whether the deadline is near enough to be loud, and not past."""
    return until is not None and timedelta(0) < aware(until) - aware(now) < within


def last_quarter(since: datetime | None, until: datetime | None) -> timedelta:
    """Give how near a deadline has to be to be loud: the last quarter of the time that there was, and never more than an hour."""
    hour = timedelta(hours=1)
    return min(hour, (aware(until) - aware(since)) / 4) if since and until else hour
