"""R-A2: whoever alters, removes, doubles or adds an entry is found out, by stream and entry."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from psycopg import sql

from console.ledger.models import Entry, Payload
from runs.fold import BOOK as RUNS
from tests.cast import inside
from tests.ledger.story import Story, altered
from tests.record import findings, forger

pytestmark = pytest.mark.usefixtures("unguarded")
FIELDS = [field.attname for field in Entry._meta.concrete_fields if not field.primary_key]
PLACES = {"first": 0, "middle": 4, "last": -1}


def entries(stream: str) -> list[Entry]:
    """Give a stream's entries, in order."""
    with inside():
        return list(Entry.objects.filter(stream=stream).order_by("seq"))


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("field", FIELDS)
def test_verify_names_the_entry_of_which_a_field_was_altered(story: Story, field: str, where: str) -> None:
    stream = story.shop.run(story.run).stream()
    entry = entries(stream)[PLACES[where]]
    with altered("ledger_entry", entry.pk, field):
        found = [finding for finding in findings([RUNS]) if finding.stream == stream]
    named = {finding.entry for finding in found}
    if field == "stream":  # it is missed at its place: the next one, or the row's head, says so
        assert named & {entry.seq + 1, entry.seq - 1}
    elif field == "seq":
        assert f"entry {entry.seq} is missing" in {finding.detail for finding in found}
    else:
        assert entry.seq in named


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("field", ["body", "tenant_id", "erased_at"])
def test_verify_names_the_entry_of_which_the_payload_was_altered(story: Story, field: str, where: str) -> None:
    stream = story.shop.run(story.run).stream()
    entry = entries(stream)[PLACES[where]]
    with altered("ledger_payload", entry.pk, field):
        found = [finding for finding in findings([RUNS]) if finding.stream == stream]
    assert entry.seq in {finding.entry for finding in found}


@pytest.mark.parametrize("where", PLACES)
def test_verify_names_the_entry_whose_payload_was_removed(story: Story, where: str) -> None:
    stream = story.shop.run(story.run).stream()
    entry = entries(stream)[PLACES[where]]
    with removed("ledger_payload", "entry_id", entry.pk):
        found = findings([RUNS])
    assert (stream, entry.seq, "payload") in {(finding.stream, finding.entry, finding.where) for finding in found}


def test_verify_names_where_an_entry_in_the_middle_was_removed(story: Story) -> None:
    stream = story.shop.run(story.run).stream()
    entry = entries(stream)[3]
    with removed("ledger_payload", "entry_id", entry.pk), removed("ledger_entry", "id", entry.pk):
        found = findings()
    assert (stream, entry.seq + 1, "seq", f"entry {entry.seq} is missing") in {
        (finding.stream, finding.entry, finding.where, finding.detail) for finding in found
    }


def test_verify_misses_the_last_entry_because_the_row_knows_how_many_there_are(story: Story) -> None:
    stream = story.shop.run(story.run).stream()
    entry = entries(stream)[-1]
    with removed("ledger_payload", "entry_id", entry.pk), removed("ledger_entry", "id", entry.pk):
        found = findings()
    assert (stream, entry.seq - 1, "ledger_seq") in {
        (finding.stream, finding.entry, finding.where) for finding in found
    }


@pytest.mark.parametrize("column", ["ledger_seq", "ledger_hash"])
def test_verify_names_the_column_when_the_head_on_the_row_was_altered(story: Story, column: str) -> None:
    run = story.shop.run(story.run)
    with altered("runs_run", run.pk, column):
        found = findings()
    assert [(finding.stream, finding.entry, finding.where) for finding in found] == [
        (run.stream(), run.ledger_seq, column)
    ]


def test_verify_finds_a_row_that_was_doubled(story: Story) -> None:
    effect = story.shop.effect(story.run, "gas")
    double = uuid4()
    with added("runs_effect", effect.pk, {"id": str(double), "number": "99", "key": "'gas twice'"}):
        found = findings()
    assert [(finding.stream, finding.where) for finding in found] == [(f"run:{story.run}", f"effect {double}")]
    assert found[0].detail == "the row is there, and no entry tells of it"


def test_verify_finds_a_row_without_a_stream(story: Story) -> None:
    silent = uuid4()
    more = {"id": str(silent), "key": "'silent'", "ledger_seq": "0", "ledger_hash": "''"}
    with added("runs_run", story.run, more):
        found = findings()
    assert [(finding.stream, finding.where) for finding in found] == [(f"run:{silent}", f"run {silent}")]


def test_verify_finds_a_stream_without_its_row(story: Story) -> None:
    request = story.shop.effect(story.closed, "boat").request
    assert request is not None
    with removed("approvals_request", "id", request.pk):
        found = findings()
    assert [(finding.stream, finding.entry, finding.where) for finding in found] == [(request.stream(), 1, "row")]


def test_verify_finds_a_stream_without_its_row_even_when_the_first_entry_is_gone_too(story: Story) -> None:
    request = story.shop.effect(story.closed, "boat").request
    assert request is not None
    first = entries(request.stream())[0]
    with removed("approvals_request", "id", request.pk), removed("ledger_entry", "id", first.pk):
        found = findings()
    assert request.stream() in {finding.stream for finding in found}


def test_verify_finds_an_entry_of_a_kind_that_nothing_reads(story: Story) -> None:
    stream = story.shop.run(story.run).stream()
    entry = entries(stream)[-1]
    with altered("ledger_entry", entry.pk, "kind"):
        found = [finding for finding in findings([RUNS]) if finding.where == "fold"]
    assert [finding.stream for finding in found] == [stream]


def test_the_command_says_what_it_found_and_fails(
    story: Story, capsys: pytest.CaptureFixture[str], one_role: None
) -> None:
    run = story.shop.run(story.run)
    call_command("verify")
    assert "0 findings." in capsys.readouterr().out
    with altered("runs_run", run.pk, "goal"), pytest.raises(CommandError, match="does not hold"):
        call_command("verify")
    assert f"{run.stream()} entry 1: run {run.pk} goal:" in capsys.readouterr().out


@contextmanager
def removed(table: str, key: str, value: Any) -> Iterator[None]:
    """Let a row be gone inside the block."""
    with forger() as hand, copied(hand, table, key, value) as copy:
        names = {"table": sql.Identifier(table), "key": sql.Identifier(key), "copy": copy}
        hand.execute(sql.SQL("delete from {table} where {key} = %s").format(**names), [value])
        yield
        hand.execute(sql.SQL("insert into {table} select * from {copy}").format(**names))


@contextmanager
def added(table: str, like: Any, other: dict[str, str]) -> Iterator[None]:
    """Let there be a second row like one, but for these columns (in SQL), inside the block."""
    with forger() as hand, copied(hand, table, "id", like) as copy:
        for column, value in other.items():
            new = sql.Literal(value) if column == "id" else sql.SQL(value)
            hand.execute(sql.SQL("update {} set {} = {}").format(copy, sql.Identifier(column), new))
        hand.execute(sql.SQL("insert into {} select * from {}").format(sql.Identifier(table), copy))
        yield
        hand.execute(sql.SQL("delete from {} where id = %s").format(sql.Identifier(table)), [other["id"]])


@contextmanager
def copied(hand: psycopg.Connection, table: str, key: str, value: Any) -> Iterator[sql.Identifier]:
    """Have a copy of a row in a table of its own inside the block; gives that table's name."""
    copy = sql.Identifier(f"copy_{uuid4().hex}")
    row = sql.SQL("select * from {} where {} = %s").format(sql.Identifier(table), sql.Identifier(key))
    hand.execute(sql.SQL("create temporary table {} as {}").format(copy, row), [value])
    yield copy
    hand.execute(sql.SQL("drop table {}").format(copy))


def test_the_payload_is_told_of_by_its_entry() -> None:
    assert {field.attname for field in Payload._meta.concrete_fields} == {"entry_id", "tenant_id", "body", "erased_at"}
