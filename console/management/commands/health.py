"""`manage.py health`: whether a process is healthy, by what it itself can prove; for containers and for whoever looks."""

import http.client
import socket
from typing import Any

import psycopg
import redis
from django.core.management.base import BaseCommand, CommandError, CommandParser

from console import env, health, signs
from console.ledger import beats

PATIENCE_SECONDS = 3
OWN_CLOCK = "select extract(epoch from cf_now() - at)::float8 from ledger_beat where name = %s"


class Command(BaseCommand):
    """Say how one process of this machine or container is, or how everything is; exit code 1 when it is not well."""

    help = (
        "web: it answers. clock: the clock of this machine has passed lately. worker: a worker of this machine gives signs of life. "
        "Without a word: how the database, the schema, the bell, the clock and the workers are."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("process", nargs="?", choices=["web", "clock", "worker"])

    def handle(self, *args: Any, **options: Any) -> None:
        if options["process"]:
            self.stdout.write({"web": web, "clock": clock, "worker": worker}[options["process"]]())
            return
        found = health.seen(health.waited_for(health.begun()))
        for name, sign in found.items():
            age = "" if sign.age_seconds is None else f", {sign.age_seconds} s ago"
            self.stdout.write(f"{name:11}{sign.state}{age}. {sign.means}")
        if signs.status(found) == "not_ready":
            raise CommandError("It cannot serve.")


def web() -> str:
    """Ask the web server of this machine whether it lives. Raises CommandError."""
    port = env.whole("PORT", 8000, least=1, most=65535)
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        line.request("GET", "/health/live")
        status = line.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        raise CommandError(f"Nothing answers on port {port} ({type(fault).__name__}).") from None
    finally:
        line.close()
    if status != 200:
        raise CommandError(f"Port {port} answers {status}.")
    return "It answers."


def clock() -> str:
    """Ask the database when the clock of this machine passed. Raises CommandError."""
    try:
        with psycopg.connect(
            env.dsn("DATABASE_WORKER_URL"), connect_timeout=PATIENCE_SECONDS, prepare_threshold=None
        ) as asked:
            asked.execute("set local statement_timeout = '3s'")
            found = asked.execute(OWN_CLOCK, [beats.here("clock")]).fetchone()
    except psycopg.Error as fault:
        raise CommandError(f"The database cannot be asked ({type(fault).__name__}).") from None
    sign = signs.clock(found[0] if found else None)
    if sign.state != "ok":
        raise CommandError(f"{sign.state}: {sign.means}")
    return f"It passed {sign.age_seconds} s ago."


def worker() -> str:
    """Ask the bell for the signs of life of this machine's workers. Raises CommandError."""
    try:
        count = signs.workers_of(socket.gethostname())
    except (redis.RedisError, OSError) as fault:
        raise CommandError(
            f"The bell cannot be asked ({type(fault).__name__}); without it no worker begins anything new."
        ) from None
    if not count:
        raise CommandError("No worker of this machine has given a sign of life lately.")
    return "It gives signs of life."
