"""R-A2: whoever alters a recorded column behind the product's back is found out, by stream, column and entry."""

import pytest

from approvals.models import Coverage, Policy
from console.ledger.models import Entry
from tests.cast import inside
from tests.ledger.story import TABLES, Story, altered
from tests.record import findings

pytestmark = pytest.mark.usefixtures("unguarded")
COLUMNS = [(table.name, column) for table in TABLES.values() for column in table.recorded]
OWNERS = {(table.name, table.owner) for table in TABLES.values()}
TEXTS = [(table.name, text) for table in TABLES.values() for text, _ in (*table.proofs, *table.contents)]
# Columns that steer the work and are no part of the record; everything else is one.
OPERATIONAL = {
    "run": {"lease_expires_at", "watch_at", "open_waits", "told_at"},
    "effect": {"next_attempt_at", "next_step", "objective_at", "next_alert_at", "traceparent", "holds_unit", "watch", "undo_due"},
    "attempt": {"lease_expires_at", "marks_before_send", "sent_mark_at", "dependency_name"},
    "request": {
        "heard_at", "traceparent", "read_due_at", "reading_until", "reads_failed", "read_fault", "remind_at", "reminders",
        "outcome_told", "escalate_at",
        "finish_due_at",
    },
    "key": {"last_used_at"}, "tenant": {"created_at"}, "policy": {"displaced", "standing_before"},
    "checkpoint": {"sealed_with", "drop_at"}, "endpoint": {"sealed_secret"}, "channel": {"sealed_url"},
    "member": {"tour_step", "single_keys"},
    "callback": {"next_try_at"},
    "signal": {"expires_at"},
    "pause": {"released_at", "release_after"}, "tenant_pause": {"run_id", "released_at", "release_after"},
    "cancellation": {"due_at"}, "grant": {"last_used_at"}, "item": {"next_alert_at"}, "plan": {"next_alert_at"},
}  # fmt: skip


def test_nothing_is_found_in_a_record_that_nobody_touched(story: Story) -> None:
    assert findings() == []


@pytest.mark.parametrize(("table", "column"), [each for each in COLUMNS if each not in OWNERS])
def test_verify_names_an_altered_column_with_its_stream_and_entry(story: Story, table: str, column: str) -> None:
    row = story.row(table)
    stream = story.owner_stream(table, row)
    with altered(row._meta.db_table, row.pk, column):
        found = findings([story.book(table)])
    assert found[0].where == f"{table} {row.pk} {column}"
    assert found[0].stream == stream
    assert found[0].entry in places(stream)
    assert {finding.where for finding in found} <= {
        f"{table} {row.pk} {name}" for name in (column, *beside(table, column))
    }


@pytest.mark.parametrize(("table", "column"), sorted(each for each in OWNERS if each[1] not in {"id", "tenant_id"}))
def test_verify_misses_a_row_that_was_given_to_another_owner(story: Story, table: str, column: str) -> None:
    row = story.row(table)
    stream = story.owner_stream(table, row)
    with altered(row._meta.db_table, row.pk, column):
        found = findings([story.book(table)])
    missed = [finding for finding in found if finding.where == f"{table} {row.pk}"]
    assert [(finding.stream, finding.detail) for finding in missed] == [
        (stream, "entries tell of a row that is not there")
    ]
    assert missed[0].entry in places(stream)


@pytest.mark.parametrize(("table", "column"), TEXTS)
def test_verify_compares_a_text_with_the_digest_that_was_recorded(story: Story, table: str, column: str) -> None:
    row = story.row(table)
    with altered(row._meta.db_table, row.pk, column):
        found = findings([story.book(table)])
    assert [finding.where for finding in found] == [f"{table} {row.pk} {column}"]
    assert found[0].entry in places(found[0].stream)


@pytest.mark.parametrize("table", [name for name in TABLES if name != "tenant"])
def test_verify_finds_a_row_that_was_moved_to_another_tenant(story: Story, table: str) -> None:
    row = story.row(table)
    with altered(row._meta.db_table, row.pk, "tenant_id"):
        found = findings([story.book(table)])
    assert story.owner_stream(table, row) in {finding.stream for finding in found}


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_recorded_or_steers_the_work(name: str) -> None:
    table = TABLES[name]
    columns = {field.attname for field in table.model._meta.concrete_fields}
    proven = {text for text, _ in (*table.proofs, *table.contents, *table.sealed)}
    rest = columns - set(table.recorded) - proven - {"id", "tenant_id", "ledger_seq", "ledger_hash"}
    assert rest == OPERATIONAL.get(name, set())


def test_verify_compares_which_policy_governs_what_with_the_policies_in_force(story: Story) -> None:
    with inside():
        covered = Coverage.objects.get(operation="pay")
        rest = Policy.objects.get(name="rest", superseded_at=None)
    for table, key, column in (
        ("approvals_coverage", covered.pk, "operation"),
        ("approvals_policy", rest.pk, "displaced"),
    ):
        with altered(table, key, column):
            assert {finding.stream for finding in findings()} == {f"tenant:{story.shop.tenant.pk}"}


def test_the_entry_named_is_the_one_that_said_so_last(story: Story) -> None:
    run = story.shop.run(story.run)
    last = len(places(run.stream()))
    with altered("runs_run", run.pk, "state"):
        assert [finding.entry for finding in findings([story.book("run")])] == [last]
    with altered("runs_run", run.pk, "goal"):
        assert [finding.entry for finding in findings([story.book("run")])] == [1]


def beside(table: str, column: str) -> list[str]:
    """Give the text whose recorded digest a column is, and what is sealed, whatever of its row it disagrees with."""
    kept = (*TABLES[table].proofs, *TABLES[table].contents)
    return [text for text, digest in kept if digest == column] + [name for name, _ in TABLES[table].sealed]


def places(stream: str) -> set[int]:
    """Give the places of a stream's entries."""
    with inside():
        return set(Entry.objects.filter(stream=stream).values_list("seq", flat=True))
