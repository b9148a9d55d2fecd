"""Fresh databases on the bench's own PostgreSQL, which is as durable as the real one; the product's is copied from a prepared one."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg
import redis
from psycopg import sql

from console.local import environment, place, postgres, roles, services
from console.local.keys import keys

NUMBER = 1  # of Valkey's databases
PRELOADED = "shared_preload_libraries"


class NotHere(Exception):
    """The bench has no services to measure on: start it with `make bench`."""


class Databases:
    """The bench's PostgreSQL and Valkey, as whoever owns them."""

    def __init__(self) -> None:
        self.place = place.bench()
        if not services.running(self.place):
            raise NotHere(
                "The bench makes databases of its own on services of its own: start it with `make bench`, "
                "and without DATABASE_URL and REDIS_URL."
            )
        with self.place.alone():
            self.cluster, self.keys = postgres.cluster(self.place), keys(self.place)

    @contextmanager
    def as_superuser(self, database: str = "postgres") -> Iterator[psycopg.Connection]:
        """Connect as the superuser, each statement its own transaction."""
        with roles.as_superuser(self.cluster, self.keys, database) as connection:
            yield connection

    def make(self, name: str, template: str = "template0") -> dict[str, str]:
        """Make a database anew and give the environment of its users; a copy of `template`, or empty and open to the three roles."""
        with self.as_superuser() as connection:
            self._drop(connection, name)
            roles.create_database(connection, name, template)
        if template == "template0":
            with self.as_superuser(name) as inside:
                roles.grant(inside)
        return self.variables(name)

    def variables(self, name: str) -> dict[str, str]:
        """Give the environment for that database; the doorbell starts silent."""
        given = environment.local(self.place, database=name, number=NUMBER)
        redis.Redis.from_url(given["REDIS_URL"]).flushdb()
        return {**os.environ, **given, "DJANGO_SETTINGS_MODULE": "console.settings", "LOG_LEVEL": "WARNING"}

    def drop(self, name: str) -> None:
        """Drop a database, whoever is connected."""
        with self.as_superuser() as connection:
            self._drop(connection, name)

    def _drop(self, connection: psycopg.Connection, name: str) -> None:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def settle(self, name: str) -> None:
        """Analyse the tables and write everything out: plans made on empty tables go, and no old checkpoint falls into a measurement."""
        with self.as_superuser(name) as inside:
            inside.execute("VACUUM ANALYZE")
            inside.execute("CHECKPOINT")

    def roots(self) -> dict[str, list[int]]:
        """Give the processes of the services, for a watch."""
        found = services.state(self.place) or {}
        return {name: [found[name]] for name in ("postgres", "valkey", "keeper") if name in found}

    @contextmanager
    def with_statements(self) -> Iterator[None]:
        """Have pg_stat_statements count every statement, those inside functions too, while this lasts; the server starts anew for it."""
        self._preload("pg_stat_statements")
        try:
            yield
        finally:
            self._preload(None)

    def _preload(self, library: str | None) -> None:
        with self.as_superuser() as connection:
            if library:
                connection.execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.SQL(PRELOADED), sql.Literal(library)))
            else:
                connection.execute(sql.SQL("ALTER SYSTEM RESET {}").format(sql.SQL(PRELOADED)))
        server = self.roots()["postgres"][0]
        os.kill(server, signal.SIGINT)  # our own keeper starts it again
        until = time.monotonic() + 60
        while time.monotonic() < until:
            time.sleep(0.2)
            if self.roots().get("postgres", [server])[0] == server:
                continue
            with suppress(psycopg.OperationalError), self.as_superuser() as connection:
                told = connection.execute(sql.SQL("SHOW {}").format(sql.SQL(PRELOADED))).fetchone()
                if told == (library or "",):
                    return
        raise NotHere("PostgreSQL did not come back.")
