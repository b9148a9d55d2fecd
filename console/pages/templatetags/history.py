"""A history as people read it: quiet stretches are folded into one line, and counts come with their word."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from console.pages.templatetags.times import aware, span

QUIET_SECONDS = 60


class Dated(Protocol):
    """Anything with an instant."""

    at: datetime


def folded(entries: Iterable[Dated]) -> Iterator[tuple[str, Dated]]:
    """Give each entry with the quiet stretch before it, in words, or an empty text where there was none."""
    before: datetime | None = None
    for entry in entries:
        at = aware(entry.at)
        quiet = (at - before).total_seconds() if before else 0
        yield (span(quiet) if quiet >= QUIET_SECONDS else ""), entry
        before = at
