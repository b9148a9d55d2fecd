"""Give each test an empty database: tests commit for real, on three roles, so nothing can be rolled back."""

from types import TracebackType
from typing import Any, Self

import psycopg
import redis
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql
from psycopg.pq import TransactionStatus

from tests import databases

MANY_ROWS = 5000
END_THE_LEFT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'
"""


class Cleaner:
    """Empties the tables that have rows; those that migrations filled stay as they are."""

    def __init__(self) -> None:
        self.held = databases.as_superuser(databases.name())
        self.bell = redis.Redis.from_url(settings.REDIS_URL)

    def __enter__(self) -> Self:
        self.connection: psycopg.Connection = self.held.__enter__()
        # A replica runs no triggers: the ledger's refusal to be emptied is not for us.
        self.connection.execute("SET session_replication_role = replica")
        self.connection.execute("SET lock_timeout = '30s'")
        found = self.connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        self.tables = [name for (name,) in found]
        filled = set(self.with_rows())
        self.tables = [name for name in self.tables if name not in filled]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bell.close()
        self.held.__exit__(kind, error, trace)

    def with_rows(self) -> list[str]:
        """Give the tables that have rows, by one statement."""
        if not self.tables:
            return []
        each = sql.SQL(" UNION ALL ").join(
            sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(sql.Literal(table), sql.Identifier(table))
            for table in self.tables
        )
        return [name for (name,) in self.connection.execute(each, prepare=True)]

    def clean(self) -> None:
        """Empty the tables and this process's Valkey number."""
        leave_transactions()
        if self.connection.execute(END_THE_LEFT, prepare=True).rowcount:
            leave_pools()  # one of ours may be among those that were ended, and a pool does not see it
        # Without triggers and foreign keys a DELETE is thirty times as quick as a TRUNCATE, unless there is much to delete.
        many = [table for table in self.with_rows() if self.delete(table) > MANY_ROWS]
        if many:
            self.connection.execute(
                sql.SQL("TRUNCATE {} CASCADE").format(sql.SQL(", ").join(map(sql.Identifier, many)))
            )
        self.bell.flushdb()

    def delete(self, table: str) -> int:
        """Delete all rows of a table; say how many there were."""
        return self.connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)), prepare=True).rowcount


def leave_transactions() -> None:
    """Close this process's connections that a test left inside a transaction, said by Django or by hand."""
    for connection in connections.all(initialized_only=True):
        replace_if_ended(connection)
        held = connection.connection
        if connection.in_atomic_block or (held is not None and held.info.transaction_status != TransactionStatus.IDLE):
            connection.in_atomic_block = False
            connection.needs_rollback = False
            connection.run_on_commit = []
            connection.close()


def replace_if_ended(connection: BaseDatabaseWrapper) -> None:
    """Close a connection that a test had ended by the server, so that its next use opens another."""
    if connection.connection is not None and not connection.is_usable():
        connection.in_atomic_block = False
        connection.close()


def leave_pools() -> None:
    """Close this process's connections, those that wait in pools included."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        pooled: Any = connection
        pooled.close_pool()
