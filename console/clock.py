"""The only clock that decides anything is the database's: `cf_now()`, read after the lock is held."""

from datetime import UTC, datetime
from typing import Any

from django.db import connections
from django.db.models import DateTimeField, Func

from console.database import alias


class DatabaseNow(Func):
    """`cf_now()` inside a query."""

    function = "cf_now"
    arity = 0
    output_field = DateTimeField()


def now() -> datetime:
    """Read the database's clock (UTC)."""
    with connections[alias()].cursor() as cursor:
        cursor.execute("select cf_now()")
        row: Any = cursor.fetchone()
    return row[0].astimezone(UTC)


def instant(at: datetime | None) -> str | None:
    """Write an instant as the record and the API do: RFC 3339, UTC, six digits of fraction."""
    return None if at is None else at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
