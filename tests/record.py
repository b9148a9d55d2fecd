"""The record as tests read it: what `verify` finds, what a stream says, and a hand that alters what nobody may."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from approvals.fold import BOOK as REQUESTS
from approvals.fold import coverage_findings
from approvals.granting.fold import BOOK as GRANTS
from compensation.fold import BOOK as PLANS
from console.database import crossing_tenants
from console.exact import decode
from console.ledger.models import Entry
from console.ledger.verification import Book, Finding, verify
from runs.administration_fold import BOOK as ADMINISTRATION
from runs.fold import BOOK as RUNS
from tests.cast import inside
from tests.superuser import hand

BOOKS = (ADMINISTRATION, REQUESTS, GRANTS, RUNS, PLANS)


def findings(books: Sequence[Book] = BOOKS) -> list[Finding]:
    """Verify everything, or these books, and give what does not hold."""
    with crossing_tenants():
        found = [finding for book in books for finding in verify(book) if finding is not None]
        return [*found, *(coverage_findings() if ADMINISTRATION in books else ())]


def told(stream: str) -> list[tuple[str, Any]]:
    """Give what a stream says: (kind, facts) in order, but for the door that somebody came by."""
    with inside():
        entries = Entry.objects.filter(stream=stream).select_related("payload").order_by("seq")
        return [
            (entry.kind, _without_door(decode(entry.payload.body)))
            for entry in entries
            if entry.payload.body is not None
        ]


def _without_door(says: Any) -> Any:
    return {name: fact for name, fact in says.items() if name != "via"}


def kinds(stream: str) -> list[str]:
    """Give the kinds of a stream's entries, in order."""
    return [kind for kind, _ in told(stream)]


@contextmanager
def forger() -> Iterator[psycopg.Connection]:
    """Be somebody with all rights, whom neither triggers nor foreign keys stop."""
    connection = hand()
    (before,) = connection.execute("show session_replication_role").fetchone() or ("origin",)
    connection.execute("set session_replication_role = replica")
    try:
        yield connection
    finally:
        connection.execute(f"set session_replication_role = {before}".encode())
