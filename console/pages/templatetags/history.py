"""A history as people read it: quiet stretches are folded into one line, and counts come with their word."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from console.pages.templatetags.times import aware, day, span

QUIET_SECONDS = 60


class Dated(Protocol):
    """Anything with an instant."""

    at: datetime


def folded(entries: Iterable[Dated]) -> Iterator[tuple[str, str, Dated]]:
    """Give each entry with its day where a new one begins and the quiet stretch before it; empty texts where there is none."""
    before: datetime | None = None
    for entry in entries:
        at = aware(entry.at)
        quiet = (at - before).total_seconds() if before else 0
        new_day = before is None or before.date() != at.date()
        yield (day(at) if new_day else ""), (span(quiet) if quiet >= QUIET_SECONDS else ""), entry
        before = aware(getattr(entry, "until", None) or entry.at)
