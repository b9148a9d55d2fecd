"""Folding a stream: facts in, recorded columns out. Pure; what a fact means is said by the app that wrote it."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from console.clock import instant
from console.exact import Value, decode

Columns = dict[str, Value]
Place = tuple[str, str]  # (table, id)


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry as it was read: `at` in the record's form, `says` the payload."""

    seq: int
    kind: str
    at: str
    actor: str
    says: Mapping[str, Any]


@dataclass(slots=True)
class Folded:
    """What a stream amounts to so far: rows by place, and for each column the entry that said so last."""

    rows: dict[Place, Columns] = field(default_factory=dict)
    said_by: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def set(self, fact: Fact, table: str, key: str, /, **columns: Value) -> None:
        """Let the fact say these columns of this row."""
        self.rows.setdefault((table, key), {}).update(columns)
        for column in columns:
            self.said_by[table, key, column] = fact.seq

    def get(self, table: str, key: str, column: str) -> Value:
        """Give what has been said of a column; None when nothing was."""
        return self.rows.get((table, key), {}).get(column)


Reducer = Callable[[Folded, str, Fact], None]  # (so far, the stream's id, fact)


class UnknownFact(Exception):
    """An entry is of a kind that nothing here can read."""


def fold(stream_id: str, facts: list[Fact], reducers: Mapping[str, Reducer]) -> Folded:
    """Fold facts in their order. Raises UnknownFact."""
    folded = Folded()
    for fact in facts:
        reducer = reducers.get(fact.kind)
        if reducer is None:
            raise UnknownFact(fact.kind)
        reducer(folded, stream_id, fact)
    return folded


def plain(value: Any) -> Value:
    """Write a column as a fact would: ids as text, instants and digests in the record's form."""
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def entry_hash(entry: Mapping[str, Any]) -> bytes:
    """Give the hash that an entry must carry (ledger_hash in console/ledger/sql/append.sql)."""
    at = entry["at"].astimezone(UTC)
    microseconds = int((at - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() // 1) * 1_000_000 + at.microsecond
    lines = [
        f"counterfoil-ledger {entry['format']}", str(entry["tenant_id"]), entry["stream"], str(entry["seq"]), entry["kind"],
        str(microseconds), entry["actor"], entry["payload_digest"].hex(), entry["prev_hash"].hex(),
    ]  # fmt: skip
    return hashlib.sha256("\n".join(lines).encode()).digest()


def read(entry: Mapping[str, Any]) -> Fact:
    """Read an entry whose payload is there."""
    says = decode(entry["body"].encode())
    if not isinstance(says, dict):
        raise UnknownFact(entry["kind"])
    return Fact(entry["seq"], entry["kind"], instant(entry["at"]) or "", entry["actor"], says)
