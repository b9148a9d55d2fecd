"""Signs of how each part of the machinery is: a word, its age where it has one, and what it means for those who rely on it.

Readiness, home and the commands all judge by what is here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import psycopg
import redis
from django.db.migrations.loader import MigrationLoader

from console import env
from console.doorbell import SHIFTS, line
from console.exact import Object

CLOCK_IS_LATE_SECONDS = 10
WORKERS = f"rq:workers:{SHIFTS}"
CONNECT_SECONDS = 2  # the least that libpq knows
NOT_MIGRATED = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedFunction, psycopg.errors.InsufficientPrivilege)


@dataclass(frozen=True, slots=True)
class Sign:
    """How a part is: ok, or a word that says in which way it is not; `hinders` where this process cannot serve without it."""

    state: str
    means: str
    age_seconds: int | None = None
    count: int | None = None
    hinders: bool = False

    def document(self) -> Object:
        """Give it for JSON."""
        told: Object = {"state": self.state, "means": self.means}
        if self.age_seconds is not None:
            told["age_seconds"] = self.age_seconds
        if self.count is not None:
            told["count"] = self.count
        return told


def clock(age: float | None) -> Sign:
    """Judge the clock by the age of its last pass."""
    if age is None:
        return Sign("none", "The clock has not passed yet: leases, deadlines and expiries wait for it.")
    if age >= CLOCK_IS_LATE_SECONDS:
        return Sign(
            "late",
            "The clock does not pass, or not without faults, which its log names: leases, deadlines and expiries wait.",
            int(age),
        )
    return Sign("ok", "What is due is done.", max(0, int(age)))


def workers(count: int | None) -> Sign:
    """Judge by how many workers have given a sign of life; None: nobody could be asked."""
    if count is None:
        return Sign("unknown", "Workers give their signs of life by the bell, which cannot be asked.")
    if not count:
        return Sign("none", "No worker is alive: what is accepted waits, and nothing is carried out.", count=0)
    return Sign("ok", "Work is carried out.", count=count)


def migrations(applied: frozenset[str]) -> Sign:
    """Judge whether the database has every change of the schema that this code was written for."""
    missing = len(needed() - applied)
    if missing:
        return Sign(
            "behind", "The schema is older than this code: run `manage.py migrate`.", count=missing, hinders=True
        )
    if applied - needed():
        return Sign("ahead", "The schema is newer than this code, which goes on: deploy the newer code.")
    return Sign("ok", "The schema is the one that this code was written for.")


@cache
def needed() -> frozenset[str]:
    """Give every migration that this code has, as app.name."""
    return frozenset(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)


def look_at_database() -> dict[str, Sign]:
    """Ask the database on a new connection, as the role that serves: it answers, it has the schema, and the clock passes."""
    try:
        with psycopg.connect(
            env.dsn("DATABASE_URL"), autocommit=True, connect_timeout=CONNECT_SECONDS, prepare_threshold=None
        ) as asked:  # fmt: skip
            found = frozenset(name for (name,) in _rows(asked, "select app || '.' || name from django_migrations"))
            ages = _rows(
                asked, "select extract(epoch from cf_now() - at)::float8 from ledger_beat where name = 'clock'"
            )
            asked.execute("select 1")
    except psycopg.Error:
        return database_is("away", "The database cannot be reached: nothing can be read, accepted or decided.")
    return {
        "database": Sign("ok", "What is accepted is kept."),
        "migrations": migrations(found),
        "clock": clock(ages[0][0] if ages else None),
    }


def database_is(state: str, means: str) -> dict[str, Sign]:
    """Say what is to be said of a database that does not answer, and of what it would have told."""
    unknown = Sign("unknown", "The database would say, and does not answer.")
    return {"database": Sign(state, means, hinders=True), "migrations": unknown, "clock": unknown}


def look_at_bell() -> dict[str, Sign]:
    """Ask the bell, and by it the workers."""
    try:
        memory: Any = line().info("memory")
    except (redis.RedisError, OSError):
        return bell_is("away")
    return {"bell": bell(memory), "workers": workers(count_workers())}


def bell(memory: Mapping[str, Any]) -> Sign:
    """Judge the bell by what it does when its memory is full."""
    policy = str(memory.get("maxmemory_policy", "noeviction"))
    if memory.get("maxmemory") and policy != "noeviction":
        return Sign(
            "evicts",
            f"When its memory is full the bell drops what it holds ({policy}): nothing that counts is lost, but rings are. "
            "Set maxmemory-policy noeviction.",
        )
    return Sign("ok", "Work and news are heard of at once.")


def bell_is(state: str) -> dict[str, Sign]:
    """Say what is to be said of a bell that does not answer."""
    means = "Nothing is lost: what is accepted is kept and shown, news comes later, and new work begins when the bell is back."
    return {"bell": Sign(state, means), "workers": workers(None)}


def count_workers() -> int | None:
    """Count the workers whose sign of life the bell still holds, or None when it cannot be asked."""
    try:
        names: Any = line().smembers(WORKERS)
        return int(line().exists(*names)) if names else 0
    except (redis.RedisError, OSError):
        return None


def workers_of(host: str) -> int:
    """Count the workers of one machine whose sign of life the bell still holds. Raises RedisError when it cannot be asked."""
    names: Any = line().smembers(WORKERS)
    hosts: list[Any] = [line().hget(name, "hostname") for name in names]
    return sum(found is not None and bytes(found).decode() == host for found in hosts)


def status(signs: Mapping[str, Sign]) -> str:
    """Sum up: not_ready when something hinders, degraded when something is not as it should be, else ready."""
    if any(sign.hinders for sign in signs.values()):
        return "not_ready"
    return "ready" if all(sign.state in {"ok", "ahead"} for sign in signs.values()) else "degraded"


def _rows(asked: "psycopg.Connection", statement: str) -> list[tuple[Any, ...]]:
    """Ask one thing, within a second; a database that was never migrated has no answer."""
    try:
        with asked.transaction():
            asked.execute("set local statement_timeout = '1s'")
            return asked.execute(statement).fetchall()
    except NOT_MIGRATED:
        return []
