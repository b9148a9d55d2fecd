"""On a PostgreSQL and a Redis of one's own, set up as docs/running.md says, nothing is embedded."""

import os
import re
import subprocess
import sys

import psycopg
import pytest

from console.env import BASE_DIR
from tests.processes import newcomers


def statements(part: int) -> str:
    """Give the SQL of docs/running.md."""
    return re.findall(r"```sql\n(-- \d: .*?)```", (BASE_DIR / "docs" / "running.md").read_text(), re.DOTALL)[part - 1]


@pytest.fixture(scope="module")
def yours(other_postgres, other_valkey):
    """A database made by a role that may create roles and databases, and is no superuser."""
    with psycopg.connect(other_postgres, autocommit=True) as superuser:
        superuser.execute("CREATE ROLE landlord LOGIN CREATEROLE CREATEDB PASSWORD 'landlord-password'")

    def url(role: str, database: str = "counterfoil") -> str:
        address = other_postgres.rpartition("@")[2].rpartition("/")[0]
        return f"postgresql://{role}:{role.removeprefix('counterfoil_')}-password@{address}/{database}"

    with psycopg.connect(url("landlord", "postgres"), autocommit=True) as landlord:
        for statement in statements(1).split(";")[:-1]:
            landlord.execute(statement)
    with psycopg.connect(url("counterfoil_owner"), autocommit=True) as owner:
        owner.execute(statements(2))
    return {
        "DATABASE_URL": url("counterfoil_app"),
        "DATABASE_OWNER_URL": url("counterfoil_owner"),
        "DATABASE_WORKER_URL": url("counterfoil_worker"),
        "REDIS_URL": other_valkey,
        "SECRET_KEY": "a-key-of-your-own",
        "DJANGO_SETTINGS_MODULE": "console.settings",
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("yours") / "data"


def run(yours, data, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "console.local", "run", "--", sys.executable, "manage.py", *arguments],
        cwd=BASE_DIR,
        env=newcomers(data, **yours),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def migrated(yours, data):
    run(yours, data, "migrate", "--verbosity", "0")
    return yours


def test_it_migrates_and_serves_there(migrated, data):
    assert "[ ]" not in run(migrated, data, "showmigrations", "--database", "owner")
    with psycopg.connect(migrated["DATABASE_URL"]) as app:
        assert app.execute("SELECT cf_now() IS NOT NULL").fetchone() == (True,)
    assert not (data / "keys.json").exists(), "passwords of services of ours were made"
    assert not (data / "postgres").exists()


def test_no_serving_role_owns_a_table_or_passes_the_fence(migrated):
    with psycopg.connect(migrated["DATABASE_OWNER_URL"]) as owner:
        owners = owner.execute("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'").fetchall()
        free = owner.execute(
            "SELECT rolname FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND rolname LIKE 'counterfoil%'"
        )
        assert owners == [("counterfoil_owner",)]
        assert free.fetchall() == []


@pytest.mark.parametrize("name", ["DATABASE_URL", "DATABASE_WORKER_URL"])
def test_no_serving_role_changes_the_schema(migrated, name):
    with psycopg.connect(migrated[name]) as serving, pytest.raises(psycopg.errors.InsufficientPrivilege):
        serving.execute("CREATE TABLE theirs ()")


def test_the_environment_of_the_tests_is_not_touched(migrated):
    assert os.environ["DATABASE_URL"] != migrated["DATABASE_URL"]
