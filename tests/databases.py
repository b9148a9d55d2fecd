"""The tests' PostgreSQL and Valkey: real ones, shared by every test process on this machine, with a database for each.

A test process takes a slot (a number that nobody else holds) and with it a database and a Valkey number. The database is a
copy of a template that was migrated once; it is thrown away and copied anew for each session.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO

import psycopg
from psycopg import sql

from console import env
from console.local import environment, place, postgres, roles, services
from console.local.keys import keys

PLACE = place.Place(Path(os.environ.setdefault("COUNTERFOIL_TEST_DATA", str(env.data_dir()))), "test", durable=False)
SLOTS = 250
_held: list[IO[str]] = []


class NoMigrations(Exception):
    """The migrations do not run."""


@cache
def slot() -> int:
    """Give this process's slot; a process that a test started shares the one of its test."""
    process = f"{os.environ.get('PYTEST_XDIST_TESTRUNUID', '')}/{os.environ.get('PYTEST_XDIST_WORKER', '')}"
    who, _, number = os.environ.get("COUNTERFOIL_TEST_SLOT", "").rpartition("=")
    if who == process:
        return int(number)
    taken = free_slot()
    os.environ["COUNTERFOIL_TEST_SLOT"] = f"{process}={taken}"
    return taken


def free_slot() -> int:
    """Take a slot; the kernel gives it back when this process ends."""
    folder = PLACE.folder / "slots"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(SLOTS):
        lock = (folder / str(number)).open("a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        _held.append(lock)
        return number
    raise RuntimeError("Every slot for test databases is taken.")


def name() -> str:
    """Give the name of this process's database."""
    return f"test_{slot()}"


def variables() -> dict[str, str]:
    """Give the environment of the tests; nothing is started for it."""
    return {
        **environment.local(PLACE, database=name(), number=slot()),
        "COUNTERFOIL_DATA": str(PLACE.folder / "data" / str(slot())),
        "DATABASE_POOLED": "no",
    }


@contextmanager
def ready() -> Iterator[None]:
    """Have this process's database, empty as migrations leave it, while this lasts."""
    with services.held(PLACE):
        template = migrated()
        with as_superuser() as connection:
            drop(connection, name())
            roles.create_database(connection, name(), template)
        yield
        with as_superuser() as connection:
            drop(connection, name())


@contextmanager
def as_superuser(database: str = "postgres") -> Iterator[psycopg.Connection]:
    """Connect as the superuser, whom row-level security and triggers do not bind."""
    with PLACE.alone():
        cluster, known = postgres.cluster(PLACE), keys(PLACE)
    with roles.as_superuser(cluster, known, database) as connection:
        yield connection


def drop(connection: psycopg.Connection, database: str) -> None:
    """Drop the database, whoever is connected."""
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))


def migrated() -> str:
    """Give the template that holds these migrations; the first to ask makes it."""
    template = f"template_{digest()}"
    with (PLACE.folder / "template.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with as_superuser() as connection:
            if not roles.exists(connection, template):
                make(connection, template)
    return template


def make(connection: psycopg.Connection, template: str) -> None:
    """Migrate a new database and make it the template; those of other migrations go."""
    part = "template_part"
    drop(connection, part)
    roles.create_database(connection, part)
    with as_superuser(part) as inside:
        roles.grant(inside)
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--database", "owner", "--verbosity", "0"],
        cwd=env.BASE_DIR,
        env={**os.environ, **environment.local(PLACE, database=part), "DJANGO_SETTINGS_MODULE": "console.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoMigrations(f"manage.py migrate failed:\n{done.stdout}")
    old = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'template\\_%'").fetchall()
    for (database,) in old:
        if database != part:
            drop(connection, database)
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(part), sql.Identifier(template))
    connection.execute(rename)


def digest() -> str:
    """Give a name for what the migrations are, from the content of everything that they read."""
    seen = hashlib.sha256()
    files = [*env.BASE_DIR.glob("*/migrations/*.py"), *env.BASE_DIR.glob("*/*/migrations/*.py")]
    files += [
        file for top in ("console", "approvals", "runs", "compensation") for file in (env.BASE_DIR / top).rglob("*.sql")
    ]
    files += [env.BASE_DIR / "console" / "schema.py", Path(roles.__file__), env.BASE_DIR / "console" / "roles.py"]
    files += [file for app in ("approvals", "runs", "compensation") for file in (env.BASE_DIR / app).glob("states.py")]
    for file in sorted(files):
        if file.exists():
            seen.update(f"{file.relative_to(env.BASE_DIR)}\n".encode() + file.read_bytes())
    return seen.hexdigest()[:12]
