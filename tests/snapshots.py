"""Rows kept as they once were: what took the product's own moves half a second is put back in a few milliseconds."""

from collections.abc import Callable
from typing import Generic, TypeVar

from psycopg import sql

from tests.cleaning import Cleaner

T = TypeVar("T")
Rows = dict[str, bytes]


class Kept(Generic[T]):
    """Things by name, each with the rows that making it left behind."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[T, Rows]] = {}

    def get(self, cleaner: Cleaner, name: str, make: Callable[[str], T]) -> T:
        """Give the thing with its rows in the database, beside those that are there."""
        if name not in self.made:
            there = taken(cleaner)
            cleaner.clean()
            thing = make(name)
            self.made[name] = thing, taken(cleaner)
            cleaner.clean()
            put_back(cleaner, there)
        thing, rows = self.made[name]
        put_back(cleaner, rows)
        return thing


def taken(cleaner: Cleaner) -> Rows:
    """Take a copy of all rows."""
    rows: Rows = {}
    for table in cleaner.with_rows():
        with cleaner.connection.cursor().copy(sql.SQL("copy {} to stdout").format(sql.Identifier(table))) as copy:
            rows[table] = b"".join(map(bytes, copy))
    return rows


def put_back(cleaner: Cleaner, rows: Rows) -> None:
    """Put rows in; the cleaner's connection asks neither triggers nor foreign keys."""
    for table, lines in rows.items():
        with cleaner.connection.cursor().copy(sql.SQL("copy {} from stdin").format(sql.Identifier(table))) as copy:
            copy.write(lines)
