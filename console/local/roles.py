"""The three database roles of the local PostgreSQL; console/roles.py says what each may do, there and anywhere."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

from console.local.keys import Keys
from console.local.postgres import SUPERUSER, Postgres
from console.roles import IN_THE_DATABASE, ON_THE_DATABASE, PLAIN

DATABASE = "counterfoil"
OWNER, APP, WORKER = "counterfoil_owner", "counterfoil_app", "counterfoil_worker"
ROLE = f"{{role}} {PLAIN} PASSWORD {{password}}"
NAMES = {"owner": sql.Identifier(OWNER), "app": sql.Identifier(APP), "worker": sql.Identifier(WORKER)}


@contextmanager
def as_superuser(postgres: Postgres, keys: Keys, database: str = "postgres") -> Iterator[psycopg.Connection]:
    """Connect as the cluster's superuser; each statement commits by itself."""
    with psycopg.connect(
        host=str(postgres.sockets), user=SUPERUSER, password=keys.superuser, dbname=database, autocommit=True
    ) as connection:
        yield connection


def create(postgres: Postgres, keys: Keys) -> None:
    """Make the roles and the database where they are not there yet."""
    with as_superuser(postgres, keys) as connection:
        create_roles(connection, keys)
        if not exists(connection, DATABASE):
            create_database(connection, DATABASE)
            with as_superuser(postgres, keys, DATABASE) as inside:
                grant(inside)


def create_roles(connection: psycopg.Connection, keys: Keys) -> None:
    """Make the roles, or give them the passwords that we keep."""
    there = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
    for role, password in ((OWNER, keys.owner), (APP, keys.app), (WORKER, keys.worker)):
        verb = "ALTER ROLE " if role in there else "CREATE ROLE "
        connection.execute(sql.SQL(verb + ROLE).format(role=sql.Identifier(role), password=sql.Literal(password)))


def create_database(connection: psycopg.Connection, name: str, template: str = "template0") -> None:
    """Make a database that the owner owns and only the three roles enter."""
    database = sql.Identifier(name)
    connection.execute(
        sql.SQL("CREATE DATABASE {database} OWNER {owner} TEMPLATE {template}").format(
            database=database, template=sql.Identifier(template), **NAMES
        )
    )
    connection.execute(sql.SQL(ON_THE_DATABASE).format(database=database, **NAMES))


def grant(inside: psycopg.Connection) -> None:
    """Say what the roles may do with what the owner makes; inside the database."""
    inside.execute(sql.SQL(IN_THE_DATABASE).format(**NAMES))


def exists(connection: psycopg.Connection, name: str) -> bool:
    """Tell whether there is a database of that name."""
    return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None
