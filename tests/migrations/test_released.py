"""From the schema of each released version, with rows in it, one migrates to this one; the record holds, and nothing is left of the old rights.

The files in released/ are made by `make schema VERSION=…`, once, when a version is released. So that the way is tried before there is
any, and each time anew, a file of the present state goes the same way."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from console import env
from console.local import environment, roles
from tests import databases
from tests.migrations.release import RELEASED

FILES = sorted(RELEASED.glob("*.sql"))
NAME = "upgraded"
CASTS = re.compile(r"::(character varying|text)(\[\])?|[()]")
STATES = "select state, count(*) from runs_effect group by 1"
STREAMS = "select distinct stream from ledger_entry"
SHAPE = {
    "rights": "select grantee, table_name, privilege_type from information_schema.role_table_grants where table_schema = 'public'",
    "columns": "select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns where table_schema = 'public'",
    "constraints": "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace",
    "indexes": "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
    "functions": "select proname, pg_get_function_identity_arguments(oid), prosrc from pg_proc where pronamespace = 'public'::regnamespace",
    "triggers": "select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
    "policies": "select tablename, policyname, roles::text, cmd, qual, with_check from pg_policies where schemaname = 'public'",
    "fences": "select relname, relrowsecurity from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    "owners": "select tablename, tableowner from pg_tables where schemaname = 'public'",
}


@dataclass
class Before:
    """What a database held before it was migrated."""

    states: set[tuple]
    streams: set[tuple]


@pytest.fixture(scope="module")
def made_now(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that `make schema` would write now."""
    folder = tmp_path_factory.mktemp("released")
    surroundings = {name: value for name, value in os.environ.items() if name != "COUNTERFOIL_TEST_SLOT"}
    command = [sys.executable, "-m", "tests.migrations.release", "9.9.9", "--folder", str(folder)]
    done = subprocess.run(command, cwd=env.BASE_DIR, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    again = subprocess.run(command, cwd=env.BASE_DIR, env=surroundings, capture_output=True, text=True, check=False)
    assert again.returncode == 1, "a released file was overwritten"
    assert "is there already" in again.stderr
    return folder / "9.9.9.sql"


@pytest.fixture(scope="module", params=["made now", *FILES], ids=lambda param: getattr(param, "stem", "made-now"))
def migrated(request: pytest.FixtureRequest, django_db_setup: object) -> Iterator[tuple[str, "Before"]]:
    """A new database that held a released version's schema and rows, and was migrated; with what it held before."""
    file = request.getfixturevalue("made_now") if request.param == "made now" else request.param
    name = f"{NAME}_{databases.slot()}"
    with databases.as_superuser() as superuser:
        databases.drop(superuser, name)
        roles.create_database(superuser, name)
        with databases.as_superuser(name) as inside:
            inside.execute(file.read_text(encoding="utf-8"))
        with databases.as_superuser(name) as inside:  # the file empties the search path of the session that reads it
            before = Before(told(inside, STATES), told(inside, STREAMS))
        manage(name, "migrate", "-v0")
        yield name, before
        databases.drop(superuser, name)


def manage(database: str, *arguments: str) -> str:
    """Run a command on that database."""
    surroundings = {
        **os.environ,
        **environment.local(databases.PLACE, database=database),
        "DJANGO_SETTINGS_MODULE": "console.settings",
    }
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=env.BASE_DIR,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def told(connection: "psycopg.Connection", statement: str) -> set[tuple]:
    """Give the rows that a catalogue has, without the casts that PostgreSQL writes differently after a dump."""
    found = connection.execute(statement).fetchall()  # type: ignore[arg-type]
    return {tuple(CASTS.sub("", each) if isinstance(each, str) else each for each in row) for row in found}


def test_the_record_holds_and_the_schema_is_that_of_a_new_database(migrated: tuple[str, Before]) -> None:
    name, before = migrated
    assert len(before.states) > 3
    assert len(before.streams) > 10
    assert f"{len(before.streams)} streams are whole; 0 findings." in manage(name, "verify")
    with databases.as_superuser(name) as inside, databases.as_superuser(databases.migrated()) as fresh:
        assert told(inside, STATES) == before.states
        for what, statement in SHAPE.items():
            assert told(inside, statement) == told(fresh, statement), f"{what}: a migrated database is not as a new one"


def test_the_serving_roles_have_no_more_rights_than_they_should(migrated: tuple[str, Before]) -> None:
    with databases.as_superuser(migrated[0]) as inside:
        for role in ("counterfoil_app", "counterfoil_worker"):
            inside.execute(f"set role {role}")
            for statement in (
                "update ledger_entry set kind = kind",
                "delete from ledger_entry",
                "create table theirs ()",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    inside.execute(statement)
        inside.execute("set role counterfoil_app")
        assert told(inside, "select count(*) from runs_run") == {(0,)}, "without a tenant it sees a tenant's rows"
        inside.execute("set role counterfoil_worker")
        assert told(inside, "select count(*) > 0 from runs_run") == {(True,)}


def test_work_goes_on_from_there(migrated: tuple[str, Before]) -> None:
    """Comes last: the clock ends what was due."""
    assert "leases ended" in manage(migrated[0], "sweep")
    assert "0 findings" in manage(migrated[0], "verify")


def test_every_released_version_has_its_file() -> None:
    named = set(re.findall(r"^## v?(\d+\.\d+\.\d+)\b", (env.BASE_DIR / "CHANGELOG.md").read_text(), re.MULTILINE))
    assert {file.stem for file in FILES} == named, (
        "make schema VERSION=… writes the file; CHANGELOG.md names the version"
    )
