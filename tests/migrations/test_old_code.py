"""The release before goes on working on the new schema, and what it wrote, however odd, is as it was afterwards (UPG-01, UPG-06)."""

import hashlib
import re

import psycopg

from tests import databases
from tests.migrations.test_gentle import FIRST, TABLES, migrate, of_the_first

__all__ = ["of_the_first"]
NESTED = "[" * 60 + "]" * 60
ODD = {
    "escapes": '{"say": "\\u0000 is not here, but \\\\u0000 and \\"quotes\\" and \\ud83d\\ude00 are", "tab": "\\t"}',
    "five megabytes": '"' + "x" * 5_000_000 + '"',
    "null": "null",
    "deep nesting": NESTED,
    "a very long goal": "goal " * 20_000,
    "what only looks like JSON": "{'single': quotes,}",
    "nothing": "",
}
COLUMNS = """select column_name, is_nullable = 'YES' as may_be_null, column_default is not null or is_identity = 'YES' as has_default
             from information_schema.columns where table_schema = 'public' and table_name = %s"""
FUNCTIONS = """select p.proname, pg_get_function_identity_arguments(p.oid) from pg_proc p
               join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' and p.proname = any (%s)"""
# What the code of 0.1.0 calls by name; what these call among themselves may change.
CALLED = ("runs_claim", "runs_take", "runs_settle", "runs_record", "runs_gate", "runs_after_endings", "runs_finish", "runs_follow", "runs_end_leases")  # fmt: skip


def test_the_code_before_can_write_every_row_that_it_wrote() -> None:
    """UPG-01: each column that came later is empty by itself, or has its default in the database; none that it names is gone."""
    with databases.as_superuser(databases.name()) as connection:
        for table in sorted(TABLES):
            before = columns_of_the_first(table)
            now = {name: (empty, default) for name, empty, default in connection.execute(COLUMNS, [table])}
            assert before <= set(now), (table, before - set(now))
            late = set(now) - before
            assert [name for name in sorted(late) if not any(now[name])] == [], table


def test_a_column_that_would_stop_it_would_be_found(of_the_first: str) -> None:
    done = migrate(of_the_first)
    assert done.returncode == 0, done.stderr
    with databases.as_superuser(of_the_first) as connection:
        connection.execute("alter table public.runs_run add column must int not null default 1")
        connection.execute("alter table public.runs_run alter column must drop default")
        now = {name: (empty, default) for name, empty, default in connection.execute(COLUMNS, ["runs_run"])}
    late = set(now) - columns_of_the_first("runs_run")
    assert [name for name in late if not any(now[name])] == ["must"]


def test_the_functions_that_the_code_before_calls_are_still_there() -> None:
    """UPG-01: its workers claim and settle in the words that they know while the new ones start."""
    with databases.as_superuser(databases.name()) as connection:
        now = {(name, arguments_of(text)) for name, text in connection.execute(FUNCTIONS, [list(CALLED)])}
    found = re.findall(r"^CREATE FUNCTION public\.(\w+)\((.*?)\) RETURNS", FIRST, re.MULTILINE | re.DOTALL)
    before = {(name, arguments_of(text)) for name, text in found if name in CALLED}
    assert len(before) == len(CALLED)
    assert before - now == set()


def test_odd_rows_of_the_first_release_are_unchanged_by_all_migrations(of_the_first: str) -> None:
    """UPG-06: nothing is read and written anew on the way, so nothing can stumble over what it finds; again does no harm."""
    with databases.as_superuser(of_the_first) as connection:
        write_odd_rows(connection)
        before = rows_of(connection)
    assert len(before) == len(ODD)
    for _ in range(2):
        done = migrate(of_the_first)
        assert done.returncode == 0, done.stderr
        with databases.as_superuser(of_the_first) as connection:
            assert rows_of(connection) == before


def columns_of_the_first(table: str) -> set[str]:
    """Give the columns that a table has in the schema of 0.1.0."""
    found = re.search(rf"^CREATE TABLE public\.{table} \((.*?)^\)", FIRST, re.MULTILINE | re.DOTALL)
    assert found is not None, table
    return set(re.findall(r'^    "?([a-z_0-9]+)"? ', found[1], re.MULTILINE))


def arguments_of(text: str) -> tuple[str, ...]:
    """Give the types of the arguments that a caller hands over."""
    one = re.sub(r"\s+", " ", text)
    listed = [re.sub(r" DEFAULT .*", "", argument).strip() for argument in one.split(",") if argument.strip()]
    given = [argument for argument in listed if not argument.startswith("OUT ")]
    return tuple(argument.split(" ", 1)[1] if " " in argument else argument for argument in given)


def write_odd_rows(connection: psycopg.Connection) -> None:
    """Write runs whose texts no parser would like, as 0.1.0 stored them."""
    connection.execute("set session_replication_role = replica")
    for number, text in enumerate(ODD.values()):
        key = f"odd-{number}-" + "k" * (240 if number % 2 else 1)
        connection.execute(
            """insert into public.runs_run (id, tenant_id, agent_id, key, intent_digest, run_type_id, goal, state, epoch, driver_id,
                   key_expires_at, result, unresolved, created_at, ended_at, ledger_seq, ledger_hash)
               values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), %s, sha256('x'), gen_random_uuid(), %s, 'succeeded', 1,
                   gen_random_uuid(), now(), %s, '{}', now(), now(), 0, '')""",
            [key, text, text],
        )
    connection.execute("set session_replication_role = origin")


def rows_of(connection: psycopg.Connection) -> dict[str, tuple[str, str]]:
    """Give what the odd rows hold, by their keys."""
    found = connection.execute("select key, goal, result from public.runs_run where key like 'odd-%'").fetchall()
    return {key: (told(goal), told(result)) for key, goal, result in found}


def told(text: str) -> str:
    """Give a text's digest, so that a difference can be shown."""
    return hashlib.sha256(text.encode()).hexdigest()
