"""Verifying the record: every chain is whole, every head is where its row says, and every recorded column is what the facts amount to."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F, Func, Min, Model

from console.database import snapshot
from console.fields import Digest
from console.ledger.folding import Folded, Reducer, UnknownFact, entry_hash, fold, plain, read
from console.ledger.models import Chained, Entry

CHUNK = 200


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that a book accounts for: `owner` is the column that holds the stream's id, `proofs` pairs a text with its digest column.

    `contents` pairs bytes with their digest column; they are large, so that the database hashes them where they lie. `sealed` pairs bytes
    that only their app can open with what says how a row's are wrong, if they are. `only` says which of the model's rows these are, where
    another book accounts for the rest."""

    name: str
    model: type[Model]
    owner: str
    recorded: Sequence[str]
    proofs: Sequence[tuple[str, str]] = ()
    contents: Sequence[tuple[str, str]] = ()
    sealed: Sequence[tuple[str, Callable[[Any], str | None]]] = ()
    only: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Book:
    """All streams of one kind: the model that carries their heads, what reads their facts, and the rows they account for."""

    noun: str
    heads: type[Chained]
    reducers: Mapping[str, Reducer]
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold: where, what, and which entry says otherwise (0: none does)."""

    stream: str
    entry: int
    where: str
    detail: str

    def __str__(self) -> str:
        return f"{self.stream} entry {self.entry}: {self.where}: {self.detail}"


def verify(book: Book) -> Iterator[Finding | None]:
    """Check every stream of a book, each at one moment; gives what is wrong, and None for each stream that is whole."""
    after: UUID | None = None
    while True:
        with snapshot():
            heads = book.heads._default_manager.order_by("pk")
            chunk = list(heads[:CHUNK] if after is None else heads.filter(pk__gt=after)[:CHUNK])
            found = list(_verify_chunk(book, chunk)) if chunk else list(_strays(book))
        yield from found
        if not chunk:
            return
        after = chunk[-1].pk


def check(book: Book, heads: Sequence[Any]) -> list[Finding]:
    """Check some streams of a book, whose heads the caller has locked; gives what is wrong."""
    return [finding for finding in _verify_chunk(book, list(heads)) if finding is not None]


def _verify_chunk(book: Book, heads: list[Any]) -> Iterator[Finding | None]:
    streams = [head.stream() for head in heads]
    entries: dict[str, list[dict[str, Any]]] = defaultdict(list)
    found = Entry.objects.filter(stream__in=streams).order_by("stream", "seq")
    for entry in found.values(
        "tenant_id",
        "stream",
        "seq",
        "format",
        "kind",
        "at",
        "actor",
        "payload_digest",
        "prev_hash",
        "hash",
        "payload__body",
        "payload__tenant_id",
        "payload__erased_at",
    ):
        entries[entry["stream"]].append({**entry, "body": entry["payload__body"]})
    rows = {table.name: _rows(table, [head.pk for head in heads]) for table in book.tables}
    for head in heads:
        findings = list(
            _verify_stream(book, head, entries[head.stream()], {name: of.get(head.pk, []) for name, of in rows.items()})
        )
        if findings:
            yield from findings
        else:
            yield None


def _rows(table: Table, owners: list[UUID]) -> dict[UUID, list[Any]]:
    found: dict[UUID, list[Any]] = defaultdict(list)
    hashed = {f"hash_of_{name}": Func(F(name), function="sha256", output_field=Digest()) for name, _ in table.contents}
    rows = table.model._default_manager.filter(**{f"{table.owner}__in": owners, **table.only}).annotate(**hashed)
    for row in rows.defer(*[name for name, _ in (*table.contents, *table.sealed)]):
        found[getattr(row, table.owner)].append(row)
    return found


def _verify_stream(
    book: Book, head: Any, entries: list[dict[str, Any]], rows: dict[str, list[Any]]
) -> Iterator[Finding]:
    stream = head.stream()
    broken = list(_chain(stream, head, entries))
    yield from broken
    try:
        folded = fold(str(head.pk), [read(entry) for entry in entries if entry["body"] is not None], book.reducers)
    except (UnknownFact, KeyError, ValueError) as fault:
        yield Finding(stream, 0, "fold", f"the facts cannot be read: {type(fault).__name__} {fault}")
        return
    for table in book.tables:
        yield from _compare(head, table, folded, rows[table.name])


def _chain(stream: str, head: Any, entries: list[dict[str, Any]]) -> Iterator[Finding]:
    previous, expected = b"", 1
    erased_by = {entry["at"]: entry["seq"] for entry in entries if entry["kind"].endswith(".erased")}
    for entry in entries:
        seq = entry["seq"]
        if seq != expected:
            yield Finding(stream, seq, "seq", f"entry {expected} is missing")
        if entry["tenant_id"] != _tenant(head):
            yield Finding(stream, seq, "tenant_id", "the entry belongs to another tenant")
        if entry["prev_hash"] != previous:
            yield Finding(stream, seq, "prev_hash", "it does not follow from the entry before")
        yield from _payload(stream, entry, erased_by)
        if entry_hash(entry) != entry["hash"]:
            yield Finding(stream, seq, "hash", "the entry is not the one that was recorded")
        previous, expected = entry["hash"], seq + 1
    if head.ledger_seq != expected - 1:
        yield Finding(
            stream, expected - 1, "ledger_seq", f"the row says {head.ledger_seq} entries, the stream has {expected - 1}"
        )
    elif head.ledger_hash != previous:
        yield Finding(stream, expected - 1, "ledger_hash", "the row's head is not the last entry's hash")


def _payload(stream: str, entry: dict[str, Any], erased_by: Mapping[Any, int]) -> Iterator[Finding]:
    body, seq = entry["body"], entry["seq"]
    if (body is None) != (entry["payload__erased_at"] is not None):
        yield Finding(stream, seq, "payload", "it is gone and not erased, or erased and still there")
    elif body is None and erased_by.get(entry["payload__erased_at"], 0) <= seq:
        yield Finding(stream, seq, "payload", "it was erased, and no entry says so")
    if entry["payload__tenant_id"] not in {None, entry["tenant_id"]}:
        yield Finding(stream, seq, "payload tenant_id", "the payload belongs to another tenant than its entry")
    if body is not None and hashlib.sha256(body.encode()).digest() != entry["payload_digest"]:
        yield Finding(stream, seq, "payload", "the payload is not the one that was recorded")


def _compare(head: Any, table: Table, folded: Folded, rows: list[Any]) -> Iterator[Finding]:
    stream = head.stream()
    told = {key: columns for (name, key), columns in folded.rows.items() if name == table.name}
    for row in rows:
        key = str(row.pk)
        columns = told.pop(key, None)
        if columns is None:
            yield Finding(stream, 0, f"{table.name} {key}", "the row is there, and no entry tells of it")
            continue
        if getattr(row, "tenant_id", _tenant(head)) != _tenant(head):
            yield Finding(
                stream,
                _told_by(folded, table, key),
                f"{table.name} {key} tenant_id",
                "the row belongs to another tenant",
            )
        for column in table.recorded:
            stored = plain(getattr(row, column))
            if stored != columns.get(column):
                seq = folded.said_by.get((table.name, key, column), 0)
                yield Finding(
                    stream, seq, f"{table.name} {key} {column}", f"recorded {columns.get(column)!r}, stored {stored!r}"
                )
        yield from _prove(stream, table, folded, row)
    for key in told:
        at = _told_by(folded, table, key)
        yield Finding(stream, at, f"{table.name} {key}", "entries tell of a row that is not there")


def _prove(stream: str, table: Table, folded: Folded, row: Any) -> Iterator[Finding]:
    """Compare what is kept beside the record with the digests in it."""
    key = str(row.pk)
    hashes = [("text", text, digest, _hash(getattr(row, text))) for text, digest in table.proofs]
    hashes += [("content", name, digest, getattr(row, f"hash_of_{name}")) for name, digest in table.contents]
    for name, wrong_with in table.sealed:
        fault = wrong_with(row)
        if fault is not None:
            yield Finding(stream, _told_by(folded, table, key), f"{table.name} {key} {name}", fault)
    for what, name, digest, found in hashes:
        if found is not None and found != getattr(row, digest):
            seq = folded.said_by.get((table.name, key, digest), 0)
            yield Finding(
                stream, seq, f"{table.name} {key} {name}", f"the {what} is not the one whose digest was recorded"
            )


def _hash(text: str | None) -> bytes | None:
    return None if text is None else hashlib.sha256(text.encode()).digest()


def _tenant(head: Any) -> UUID:
    found: UUID = getattr(head, "tenant_id", head.pk)  # a tenant heads a stream itself
    return found


def _told_by(folded: Folded, table: Table, key: str) -> int:
    """Give the first entry that still speaks for a row."""
    return min(seq for (name, row, _), seq in folded.said_by.items() if (name, row) == (table.name, key))


def _strays(book: Book) -> Iterator[Finding]:
    """Find streams whose row is gone."""
    known = book.heads._default_manager.values_list("pk", flat=True)
    prefix = f"{book.noun}:"
    streams = Entry.objects.filter(stream__startswith=prefix).values_list("stream").annotate(first=Min("seq"))
    ids = {str(key) for key in known.iterator()}
    for stream, first in streams.iterator():
        if stream.removeprefix(prefix) not in ids:
            yield Finding(stream, first, "row", "the stream is there, and its row is not")
