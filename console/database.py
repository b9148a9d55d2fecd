"""Which role speaks to PostgreSQL, and for which tenant. Every move and every read goes through `transaction`.

The application role sees one tenant at a time: row-level security compares each row with `cf.tenant`, which is set for the
length of a transaction only, so that a pooler in transaction mode is safe. Workers, the clock and commands cross tenants
under a role of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.db import connections
from django.db import transaction as django_transaction

_alias: ContextVar[str] = ContextVar("database_alias", default="default")
_process_alias = "default"


class OneRoleAtATime:
    """Django's router: queries go to the role in force, and only the owner migrates."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return alias()

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return alias()

    def allow_relation(self, a: Any, b: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"


def alias() -> str:
    """Give Django's name of the connection in force."""
    named = _alias.get()
    return _process_alias if named == "default" else named


def cross_tenants_in_this_process() -> None:
    """Make the worker role this process's own: for workers, the clock and commands, never for the web server."""
    global _process_alias  # noqa: PLW0603 - said once, when the process starts
    _process_alias = "worker"


@contextmanager
def crossing_tenants() -> Iterator[None]:
    """Use the worker role inside the block."""
    token = _alias.set("worker")
    try:
        yield
    finally:
        _alias.reset(token)


@contextmanager
def migrating() -> Iterator[None]:
    """Use the owner role inside the block; other packages' migrations read and write without naming a role."""
    token = _alias.set("owner")
    try:
        yield
    finally:
        _alias.reset(token)


@contextmanager
def transaction(tenant_id: UUID | None) -> Iterator[None]:
    """Open one transaction, for one tenant; None only where the role crosses tenants. Never nested: its end is the commit."""
    using = alias()
    with django_transaction.atomic(using=using, durable=True):
        if tenant_id is not None:
            with connections[using].cursor() as cursor:
                cursor.execute("select set_config('cf.tenant', %s, true)", [str(tenant_id)])
        yield


@contextmanager
def snapshot() -> Iterator[None]:
    """Open a read-only transaction that sees one moment throughout, across tenants."""
    using = alias()
    with django_transaction.atomic(using=using, durable=True):
        with connections[using].cursor() as cursor:
            cursor.execute("set transaction isolation level repeatable read, read only")
        yield


def rows(sql: str, parameters: list[Any] | dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Run one statement on the connection in force and give its rows as dicts."""
    with connections[alias()].cursor() as cursor:
        cursor.execute(sql, parameters)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def after_commit(call: Any) -> None:
    """Run `call` once the transaction in force has committed; its failure harms nobody."""
    django_transaction.on_commit(call, using=alias(), robust=True)
