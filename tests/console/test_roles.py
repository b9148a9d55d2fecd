"""`manage.py roles` makes three roles and a database on a PostgreSQL of anybody's, once, and refuses what would undo the fence."""

import os
import subprocess
import sys
from itertools import count

import psycopg
import pytest

from console.env import BASE_DIR

number = count(1)


class Server:
    """A database to be made on the second PostgreSQL: its three URLs, and who may make it."""

    def __init__(self, superuser: str, **names: str) -> None:
        self.superuser, self.mark = superuser, next(number)
        names = {"owner": f"owner{self.mark}", "app": f"app{self.mark}", "worker": f"worker{self.mark}"} | names
        self.names, self.database = names, f"book{self.mark}"
        self.environment = {
            **os.environ, "DJANGO_SETTINGS_MODULE": "console.settings", "DATABASE_ADMIN_URL": superuser,
            "DATABASE_OWNER_URL": self.url("owner"), "DATABASE_URL": self.url("app"), "DATABASE_WORKER_URL": self.url("worker"),
        }  # fmt: skip

    def url(self, purpose: str, password: str = "hush") -> str:
        """Give a role's URL; its password has what a URL must escape."""
        address = self.superuser.rpartition("@")[2].rpartition("/")[0]
        return f"postgresql://{self.names[purpose]}:{password}%40{self.mark}@{address}/{self.database}"

    def manage(self, *arguments: str, **changed: str) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        environment = {name: value for name, value in (self.environment | changed).items() if value}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def ask(self, statement: str) -> list[tuple]:
        """Say something as the superuser, in the database; gives the rows that it answers with."""
        with psycopg.connect(self.superuser.rpartition("/")[0] + f"/{self.database}", autocommit=True) as line:
            answer = line.execute(statement)
            return answer.fetchall() if answer.description else []


@pytest.fixture
def server(other_postgres):
    return Server(other_postgres)


def test_it_makes_roles_and_database_and_then_migrates(server):
    made = server.manage("roles")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines() == [
        f"owner: made owner{server.mark}", f"app: made app{server.mark}", f"worker: made worker{server.mark}",
        f"database: made {server.database}", "rights: given", "sign-in: tried, all three",
    ]  # fmt: skip
    migrated = server.manage("migrate", "-v0", DATABASE_ADMIN_URL="")
    assert migrated.returncode == 0, migrated.stderr
    mighty = "rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb"
    ours = "', '".join(server.names.values())
    assert server.ask(f"SELECT count(*) FROM pg_roles WHERE rolname IN ('{ours}') AND ({mighty})") == [(0,)]
    assert server.ask("SELECT DISTINCT tableowner::text FROM pg_tables WHERE schemaname = 'public'") == [
        (f"owner{server.mark}",)
    ]
    with psycopg.connect(server.url("app")) as app:
        assert app.execute("SELECT count(*) FROM ledger_entry").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("CREATE TABLE theirs ()")


def test_a_second_time_it_finds_nothing_to_do_and_takes_a_new_password(server):
    server.manage("roles")
    again = server.manage("roles", DATABASE_URL=server.url("app", "changed"))
    assert again.returncode == 0, again.stderr
    assert "made" not in again.stdout
    psycopg.connect(server.url("app", "changed")).close()
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(server.url("app"))


def test_nobody_needs_to_be_superuser(server):
    with psycopg.connect(server.superuser, autocommit=True) as superuser:
        superuser.execute(f"CREATE ROLE lord{server.mark} LOGIN CREATEROLE CREATEDB PASSWORD 'lord'")
    lord = f"postgresql://lord{server.mark}:lord@{server.superuser.rpartition('@')[2]}"
    for _ in range(2):
        made = server.manage("roles", DATABASE_ADMIN_URL=lord)
        assert made.returncode == 0, made.stderr
    assert server.manage("migrate", "-v0", DATABASE_ADMIN_URL="").returncode == 0


def test_the_owner_alone_gives_the_rights_again(server):
    server.manage("roles")
    server.ask(f"GRANT CREATE ON DATABASE {server.database} TO PUBLIC")
    again = server.manage("roles", DATABASE_ADMIN_URL="")
    assert again.returncode == 0, again.stderr
    assert server.ask(f"SELECT has_database_privilege('app{server.mark}', '{server.database}', 'CREATE')") == [(False,)]


def test_roles_that_are_one_are_refused(server):
    refused = server.manage("roles", DATABASE_WORKER_URL=server.url("app"))
    assert refused.returncode == 1
    assert "must name three different roles, and name" in refused.stderr
    assert "hush" not in refused.stderr


def test_a_serving_role_that_passes_the_fence_is_refused(server):
    server.manage("roles")
    server.ask(f"ALTER ROLE app{server.mark} BYPASSRLS")
    refused = server.manage("roles")
    assert refused.returncode == 1
    assert f"ALTER ROLE app{server.mark} NOSUPERUSER NOBYPASSRLS" in refused.stderr


def test_a_database_of_somebody_elses_is_refused(server):
    with psycopg.connect(server.superuser, autocommit=True) as superuser:
        superuser.execute(f"CREATE DATABASE {server.database}")
    refused = server.manage("roles")
    assert refused.returncode == 1
    assert f"ALTER DATABASE {server.database} OWNER TO owner{server.mark}" in refused.stderr


def test_without_the_owners_url_nothing_is_migrated(server):
    refused = server.manage("migrate", DATABASE_OWNER_URL="")
    assert refused.returncode == 1
    assert "DATABASE_OWNER_URL is not set: only the owner's role may change the schema." in refused.stderr
