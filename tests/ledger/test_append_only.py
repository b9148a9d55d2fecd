"""Append-only by rights first, by trigger second: not even the owner changes an entry."""

import psycopg
import pytest
from django.db import connections
from django.db.utils import ProgrammingError

from console.database import alias, crossing_tenants, migrating
from tests.ledger.story import Story
from tests.record import forger
from tests.shop import Shop, draft

RECORD = ("ledger_entry", "ledger_payload", "ledger_refusal")
CHANGES = ("update {} set tenant_id = tenant_id", "delete from {}", "truncate {} cascade")


def run_as(role: str, statement: str) -> None:
    """Run a statement as a role."""
    with connections[role].cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("table", RECORD)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("role", ["default", "worker"])
def test_the_serving_roles_have_no_right_to_change_the_record(story: Story, role: str, change: str, table: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        run_as(role, change.format(table))


@pytest.mark.parametrize("table", RECORD)
@pytest.mark.parametrize("change", CHANGES[:2])
def test_a_trigger_stops_whoever_has_the_rights(story: Story, change: str, table: str) -> None:
    with pytest.raises(ProgrammingError, match="append-only"):
        run_as("owner", change.format(table))


@pytest.mark.parametrize("table", RECORD)
def test_a_trigger_stops_whoever_would_empty_the_record_at_once(story: Story, table: str) -> None:
    with pytest.raises(ProgrammingError, match="append-only"):
        run_as("owner", f"truncate {table} cascade")


@pytest.mark.parametrize(
    "table", ["approvals_decision", "runs_attempt", "runs_effect", "runs_run", "approvals_request", "approvals_policy"]
)
@pytest.mark.parametrize("role", ["default", "worker"])
def test_the_serving_roles_delete_nothing_that_was_accepted(story: Story, role: str, table: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        run_as(role, f"delete from {table}")


@pytest.mark.parametrize("role", ["default", "worker"])
def test_a_decision_once_taken_cannot_be_rewritten(story: Story, role: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        run_as(role, "update approvals_decision set verdict = 'approve'")


@pytest.mark.parametrize("role", ["default", "worker"])
def test_the_serving_roles_cannot_change_the_schema(story: Story, role: str) -> None:
    with pytest.raises(ProgrammingError, match="must be owner"):
        run_as(role, "alter table ledger_entry disable trigger all")
    with pytest.raises(ProgrammingError, match="permission denied"):
        run_as(role, "create or replace function cf_now() returns timestamptz language sql as $$ select now() $$")


@pytest.mark.parametrize("role", ["default", "worker"])
def test_the_serving_roles_do_not_choose_the_incarnation(story: Story, role: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        run_as(role, "update ledger_incarnation set number = 7")


def test_the_names_of_an_entry_hold_no_line_break_so_that_no_field_can_pass_for_another(shop: Shop) -> None:
    shop.accept(draft("a"))
    with forger() as hand, pytest.raises(psycopg.errors.CheckViolation, match="ledger_words_hold_no_line_break"):
        hand.execute("update ledger_entry set actor = actor || chr(10)")


def test_each_block_names_its_role(one_role: None) -> None:
    assert alias() == "default"
    with crossing_tenants():
        assert alias() == "worker"
        with migrating():
            assert alias() == "owner"
    assert alias() == "default"
