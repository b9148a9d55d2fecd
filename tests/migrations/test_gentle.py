"""Migrations after 0.1.0 let a running version read and write: they ask little of the tables that it has, and wait for none for long."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest
from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently
from django.db import connection
from django.db.migrations import AddConstraint, AddField, AddIndex, AlterField, CreateModel, Migration, RunSQL
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import CheckConstraint, Field, PositiveSmallIntegerField, Q

from console import env
from console.local import environment, roles
from console.schema import GIVE_WAY
from tests import databases
from tests.migrations.release import RELEASED

FIRST = (RELEASED / "0.1.0.sql").read_text(encoding="utf-8")
TABLES = set(re.findall(r"^CREATE TABLE public\.(\w+)", FIRST, re.MULTILINE))
APPLIED = set(re.findall(r"\(\d+, '(\w+)', '(\d{4}_\w+)'", FIRST))
INVALID = "select indexrelid::regclass::text from pg_index where not indisvalid"
BROKEN = "update pg_index set indisvalid = false where indexrelid = 'runs_effect_to_alert'::regclass"
FOUND = "delete from django_migrations where name in ('0005_unknowns_found', '0004_members_keys_found')"


def later() -> list[Migration]:
    """Give our migrations that 0.1.0 has not."""
    every = MigrationLoader(None).disk_migrations
    return [every[key] for key in sorted(every) if key not in APPLIED]


def steps(migration: Migration) -> Iterator[Operation]:
    """Give what it changes in the database."""
    for step in migration.operations:
        yield from getattr(step, "database_operations", [step])


def refused(migration: Migration) -> list[str]:
    """Name what would stop a running version for as long as a table of 0.1.0 is long, or wait for it without an end."""
    found = []
    if migration.atomic and migration.operations[0] is not GIVE_WAY:
        found.append("it waits for tables without an end")
    for step in steps(migration):
        table = f"{migration.app_label}_{getattr(step, 'model_name', '')}"
        if table not in TABLES:
            continue
        if isinstance(step, AddIndex) and (not isinstance(step, AddIndexConcurrently) or migration.atomic):
            found.append(f"an index of {table} keeps writers out")
        if isinstance(step, AddConstraint) and not isinstance(step, AddConstraintNotValid):
            found.append(f"a constraint of {table} reads every row")
        if isinstance(step, AddField) and (why := reads(step.field, step.name)):
            found.append(f"{step.name} of {table} {why}")
        if isinstance(step, AlterField) and not step.field.null:
            found.append(f"{step.name} of {table} reads every row")
    judging = [step for step in steps(migration) if isinstance(step, RunSQL) and "validate constraint" in str(step.sql)]
    if judging and migration.atomic:
        found.append("it judges rows in a transaction with other steps")
    return found


def reads(field: Field, name: str) -> str:
    """Say why adding a column of this kind takes as long as the table is long."""
    named = field.clone()
    named.set_attributes_from_name(name)
    if named.db_check(connection):
        return "has a rule that is judged for every row"
    if field.unique or field.db_index:
        return "has an index"
    if field.remote_field and not field.null:
        return "points somewhere in every row"
    if not field.null and not field.has_db_default():
        return "has no value in the database for the rows that are there"
    return ""


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
            AddField("effect", "count", PositiveSmallIntegerField(db_default=0)),
            AddIndex("effect", next(each.index for each in gentle_indexes())),
            AddConstraint("effect", CheckConstraint(name="rough", condition=Q(state=""))),
            CreateModel("new", []),
        ]

    told = " ".join(refused(Rough("rough", "runs")))
    for part in ("without an end", "every row", "keeps writers out", "count of runs_effect has a rule"):
        assert part in told


def gentle_indexes() -> list[AddIndexConcurrently]:
    return [step for each in later() for step in steps(each) if isinstance(step, AddIndexConcurrently)]


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
        kept = made(inside, "runs_effect_by_reference")
        inside.execute(BROKEN)
        inside.execute(FOUND)
        assert inside.execute(INVALID).fetchall() == [("runs_effect_to_alert",)]
    again = migrate(of_the_first)
    assert again.returncode == 0, again.stderr
    with databases.as_superuser(of_the_first) as inside:
        assert inside.execute(INVALID).fetchall() == []
        assert made(inside, "runs_effect_to_alert") is not None
        assert made(inside, "runs_effect_by_reference") == kept


def made(inside: psycopg.Connection, index: str) -> int | None:
    """Give the index's number, which is another when it was made anew."""
    found = inside.execute("select to_regclass(%s)::oid", [index]).fetchone()
    return found[0] if found else None
