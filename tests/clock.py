"""The database's clock, moved by tests: `cf_now()` is replaced by one that adds an offset, and put back afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.superuser import hand

CLOCK = "create or replace function cf_now() returns timestamptz language sql stable parallel safe as $$ select {} $$"
HOUR = 3600.0
DAY = 24 * HOUR


@contextmanager
def at(seconds: float) -> Iterator[None]:
    """Let the database's clock be so many seconds ahead (or behind) inside the block, for every role and connection."""
    _set(seconds)
    try:
        yield
    finally:
        _set(0)


@contextmanager
def still() -> Iterator[None]:
    """Let the database's clock stand still inside the block, however long that lasts."""
    (now,) = hand().execute("select clock_timestamp()").fetchone() or (None,)
    hand().execute(CLOCK.format(f"timestamptz '{now}'").encode())
    try:
        yield
    finally:
        _set(0)


def _set(seconds: float) -> None:
    now = f"clock_timestamp() + interval '{seconds} seconds'" if seconds else "clock_timestamp()"
    hand().execute(CLOCK.format(now).encode())
