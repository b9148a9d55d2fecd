"""What tests of pages do: read them as people do, turn their pages, press twice at once, and look with the eyes of an older version."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html import unescape
from threading import Barrier
from typing import Any, TypeVar

from django.db import connections
from django.test import Client
from psycopg import sql

from tests import databases

T = TypeVar("T")
HTMX = {"HX-Request": "true"}


def text(answer: Any) -> str:
    """Give what an answer says, without its tags."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())))


def without_tokens(answer: Any) -> str:
    """Give an answer's content without the tokens of its forms, which are masked anew each time."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=")[^"]*', r"\1", answer.content.decode())


def walk(browser: Client, address: str, pattern: str) -> list[str]:
    """Read a list to its end, by its own links, and give what the pattern finds on each page, in order."""
    found: list[str] = []
    path = address.partition("?")[0]
    for _ in range(50):
        page = browser.get(address).content.decode()
        found += re.findall(pattern, page)
        older = re.search(r'<a rel="next" href="([^"]+)"', page)
        if older is None:
            return found
        assert older[1].startswith(path)
        address = unescape(older[1])
    raise AssertionError("the list has no end")


def at_once(acts: list[Callable[[], T]]) -> list[T]:
    """Do all of this at the same moment, each in a thread with connections of its own."""
    gate = Barrier(len(acts))

    def through(act: Callable[[], T]) -> T:
        gate.wait()
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [future.result() for future in [threads.submit(through, act) for act in acts]]


@contextmanager
def from_a_later_version(table: str, constraint: str | None, change: str) -> Iterator[None]:
    """Have rows as a later version would write them, which this version's constraint and guards do not know."""
    with databases.as_superuser(databases.name()) as connection:
        connection.execute("set session_replication_role = replica")
        known = None
        if constraint is not None:
            known = connection.execute(
                "select pg_get_constraintdef(oid) from pg_constraint where conname = %s", [constraint]
            ).fetchone()
            connection.execute(
                sql.SQL("alter table {} drop constraint {}").format(sql.Identifier(table), sql.Identifier(constraint))
            )
        connection.execute(sql.SQL(change))
        connection.commit()
        yield
        if known is not None:
            again = sql.SQL("alter table {} add constraint {} " + known[0] + " not valid")
            connection.execute(again.format(sql.Identifier(table), sql.Identifier(constraint or "")))
            connection.commit()
