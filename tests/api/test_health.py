"""Signs of life: live while the process lives, ready while it can serve; the bell's silence is said and does no harm."""

import pytest
from django.db import OperationalError
from django.test import Client
from redis.exceptions import ConnectionError as RedisIsAway

from console.ledger import beats
from tests.cast import inside


def test_it_lives_and_is_ready(db: None) -> None:
    assert Client().get("/health").json() == {"status": "live"}
    ready = Client().get("/ready")
    checks = {"bell": "ok", "clock": "behind", "database": "ok", "migrations": "ok"}
    assert (ready.status_code, ready.json()) == (200, {"status": "ready", "checks": checks})
    with inside():
        beats.beat("clock")
    assert Client().get("/ready").json()["checks"]["clock"] == "ok"
    assert ready.headers["Cache-Control"] == "no-store"


def test_without_redis_it_is_ready_and_says_so(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise RedisIsAway

    monkeypatch.setattr("console.health.line", away)
    ready = Client().get("/ready")
    assert (ready.status_code, ready.json()["checks"]["bell"]) == (200, "away")


def test_without_its_database_it_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: str) -> None:
        raise OperationalError("host=secret")

    monkeypatch.setattr("console.health.rows", away)
    ready = Client().get("/ready")
    assert (ready.status_code, ready.json()["checks"]["database"]) == (503, "away")
    assert b"secret" not in ready.content
    assert Client().get("/health").status_code == 200


def test_with_migrations_to_come_it_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.health._migrated", set())
    monkeypatch.setattr("console.health.MigrationExecutor.migration_plan", lambda *_: ["one"])
    ready = Client().get("/ready")
    assert (ready.status_code, ready.json()["checks"]["migrations"]) == (503, "behind")


@pytest.mark.parametrize("address", ["/health", "/ready"])
def test_they_only_read(db: None, address: str) -> None:
    assert Client().post(address).status_code == 405
