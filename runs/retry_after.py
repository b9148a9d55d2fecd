"""Retry-After in both its forms (RFC 9110, 10.2.3): whole seconds, or a date."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

LONGEST_SECONDS: Final = 366 * 86400.0


def retry_after_seconds(value: str, *, date: str | None, now: datetime) -> float | None:
    """Give the seconds to wait, from 0 to a year; a date counts from the answer's own Date, else from `now`.

    What cannot be read is no wish at all: None."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:12]), LONGEST_SECONDS)
    wished = _instant(text)
    if wished is None:
        return None
    since = (_instant(date) if date else None) or now
    return min(max((wished - since).total_seconds(), 0.0), LONGEST_SECONDS)


def _instant(text: str) -> datetime | None:
    try:
        parsed = parsedate_to_datetime(text)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
