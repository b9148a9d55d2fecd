"""Migrations after 0.1.0 let a running version read and write: they ask little of the tables that it has, and wait for none for long."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import psycopg
import pytest
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import connection
from django.db.migrations import AddField, Migration, RunSQL
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import PROTECT, ForeignKey, Index

from console import env
from console.identity.models import ApiKey
from console.local import environment, roles
from console.schema import GIVE_WAY, AddUniqueWhileServing
from runs.models import Effect
from tests import databases
from tests.migrations.release import RELEASED

FIRST = (RELEASED / "0.1.0.sql").read_text(encoding="utf-8")
TABLES = set(re.findall(r"^CREATE TABLE public\.(\w+)", FIRST, re.MULTILINE))
APPLIED = set(re.findall(r"\(\d+, '(\w+)', '(\d{4}_\w+)'", FIRST))
BESIDE = (
    AddIndexConcurrently,
    AddUniqueWhileServing,
    RemoveIndexConcurrently,
)  # what readers and writers do not notice
INVALID = "select indexrelid::regclass::text from pg_index where not indisvalid"
BROKEN = "update pg_index set indisvalid = false where indexrelid = 'runs_run_to_watch'::regclass"
LATER = [import_module(f"runs.migrations.{name}") for name in ("0009_grants", "0011_compensation")]
FOUND = f"""delete from django_migrations where app = 'runs' and name >= '0008' or app = 'compensation';
drop table compensation_evidencefile, compensation_ending, compensation_workitem, compensation_plan;
drop trigger runs_effect_watch on runs_effect; {LATER[0].EFFECT_WITHOUT}; {LATER[1].EFFECT_WITHOUT}; {LATER[1].RUN_WITHOUT}"""


def later() -> list[Migration]:
    """Give our migrations that 0.1.0 has not; those of allauth.mfa make one new table, that points to the one of users."""
    every = {key: each for key, each in MigrationLoader(None).disk_migrations.items() if key[0] != "mfa"}
    return [every[key] for key in sorted(every) if key not in APPLIED]


def steps(migration: Migration) -> list[Operation]:
    """Give what it does in the database, in its order."""
    return [each for step in migration.operations for each in getattr(step, "database_operations", [step])]


def refused(migration: Migration) -> list[str]:
    """Name what would keep a table of 0.1.0 from those who read or write it for longer than a moment."""
    found = []
    for step in steps(migration):
        told = f"{migration.app_label}_{getattr(step, 'model_name', '')}"
        if isinstance(step, RunSQL):
            found += [f"{why}: {part.strip()}" for part, why in told_by(str(step.sql))]
            if "validate constraint" in str(step.sql) and migration.atomic:
                found.append("it judges rows in a transaction with other steps")
        elif told in TABLES and not (isinstance(step, BESIDE) and not migration.atomic):
            found.append(f"{told} is changed step by step, and not at once")
        elif isinstance(step, AddField) and step.field.remote_field:
            found.append(f"{step.name} keeps what it points to until the end")
    if migration.atomic:
        first, *others = steps(migration)
        if first is not GIVE_WAY:
            found.append("it waits for tables without an end")
        kinds = [isinstance(step, RunSQL) for step in others]
        if kinds != sorted(kinds):
            found.append("something comes after the tables are kept that takes its time")
    return found


def told_by(sql: str) -> Iterator[tuple[str, str]]:
    """Give the parts of a statement that read every row, or keep writers out, with why."""
    for table, said in re.findall(r"alter table (\w+)([^;$]*)", sql):
        for part in re.split(r",\s*(?=add |alter |drop )", said) if table in TABLES else ():
            if re.search(r"add constraint|add check|add foreign key", part) and "not valid" not in part:
                yield part, "every row is read"
            if re.search(r"add column", part) and re.search(
                r"\bcheck\b|\bunique\b|\bnot null(?!.*default)|default \w+ ?\(", part
            ):
                yield part, "every row is read or written"
            if re.search(r"alter (column )?\w+ (type|set not null)", part):
                yield part, "every row is read"
    for part in re.findall(r"create (?:unique )?index (?!concurrently)[^;]*", sql):
        yield part, "writers are kept out"


def test_what_comes_after_the_first_version_is_known() -> None:
    names = {(each.app_label, each.name) for each in later()}
    assert {("runs", "0003_unknowns"), ("runs", "0005_unknowns_found"), ("notices", "0001_first")} <= names
    assert not {app for app, _ in names} & {"auth", "sessions", "contenttypes"}
    assert ("runs", "0001_first") not in names
    assert {"runs_effect", "identity_apikey"} <= TABLES


def test_migrations_leave_the_tables_of_a_running_version_in_use() -> None:
    assert {f"{each.app_label}.{each.name}": refused(each) for each in later() if refused(each)} == {}


def test_what_is_not_gentle_would_be_found() -> None:
    class Rough(Migration):
        operations = [
            RunSQL(
                "alter table runs_effect add column a int check (a > 0), add column b int not null, alter c set not null"
            ),
            RunSQL("alter table runs_effect add constraint d check (a > 0), add constraint e check (a > 0) not valid"),
            RunSQL("create index f on runs_effect (a)"),
            AddIndexConcurrently("effect", Index(fields=["state"], name="g")),
            AddField("pace", "run", ForeignKey("runs.run", on_delete=PROTECT)),
        ]

    assert refused(Rough("rough", "runs")) == [
        "every row is read or written: add column a int check (a > 0)",
        "every row is read or written: add column b int not null",
        "every row is read: alter c set not null",
        "every row is read: add constraint d check (a > 0)",
        "writers are kept out: create index f on runs_effect (a)",
        "runs_effect is changed step by step, and not at once",
        "run keeps what it points to until the end",
        "it waits for tables without an end",
        "something comes after the tables are kept that takes its time",
    ]


def test_what_is_changed_at_once_is_what_the_models_say(django_db_setup: object) -> None:
    asked = """
        select attname, format_type(atttypid, atttypmod), attnotnull from pg_attribute
        where attrelid = %s::regclass and attnum > 0 and not attisdropped
    """
    with databases.as_superuser(databases.migrated()) as fresh:
        for model in (Effect, ApiKey):
            there = {(name, kind, needed) for name, kind, needed in fresh.execute(asked, [model._meta.db_table])}
            wanted = {
                (
                    field.column,
                    (field.db_type(connection) or "").replace("varchar", "character varying"),
                    not field.null,
                )
                for field in model._meta.local_fields
            }
            assert there == wanted


@pytest.fixture
def of_the_first(django_db_setup: object) -> Iterator[str]:
    """A database as 0.1.0 left it."""
    name = f"gentle_{databases.slot()}"
    with databases.as_superuser() as superuser:
        databases.drop(superuser, name)
        roles.create_database(superuser, name)
        with databases.as_superuser(name) as inside:
            inside.execute(FIRST)
        yield name
        databases.drop(superuser, name)


def migrate(database: str) -> subprocess.CompletedProcess[str]:
    surroundings = {
        **os.environ,
        **environment.local(databases.PLACE, database=database),
        "DJANGO_SETTINGS_MODULE": "console.settings",
    }
    return subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0"],
        cwd=env.BASE_DIR, env=surroundings, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_migration_gives_way_to_who_keeps_a_table_and_goes_on_afterwards(of_the_first: str) -> None:
    with databases.as_superuser(of_the_first) as reader:
        reader.autocommit = False
        reader.execute("select count(*) from public.runs_effect")
        given_up = migrate(of_the_first)
        assert given_up.returncode == 1
        assert "run it again" in given_up.stderr
        columns = "select count(*) from information_schema.columns where table_name = 'runs_effect' and column_name = 'next_step'"
        assert reader.execute(columns).fetchone() == (0,)
        reader.rollback()
    again = migrate(of_the_first)
    assert again.returncode == 0, again.stderr


def test_an_index_that_was_not_finished_is_made_anew_and_the_others_are_kept(of_the_first: str) -> None:
    done = migrate(of_the_first)
    assert done.returncode == 0, done.stderr
    with databases.as_superuser(of_the_first) as inside:
        kept = made(inside, "runs_run_by_parent")
        inside.execute(BROKEN)
        inside.execute(FOUND)
        assert inside.execute(INVALID).fetchall() == [("runs_run_to_watch",)]
    again = migrate(of_the_first)
    assert again.returncode == 0, again.stderr
    with databases.as_superuser(of_the_first) as inside:
        assert inside.execute(INVALID).fetchall() == []
        assert made(inside, "runs_run_to_watch") is not None
        assert made(inside, "runs_run_by_parent") == kept


def made(inside: psycopg.Connection, index: str) -> int | None:
    """Give the index's number, which is another when it was made anew."""
    found = inside.execute("select to_regclass(%s)::oid", [index]).fetchone()
    return found[0] if found else None
