"""System checks name what is wrong with how it is deployed, and what to do; each is shown to speak, and to be silent where all is well."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.core.checks import CheckMessage
from django.core.checks.registry import registry

from console import checks, env, service_checks
from console.documents import load
from console.ledger import beats
from console.ledger.actors import Actor
from tests.cast import inside, open_acme, put_in_force
from tests.superuser import hand

GOOD_KEY = "0123456789abcdef" * 4
PRINT = """
apiVersion: counterfoil/v1
kind: Operation
name: print
version: 1
summary: Print it
consequential: false
access: write
target: press
arguments: {type: object}
executor: python
python: {function: print, attempt_timeout_seconds: 5, outcomes: [succeeded, rejected], secrets: [press-token]}
retry: {retryable: [not_sent], non_retryable: [rejected], attempts: 3, total_seconds: 120}
deadline_seconds: 3600
"""
NOWHERE = "postgresql://nobody@127.0.0.1:1/nowhere"


def ids(check: Callable[..., list[CheckMessage]]) -> list[str]:
    """Run a check; gives what it found, each with a hint."""
    found = check(None)
    assert all(message.hint for message in found)
    return [str(message.id).removeprefix("counterfoil.") for message in found]


def test_a_variable_that_nobody_reads_is_noticed(monkeypatch):
    assert ids(checks.no_unknown_variables) == []
    monkeypatch.setenv("COUNTERFOIL_DATTA", "/srv")
    (message,) = checks.no_unknown_variables(None)
    assert (message.id, message.msg, message.hint) == (
        "counterfoil.W001", "COUNTERFOIL_DATTA is set, and nobody reads it.", "Perhaps COUNTERFOIL_DATA was meant.",
    )  # fmt: skip


@pytest.mark.parametrize("key", ["short", "a" * 80, "django-insecure-" + GOOD_KEY])
def test_a_key_that_can_be_guessed_is_refused(settings, key):
    settings.SECRET_KEY = key
    assert ids(checks.secret_key) == ["E002"]


def test_the_key_of_a_local_start_is_refused(settings, monkeypatch, tmp_path):
    settings.SECRET_KEY = GOOD_KEY
    monkeypatch.setenv("COUNTERFOIL_DATA", str(tmp_path))
    assert ids(checks.secret_key) == []
    (tmp_path / "keys.json").write_text(json.dumps({"django": GOOD_KEY}))
    assert ids(checks.secret_key) == ["E002"]


def test_what_belongs_to_development_is_refused(settings, monkeypatch):
    monkeypatch.delenv("RELAXED_DURABILITY")
    assert ids(checks.development) == []
    settings.DEBUG = True
    monkeypatch.setenv("CRASH_AT", "claim.after_commit:1:kill")
    monkeypatch.setenv("RELAXED_DURABILITY", "yes")
    assert ids(checks.development) == ["E003", "E004", "W005"]


@pytest.mark.parametrize(
    ("tls", "hosts", "origins", "found"),
    [
        (True, ["app.example"], ["https://app.example"], []),
        (False, ["app.example"], ["http://app.example"], ["W006"]),
        (True, ["*"], [], ["E007"]),
        (True, ["localhost"], [], ["W008"]),
        (True, ["app.example"], ["http://app.example"], ["W009"]),
    ],
)
def test_what_a_proxy_must_be_told_is_said(settings, tls, hosts, origins, found):
    settings.BEHIND_TLS, settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = tls, hosts, origins
    assert ids(checks.behind_a_proxy) == found


def test_where_notices_do_not_go_is_said(settings):
    settings.EMAIL_IS_SENT, settings.PUBLIC_URL = True, "https://app.example"
    assert ids(checks.notices) == []
    settings.EMAIL_IS_SENT, settings.PUBLIC_URL = False, ""
    assert ids(checks.notices) == ["W019", "W020"]


@pytest.mark.parametrize(
    ("lease", "renewed", "found"), [(30, 10, []), (30, 15, []), (30, 16, ["E018"]), (3, 3, ["E018"])]
)
def test_lea_03_a_lease_that_one_late_sign_of_life_would_lose_is_refused_at_every_start(
    settings, lease, renewed, found
):
    settings.LEASE_SECONDS, settings.LEASE_RENEW_SECONDS = lease, renewed
    assert ids(checks.leases) == found
    assert checks.leases in registry.get_checks(include_deployment_checks=False)


@pytest.mark.parametrize(("limit", "found"), [(90_000, []), (1060, []), (1059, ["E021"])])
def test_rq_09_a_jobs_limit_that_an_allowed_attempt_would_outlast_is_refused(db, settings, limit, found):
    put_in_force(open_acme().by, load(PRINT.replace("attempt_timeout_seconds: 5", "attempt_timeout_seconds: 100")))
    settings.SHIFT_LIMIT_SECONDS = limit
    assert [id_ for id_ in ids(service_checks.database) if id_ == "E021"] == found


def test_roles_as_they_should_be_are_not_complained_of(db):
    assert ids(service_checks.roles) == []


def test_two_roles_that_are_one_are_refused(db, monkeypatch):
    monkeypatch.setenv("DATABASE_WORKER_URL", os.environ["DATABASE_URL"])
    assert ids(service_checks.roles) == ["E010"]


def test_a_serving_role_that_owns_the_tables_is_refused(db, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", os.environ["DATABASE_OWNER_URL"])
    assert ids(service_checks.roles) == ["E010", "E012"]


def test_a_role_that_cannot_sign_in_is_named_and_its_password_is_not(db, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", NOWHERE)
    (message,) = service_checks.roles(None)
    assert (message.id, "DATABASE_URL" in str(message.hint)) == ("counterfoil.E011", True)
    assert "nowhere" not in str(message)


@contextmanager
def changed(there: str, back: str) -> Iterator[None]:
    """Have something changed by the superuser, for as long as this lasts."""
    hand().execute(there)
    try:
        yield
    finally:
        hand().execute(back)


@pytest.mark.parametrize("right", ["SUPERUSER", "BYPASSRLS"])
def test_a_serving_role_that_escapes_the_fence_is_refused(other_postgres, monkeypatch, right):
    with psycopg.connect(other_postgres, autocommit=True) as superuser:
        superuser.execute(f"CREATE ROLE mighty_{right} LOGIN {right} PASSWORD 'mighty'")
    url = f"postgresql://mighty_{right.lower()}:mighty@{other_postgres.rpartition('@')[2]}"
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.delenv("DATABASE_OWNER_URL")
    (message,) = [each for each in service_checks.roles(None) if "DATABASE_URL" in each.msg]
    assert (message.id, right.lower() in message.msg.lower()) == ("counterfoil.E012", True)


def test_a_table_without_its_fence_is_named(db):
    assert "E016" not in ids(service_checks.database)
    with changed("alter table runs_run disable row level security", "alter table runs_run enable row level security"):
        (message,) = [each for each in service_checks.database(None) if each.id == "counterfoil.E016"]
    assert "runs_run" in message.msg


def test_a_postgresql_that_may_lose_what_it_committed_is_refused(db, monkeypatch):
    """The tests' own does."""
    (accepted,) = [each for each in service_checks.database(None) if each.id == "counterfoil.E014"]
    assert "fsync = off, full_page_writes = off, synchronous_commit = off" in accepted.msg
    assert not accepted.is_serious()
    monkeypatch.delenv("RELAXED_DURABILITY")
    (refused,) = [each for each in service_checks.database(None) if each.id == "counterfoil.E014"]
    assert refused.is_serious()


def test_an_old_postgresql_and_a_strange_time_zone_are_said(db, monkeypatch):
    assert not {"E013", "W015"} & set(ids(service_checks.database))
    monkeypatch.setattr("console.durability.OLDEST", 990000)
    monkeypatch.setenv("DATABASE_WORKER_URL", os.environ["DATABASE_WORKER_URL"] + "&options=-c%20timezone%3DAsia/Tokyo")
    assert {"E013", "W015"} <= set(ids(service_checks.database))


def test_secrets_that_contracts_name_and_this_process_lacks_are_named(db, monkeypatch):
    open_acme()
    monkeypatch.delenv("COUNTERFOIL_SECRET_BANK_TOKEN", raising=False)
    (message,) = [each for each in service_checks.database(None) if each.id == "counterfoil.W017"]
    assert "COUNTERFOIL_SECRET_BANK_TOKEN" in str(message.hint)
    for word in str(message.hint).replace(",", " ").split():
        if word.startswith("COUNTERFOIL_SECRET_"):
            monkeypatch.setenv(word, "here")
    assert "W017" not in ids(service_checks.database)


def test_secrets_that_contracts_of_functions_name_are_named_too(db, monkeypatch):
    monkeypatch.delenv("COUNTERFOIL_SECRET_PRESS_TOKEN", raising=False)
    put_in_force(Actor("system", None, "test", open_acme().tenant.pk, "test"), load(PRINT))
    (message,) = [each for each in service_checks.database(None) if each.id == "counterfoil.W017"]
    assert "COUNTERFOIL_SECRET_PRESS_TOKEN" in str(message.hint)
    monkeypatch.setenv("COUNTERFOIL_SECRET_PRESS_TOKEN", "here")
    assert "COUNTERFOIL_SECRET_PRESS_TOKEN" not in "".join(str(each.hint) for each in service_checks.database(None))


def test_the_bell_the_clock_and_the_workers_are_warned_of_and_the_schema_refused(db, monkeypatch):
    found = {each.msg.partition(":")[0]: each for each in service_checks.machinery(None)}
    assert set(found) == {"clock", "workers"}
    assert not any(each.is_serious() for each in found.values())
    with inside():
        beats.beat("clock")
    assert {each.msg.partition(":")[0] for each in service_checks.machinery(None)} == {"workers"}
    gone = "update django_migrations set name = {} where app = 'runs' and name like '0002%'"
    with changed(gone.format("name || '_'"), gone.format("rtrim(name, '_')")):
        (schema,) = [each for each in service_checks.machinery(None) if each.is_serious()]
    assert schema.msg.startswith("migrations: behind.")

    def away() -> None:
        raise OSError

    monkeypatch.setattr("console.signs.line", away)
    (bell,) = [each for each in service_checks.machinery(None) if each.msg.startswith("bell")]
    assert not bell.is_serious()


def test_the_command_says_all_of_it_and_fails():
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"], cwd=env.BASE_DIR, capture_output=True, text=True, check=False,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "console.settings", "DATABASE_URL": NOWHERE, "SECRET_KEY": "guess", "DEBUG": "yes"},
    )  # fmt: skip
    assert done.returncode == 1
    assert all(f"counterfoil.{each}" in done.stderr for each in ("E002", "E003", "E011", "W006", "W008"))
    assert "security.W" not in done.stderr
