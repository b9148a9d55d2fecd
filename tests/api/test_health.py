"""Signs of life: live while the process lives, ready while it can serve; what only slows it is said and does not turn anybody away."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import psycopg
import pytest
import redis
from django.core.management import CommandError, call_command
from django.test import Client

from console import env, health, signs
from console.doorbell import line
from console.ledger import beats
from tests.api.serving import Server, serving
from tests.cast import inside
from tests.processes import until
from tests.superuser import hand

NOWHERE = "postgresql://nobody@127.0.0.1:1/nowhere"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process wait for its looks however busy the machine is."""
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 30.0)


def ready() -> tuple[int, Any]:
    """Ask whether this process can serve."""
    answer = Client().get("/health/ready")
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.status_code, answer.json()


def states(document: Any) -> dict[str, str]:
    """Give each part's state."""
    return {name: check["state"] for name, check in document["checks"].items()}


def test_it_lives_whatever_it_is_called(db: None) -> None:
    for address in ("/health", "/health/live"):
        answer = Client().get(address, headers={"host": "10.1.2.3"})
        assert (answer.status_code, answer.json()) == (200, {"status": "live"})
        assert answer.headers["Cache-Control"] == "no-store"


def test_it_is_ready_and_says_what_only_slows_it(db: None) -> None:
    status, document = ready()
    assert (status, document["status"]) == (200, "degraded")
    assert states(document) == {"database": "ok", "migrations": "ok", "bell": "ok", "clock": "none", "workers": "none"}
    assert document["checks"]["workers"] == {
        "state": "none", "count": 0, "means": "No worker is alive: what is accepted waits, and nothing is carried out.",
    }  # fmt: skip
    assert Client().get("/ready").json() == document


def test_it_tells_when_the_clock_last_passed(db: None) -> None:
    with inside():
        beats.beat("clock")
    clock = ready()[1]["checks"]["clock"]
    assert clock == {"state": "ok", "means": "What is due is done.", "age_seconds": clock["age_seconds"]}
    hand().execute("update ledger_beat set at = at - interval '95 seconds'")
    status, document = ready()
    assert (status, document["checks"]["clock"]["state"]) == (200, "late")
    assert 95 <= document["checks"]["clock"]["age_seconds"] < 200


def test_with_a_migration_missing_it_is_not_ready(db: None) -> None:
    hand().execute("update django_migrations set name = name || '_' where app = 'runs' and name = '0002_rules'")
    try:
        status, document = ready()
    finally:
        hand().execute("update django_migrations set name = rtrim(name, '_') where app = 'runs'")
    assert (status, document["status"]) == (503, "not_ready")
    assert document["checks"]["migrations"] == {
        "state": "behind", "count": 1, "means": "The schema is older than this code: run `manage.py migrate`.",
    }  # fmt: skip
    assert ready()[0] == 200


def test_a_newer_schema_is_said_and_turns_nobody_away(db: None) -> None:
    hand().execute("insert into django_migrations (app, name, applied) values ('runs', '9999_later', now())")
    try:
        status, document = ready()
    finally:
        hand().execute("delete from django_migrations where name = '9999_later'")
    assert (status, states(document)["migrations"]) == (200, "ahead")


@pytest.mark.parametrize("address", ["/health", "/health/live", "/health/ready", "/ready"])
def test_they_only_read(db: None, address: str) -> None:
    answer = Client().post(address)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert Client().head(address).content == b""


def test_nothing_of_the_inside_is_told(db: None) -> None:
    said = Client().get("/health/ready").content.decode()
    for hidden in (
        "counterfoil_app",
        "test_",
        "127.0.0.1",
        "/run/",
        "sock",
        *os.environ["DATABASE_URL"].split(":")[2].split("@")[:1],
    ):
        assert hidden not in said


class Elsewhere:
    """The second PostgreSQL and the second Valkey, and a web server on them."""

    def __init__(self, postgres: str, bell: str, server: Server) -> None:
        self.postgres, self.bell, self.server = postgres, bell, server

    def ready(self) -> tuple[int, Any, float]:
        """Ask the web server whether it can serve; gives also how long that took."""
        began = time.monotonic()
        status, document = self.server.call("GET", "/health/ready", patience=90)
        return status, document, time.monotonic() - began


@pytest.fixture(scope="module")
def elsewhere(other_postgres: str, other_valkey: str) -> Iterator[Elsewhere]:
    address = other_postgres.rpartition("@")[2].rpartition("/")[0]
    urls = {
        f"DATABASE_{kind}URL": f"postgresql://health_{kind.lower()}role:role@{address}/health"
        for kind in ("", "OWNER_", "WORKER_")
    }
    variables = {
        **urls,
        "DJANGO_SETTINGS_MODULE": "console.settings",
        "REDIS_URL": other_valkey,
        "DATABASE_POOLED": "yes",
    }
    for command in (["roles"], ["migrate", "-v0"]):
        environment = {**os.environ, **variables, "DATABASE_ADMIN_URL": other_postgres}
        subprocess.run([sys.executable, "manage.py", *command], cwd=env.BASE_DIR, env=environment, check=True)
    with serving(**variables) as server:
        yield Elsewhere(other_postgres, other_valkey, server)


@contextmanager
def halted(pid: int) -> Iterator[None]:
    """Have a server answer nobody new, as a machine that hangs; it is let go on afterwards."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_hung_database_is_told_and_held_against_nobody_afterwards(elsewhere: Elsewhere) -> None:
    assert until(lambda: elsewhere.ready()[0] == 200)
    with psycopg.connect(elsewhere.postgres) as asked:
        row = asked.execute("select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int").fetchone()
    assert row
    with halted(row[0]):
        for _ in range(3):
            status, document, seconds = elsewhere.ready()
            assert (status, states(document)["bell"]) == (503, "ok")
            assert states(document)["database"] in {"hung", "away"}
            assert states(document)["migrations"] == states(document)["clock"] == "unknown"
            assert seconds < 60, "it hung with the database"
        assert elsewhere.server.call("GET", "/health/live")[0] == 200
    assert until(lambda: elsewhere.ready()[0] == 200)


def test_a_hung_bell_is_told_and_turns_nobody_away(elsewhere: Elsewhere) -> None:
    pid = redis.Redis.from_url(elsewhere.bell).info("server")["process_id"]

    def told() -> tuple[Any, ...]:
        status, document, _ = elsewhere.ready()
        found = states(document)
        return status, document["status"], found["bell"], found["workers"], found["database"]

    with halted(pid):
        assert until(lambda: told() == (200, "degraded", "away", "unknown", "ok")), told()
    assert until(lambda: states(elsewhere.ready()[1])["bell"] == "ok")


def test_looks_that_hang_are_shared_and_do_not_pile_up(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()
    looked: list[int] = []

    def hang() -> dict[str, signs.Sign]:
        looked.append(1)
        let_go.wait(120)
        return signs.look_at_database()

    monkeypatch.setattr(health.DATABASE, "look", hang)
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 1.5)
    try:
        for _ in range(3):
            status, document = ready()
            assert (status, states(document)["database"]) == (503, "hung")
        assert looked == [1]
    finally:
        let_go.set()
        monkeypatch.undo()
    assert until(lambda: ready()[0] == 200)


def asked(*arguments: str) -> tuple[int, str]:
    """Run `manage.py health`; gives its exit code and what it said."""
    said = StringIO()
    try:
        call_command("health", *arguments, stdout=said)
    except CommandError as fault:
        return fault.returncode, said.getvalue() + str(fault)
    return 0, said.getvalue()


def test_the_command_says_how_everything_is(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = asked()
    assert code == 0
    assert "database   ok. What is accepted is kept.\n" in said
    assert "workers    none. No worker is alive" in said
    monkeypatch.setenv("DATABASE_URL", NOWHERE)
    code, said = asked()
    assert (code, "database   away." in said) == (1, True)


def test_the_clocks_own_check_believes_its_own_beat_alone(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with inside():
        beats.beat("clock", "clock@elsewhere")
    assert "has not passed yet" in asked("clock")[1]
    with inside():
        beats.beat(beats.here("clock"))
    assert asked("clock")[0] == 0
    hand().execute("update ledger_beat set at = at - interval '60 seconds'")
    code, said = asked("clock")
    assert (code, "The clock does not pass" in said) == (1, True)
    monkeypatch.setenv("DATABASE_WORKER_URL", NOWHERE)
    code, said = asked("clock")
    assert (code, "The database cannot be asked" in said) == (1, True)


def test_beats_of_machines_that_are_long_gone_are_forgotten(db: None) -> None:
    with inside():
        beats.beat("clock", "clock@gone", "clock@here")
    hand().execute("update ledger_beat set at = at - interval '2 days' where name <> 'clock@here'")
    with inside():
        beats.forget("clock", 24 * 3600)
        assert [beats.last(name).at is None for name in ("clock", "clock@gone", "clock@here")] == [False, True, False]


def test_the_webs_check_asks_its_port(elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", str(elsewhere.server.port))
    assert asked("web")[0] == 0
    monkeypatch.setenv("PORT", "1")
    assert asked("web") == (1, "Nothing answers on port 1 (ConnectionRefusedError).")


def test_the_workers_check_hears_of_a_worker_that_lives_and_of_none_that_died(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No worker of this machine" in asked("worker")[1]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    worker = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=env.BASE_DIR, env=environment)
    try:
        assert until(lambda: signs.count_workers() == 1)
        assert asked("worker")[0] == 0
        assert states(ready()[1])["workers"] == "ok"
        names: Any = line().smembers(signs.WORKERS)
        assert all(0 < int(line().ttl(name)) <= 45 for name in names), "a dead worker would be counted for long"
    finally:
        worker.terminate()
        worker.wait(120)
    assert asked("worker")[0] == 1

    def away() -> None:
        raise redis.ConnectionError

    monkeypatch.setattr("console.signs.line", away)
    code, said = asked("worker")
    assert (code, "The bell cannot be asked" in said) == (1, True)
