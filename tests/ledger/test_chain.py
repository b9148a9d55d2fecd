"""The chain: each entry's hash covers all of it and the hash before; the row that a move locks carries the head."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.ledger.folding import entry_hash
from console.ledger.models import Entry
from console.ledger.queries import check_chains
from runs import intake
from tests.cast import inside
from tests.ledger.story import Story
from tests.shop import Shop, draft

words = st.text(st.characters(exclude_characters="\n\x00", exclude_categories=["Cs"]), max_size=40)
instants = st.integers(0, 10_000_000_000_000_000).map(
    lambda us: datetime(1971, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
)
digests = st.binary(min_size=32, max_size=32)
HASH = (
    "select ledger_hash(%s, %s, %s, %s, %s, (extract(epoch from %s::timestamptz) * 1000000)::bigint::text, %s, %s, %s)"
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.integers(1, 9), st.uuids(), words, st.integers(1, 2**62), words, instants, words, digests, st.binary(max_size=0) | digests,
)  # fmt: skip
def test_the_database_and_python_hash_alike(
    db: None,
    form: int,
    tenant: UUID,
    stream: str,
    seq: int,
    kind: str,
    at: datetime,
    actor: str,
    digest: bytes,
    before: bytes,
) -> None:
    with connections["worker"].cursor() as cursor:
        cursor.execute(HASH, [form, tenant, stream, seq, kind, at, actor, digest, before])
        row: Any = cursor.fetchone()
    entry = {
        "format": form, "tenant_id": tenant, "stream": stream, "seq": seq, "kind": kind, "at": at, "actor": actor, "payload_digest": digest,
        "prev_hash": before,
    }  # fmt: skip
    assert bytes(row[0]) == entry_hash(entry)


def test_instants_are_hashed_to_the_microsecond() -> None:
    entry: dict[str, Any] = {
        "format": 1, "tenant_id": UUID(int=1), "stream": "run:1", "seq": 1, "kind": "k", "actor": "a", "payload_digest": b"",
        "prev_hash": b"",
    }  # fmt: skip
    at = datetime(2026, 3, 1, 12, 0, 0, 999_999, UTC)
    assert entry_hash({**entry, "at": at}) != entry_hash({**entry, "at": at + timedelta(microseconds=1)})


def test_each_entry_follows_from_the_one_before_and_the_row_carries_the_head(story: Story) -> None:
    run = story.shop.run(story.run)
    with inside():
        entries = list(Entry.objects.filter(stream=run.stream()).select_related("payload").order_by("seq"))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.prev_hash for entry in entries] == [b"", *(entry.hash for entry in entries[:-1])]
    assert (run.ledger_seq, run.ledger_hash) == (len(entries), entries[-1].hash)
    assert all(
        hashlib.sha256((entry.payload.body or "").encode()).digest() == entry.payload_digest for entry in entries
    )


def test_several_runs_accepted_at_once_have_a_chain_each(shop: Shop) -> None:
    accepted = intake.accept(shop.bot, [shop.draft(draft("a"), draft("b")), shop.draft(draft("c"))])
    assert [shop.run(made.run_id).ledger_seq for made in accepted] == [3, 2]


def test_a_chain_is_checked_for_a_page_as_the_command_checks_it(story: Story) -> None:
    run = story.shop.run(story.run)
    stream, seq, head = run.stream(), run.ledger_seq, bytes(run.ledger_hash)
    with inside():
        checked = check_chains({stream: (seq, head)})
        shorter = check_chains({stream: (seq - 1, head)})
    assert (checked.ok, checked.entries, shorter.ok) == (True, seq, False)
