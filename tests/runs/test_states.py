"""The database refuses every move that the tables do not list, of every machine, and the derived files are up to date."""

from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import call_command
from psycopg import sql

from approvals import states as request_states
from compensation import states as work_states
from console.management.commands.states import MACHINES
from console.notices import states as delivery_states
from runs import states
from tests import databases
from tests.ledger.story import unchecked
from tests.shop import Shop, draft
from tests.work import claim

STATES = {
    "runs_run": states.RUN_STATES, "runs_effect": states.EFFECT_STATES, "runs_attempt": states.ATTEMPT_STATES,
    "approvals_request": request_states.STATES, "runs_resolution": states.RESOLUTION_STATES, "runs_callback": states.CALLBACK_STATES,
    "notices_delivery": delivery_states.STATES, "runs_wait": states.WAIT_STATES, "runs_signal": states.SIGNAL_STATES,
    "runs_cancellation": states.CANCELLATION_STATES, "approvals_grant": request_states.GRANT_STATES,
    "approvals_grantuse": request_states.USE_STATES, "compensation_plan": work_states.PLAN_STATES,
    "compensation_workitem": work_states.ITEM_STATES, "compensation_ending": work_states.ENDING_STATES,
}  # fmt: skip
PLAN = """insert into compensation_plan (id, tenant_id, run_id, number, cause, state, asked_by, asked_at)
    select gen_random_uuid(), tenant_id, id, 1, 'asked', 'proposed', 'a', cf_now() from runs_run limit 1
    returning id, tenant_id, run_id"""
ITEM = """insert into compensation_workitem (id, tenant_id, plan_id, run_id, number, kind, summary, need, state, created_at)
    select gen_random_uuid(), tenant_id, id, run_id, 1, 'manual', 'Ring the customer', 'required', 'planned', cf_now() from planned
    returning id, tenant_id, plan_id"""
# Rows of the tables that no move of these tests fills.
FIRST = {
    "runs_resolution": """insert into runs_resolution
        (id, tenant_id, run_id, effect_id, number, exit, evidence, needs_second, state, proposed_by_id, proposed_at)
        select gen_random_uuid(), tenant_id, run_id, id, 1, 'happened', 'seen', false, 'proposed',
               (select id from identity_member limit 1), cf_now() from runs_effect limit 1""",
    "runs_callback": """insert into runs_callback
        (id, tenant_id, operation_name, message_id, signed_at, received_at, body_digest, state)
        select gen_random_uuid(), tenant_id, 'refund', 'm-1', cf_now(), cf_now(), '', 'recorded' from runs_effect limit 1""",
    "runs_wait": """insert into runs_wait
        (id, tenant_id, run_id, number, name, kind, condition, on_expiry, parks, state, opened_at)
        select gen_random_uuid(), tenant_id, id, 1, 'paid', 'signal', '{}', 'wake', true, 'open', cf_now() from runs_run limit 1""",
    "runs_signal": """insert into runs_signal
        (id, tenant_id, name, correlation, source, sender, message_id, body_digest, received_at, state)
        select gen_random_uuid(), tenant_id, 'paid', 'c', 'agent', 'a', 'm-1', '', cf_now(), 'recorded' from runs_run limit 1""",
    "runs_cancellation": """insert into runs_cancellation
        (id, tenant_id, run_id, number, scope, mode, reason, asked_at, asked_by, state)
        select gen_random_uuid(), tenant_id, id, 1, 'run', 'graceful', 'no', cf_now(), 'a', 'requested' from runs_run limit 1""",
    "approvals_grant": """insert into approvals_grant
        (id, tenant_id, operation, target_pattern, uses_most, starts_at, ends_at, owner_id, purpose, state,
        created_at)
        select gen_random_uuid(), tenant_id, 'refund', 'order:*', 5, cf_now(), cf_now() + interval '1 day', id,
        'small ones', 'proposed', cf_now()
        from identity_member limit 1""",
    "approvals_grantuse": """with given as (insert into approvals_grant
            (id, tenant_id, operation, target_pattern, uses_most, starts_at, ends_at, owner_id, purpose, state,
        created_at)
            select gen_random_uuid(), tenant_id, 'refund', 'order:*', 5, cf_now(), cf_now() + interval '1 day', id,
        'small ones', 'proposed', cf_now()
            from identity_member limit 1
            returning id, tenant_id)
        insert into approvals_grantuse (id, tenant_id, grant_id, subject, state, reserved_at)
        select gen_random_uuid(), tenant_id, id, gen_random_uuid(), 'reserved', cf_now() from given""",
    "compensation_plan": PLAN,
    "compensation_workitem": f"with planned as ({PLAN}) {ITEM}",
    "compensation_ending": f"""with planned as ({PLAN}), made as ({ITEM})
        insert into compensation_ending
        (id, tenant_id, plan_id, item_id, number, ending, evidence, needs_second, state, proposed_by_id, proposed_at)
        select gen_random_uuid(), tenant_id, plan_id, id, 1, 'resolve', 'seen', true, 'proposed',
               (select id from identity_member limit 1), cf_now() from made""",
    "notices_delivery": """with told as (
            insert into notices_notice (id, tenant_id, key, kind, title, text, path, audience, posted_at)
            select gen_random_uuid(), tenant_id, gen_random_uuid()::text, 'test', '', '', '', '', cf_now() from identity_member limit 1
            returning id, tenant_id, posted_at)
        insert into notices_delivery (id, tenant_id, notice_id, channel, member_id, state, due_at, created_at)
        select gen_random_uuid(), t.tenant_id, t.id, 'email', m.id, 'waiting', t.posted_at, t.posted_at
        from told t join identity_member m using (tenant_id) limit 1""",
}
TABLES = {table: (initial, moves) for _, table, _, initial, moves in MACHINES}
ENDINGS = {
    "runs_run": states.RUN_ENDED, "runs_effect": frozenset(states.EFFECT_STATES) - states.OPEN, "runs_attempt": {"ended", "lost"},
    "approvals_request": {"denied", "expired", "withdrawn", "lapsed", "revoked", "rerouted"}, "approvals_grant": request_states.GRANT_ENDED,
    "approvals_grantuse": {"spent", "returned"},
    "runs_resolution": {"in_force", "declined", "withdrawn", "overtaken"}, "runs_callback": {"applied", "late", "unmatched", "unclear"},
    "notices_delivery": {"delivered", "gathered", "dropped"}, "runs_wait": {"met", "expired", "withdrawn"},
    "runs_signal": {"taken", "late", "expired"},
    "runs_cancellation": {"proven", "overtaken"}, "compensation_plan": {"in_force", "declined"},
    "compensation_workitem": work_states.ITEM_OVER,
    "compensation_ending": {"in_force", "declined", "withdrawn", "overtaken"},
}  # fmt: skip


def legal(table: str) -> set[tuple[str, str]]:
    """Give the steps of a machine that its table of moves allows, staying put aside."""
    _, moves = TABLES[table]
    return {
        (source, target)
        for sources, targets in moves.values()
        for source in sources
        for target in targets
        if source != target
    }


@pytest.fixture
def row(request: pytest.FixtureRequest, shop: Shop) -> Iterator[tuple[psycopg.Connection, str]]:
    """The hands of somebody with all rights on a table with one row, its guard alone in force."""
    shop.verified = False
    shop.accept(draft("a", "250"), draft("b"))
    claim()
    table = request.param
    with databases.as_superuser(databases.name()) as hand, unchecked(hand, table):
        hand.execute("set session_replication_role = replica")
        hand.execute(FIRST.get(table, ""))
        hand.execute(sql.SQL("delete from {0} where ctid <> (select min(ctid) from {0})").format(sql.Identifier(table)))
        yield hand, table
        hand.execute("set session_replication_role = replica")
        hand.execute(sql.SQL("delete from {}").format(sql.Identifier(table)))


def put(hand: psycopg.Connection, table: str, state: str) -> None:
    """Put the row into a state, guard or no guard."""
    hand.execute("set session_replication_role = replica")
    hand.execute(sql.SQL("update {} set state = %s").format(sql.Identifier(table)), [state])
    hand.execute("set session_replication_role = origin")


def refused(hand: psycopg.Connection, table: str, change: sql.Composed) -> bool:
    """Tell whether the guard of the table refuses the change."""
    try:
        hand.execute(change)
    except psycopg.errors.CheckViolation as refusal:
        return refusal.diag.constraint_name == f"{table}_moves"
    return False


@pytest.mark.parametrize("row", TABLES, indirect=True)
def test_the_guard_lets_exactly_the_listed_moves_pass(row: tuple[psycopg.Connection, str]) -> None:
    hand, table = row
    passed: set[tuple[str, str]] = set()
    for source in STATES[table]:
        for target in STATES[table]:
            put(hand, table, source)
            update = sql.SQL("update {} set state = {}").format(sql.Identifier(table), target)
            if source != target and not refused(hand, table, update):
                passed.add((source, target))
    assert passed == legal(table)


@pytest.mark.parametrize("row", TABLES, indirect=True)
def test_a_row_begins_in_a_first_state(row: tuple[psycopg.Connection, str]) -> None:
    hand, table = row
    name = sql.Identifier(table)
    hand.execute(sql.SQL("create temporary table other as select * from {}").format(name))
    hand.execute(sql.SQL("delete from {}").format(name))
    hand.execute("set session_replication_role = origin")
    begun = set()
    for state in STATES[table]:
        hand.execute("update other set state = %s", [state])
        if not refused(hand, table, sql.SQL("insert into {} select * from other").format(name)):
            begun.add(state)
            hand.execute("set session_replication_role = replica")
            hand.execute(sql.SQL("delete from {}").format(name))
            hand.execute("set session_replication_role = origin")
    assert begun == set(TABLES[table][0])


@pytest.mark.parametrize("table", TABLES)
def test_nothing_leads_out_of_an_ending_but_opening_a_run_again(table: str) -> None:
    again = {("failed", "running"), ("expired", "running"), ("cancelled", "running")} if table == "runs_run" else set()
    assert {(source, target) for source, target in legal(table) if source in ENDINGS[table]} == again


@pytest.mark.parametrize("table", TABLES)
def test_every_state_that_is_used_can_be_reached_and_left(table: str) -> None:
    initial, _ = TABLES[table]
    reached = set(initial)
    while more := {target for source, target in legal(table) if source in reached} - reached:
        reached |= more
    stuck = reached - {source for source, _ in legal(table)} - set(ENDINGS[table])
    assert stuck == set()


def test_unknown_is_left_only_to_what_was_found_out() -> None:
    """Back to `ready` it goes by evidence that it did not happen; sending it again to find out leaves it unknown."""
    targets = {target for source, target in legal("runs_effect") if source == states.UNKNOWN}
    assert targets == states.SETTLED | {states.READY}


def test_what_is_ready_is_settled_only_as_a_message_about_what_was_sent_can_prove() -> None:
    targets = {target for source, target in legal("runs_effect") if source == states.READY}
    assert targets & (states.SETTLED | {states.UNKNOWN}) == {states.SUCCEEDED, states.PARTIAL, states.REJECTED}


def test_the_guards_and_the_diagram_are_what_the_tables_say() -> None:
    call_command("states", "--check")
