"""Somebody with all rights on this process's database, on one connection that is kept, because signing in costs more than what is done."""

from contextlib import ExitStack

import psycopg

from tests import databases

_kept: list[tuple[ExitStack, psycopg.Connection]] = []


def hand() -> psycopg.Connection:
    """Give the connection, opened when it is first needed."""
    if not _kept or _kept[0][1].closed:
        _kept.clear()
        stack = ExitStack()
        _kept.append((stack, stack.enter_context(databases.as_superuser(databases.name()))))
    return _kept[0][1]
