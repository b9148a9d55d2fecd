"""The database's clock, moved by tests: `cf_now()` is replaced by one that adds an offset, and put back afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests import databases

CLOCK = "create or replace function cf_now() returns timestamptz language sql stable parallel safe as $$ select {} $$"
HOUR = 3600.0
DAY = 24 * HOUR


@contextmanager
def at(seconds: float) -> Iterator[None]:
    """Let the database's clock be so many seconds ahead (or behind) inside the block, for every role and connection."""
    with databases.as_superuser(databases.name()) as connection:
        _set(connection, seconds)
        try:
            yield
        finally:
            _set(connection, 0)


def _set(connection: psycopg.Connection, seconds: float) -> None:
    now = f"clock_timestamp() + interval '{seconds} seconds'" if seconds else "clock_timestamp()"
    connection.execute(CLOCK.format(now).encode())
