"""No secret is ever written: planted everywhere, looked for in all of the output."""

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from console.telemetry import blotting
from tests.api.desk import Caller
from tests.telemetry.hearing import Heard

BANK = "swordfish-of-the-bank"
DATABASE = "p%40ss-of-the-database"
KEY = "cf_abcDEF123_-xyzxyzxyzxyzxyz"
COOKIE = "q3k8s7d6f5g4h3j2"
SECRETS = (BANK, DATABASE, "p@ss-of-the-database", KEY, COOKIE, "hunter2hunter2")
PLANTED = [
    f"Authorization: Bearer {BANK}",
    f"{{'Authorization': 'Bearer {KEY}', 'Host': 'x'}}",
    f'{{"authorization": "Basic {COOKIE}"}}',
    f"Cookie: sessionid={COOKIE}; csrftoken={COOKIE}",
    f"(b'cookie', b'sessionid={COOKIE}')",
    f"Set-Cookie: sessionid={COOKIE}; Path=/",
    f"sent with bearer {COOKIE} to it",
    f"the key {KEY} is not known",
    f"GET /x?api_key={COOKIE}&page=2",
    f"password={COOKIE}",
    f'"client_secret": "{COOKIE}"',
    f"postgresql://app:{DATABASE}@db:5432/x refused",
    "redis://:hunter2hunter2@bell:6379/0",
    f"the bank said {BANK}, word for word",
]


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have secrets where a process has them."""
    monkeypatch.setenv("COUNTERFOIL_SECRET_BANK_TOKEN", BANK)
    monkeypatch.setenv("DATABASE_URL", f"postgresql://app:{DATABASE}@db/x")
    blotting.known.cache_clear()
    yield
    blotting.known.cache_clear()


def none_in(output: str) -> None:
    """Look for every secret in all that was written."""
    assert output
    assert [secret for secret in SECRETS if secret in output] == []


@pytest.mark.parametrize("planted", PLANTED)
def test_a_secret_in_a_message_is_blotted(heard: Heard, planted: str) -> None:
    logging.getLogger("console.test").error("so: %s", planted)
    none_in(heard.getvalue())
    assert blotting.BLOT in heard.lines[0]["event"]


@pytest.mark.parametrize("planted", PLANTED)
def test_a_secret_in_a_fault_is_blotted_and_in_the_one_behind_it(heard: Heard, planted: str) -> None:
    try:
        try:
            raise ValueError(planted)
        except ValueError as fault:
            raise RuntimeError(planted) from fault
    except RuntimeError:
        logging.getLogger("console.test").exception("failed")
    none_in(heard.getvalue())


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "api_key",
        "Authorization",
        "X-API-Key",
        "bank_token",
        "cookie",
        "client_secret",
        "csrfmiddlewaretoken",
    ],
)
def test_a_fact_named_like_a_secret_is_blotted_whatever_it_holds(heard: Heard, name: str) -> None:
    log = structlog.stdlib.get_logger("console.test")
    log.error("so", **{name: "plain-looking"}, deeper={"more": [{name: "plain-looking"}]})
    assert "plain-looking" not in heard.getvalue()
    assert heard.lines[0]["deeper"] == {"more": [{name: blotting.BLOT}]}


def test_a_secret_in_the_extra_of_a_foreign_line_and_in_an_object_is_blotted(heard: Heard) -> None:
    class Held:
        def __repr__(self) -> str:
            return f"<Held {KEY}>"

    logging.getLogger("rq.worker").error(
        "%s", Held(), extra={"headers": {"cookie": COOKIE}, "held": Held(), "said": PLANTED}
    )
    none_in(heard.getvalue())


def test_a_secret_kept_in_a_file_is_known_by_its_content(
    heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "token"
    kept.write_text("kept-in-a-file\n")
    monkeypatch.setenv("COUNTERFOIL_METRICS_TOKEN_FILE", str(kept))
    blotting.known.cache_clear()
    logging.getLogger("console.test").error("it is kept-in-a-file, is it not")
    assert "kept-in-a-file" not in heard.getvalue()


def test_the_password_of_an_address_kept_in_a_file_is_known(
    heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "url"
    kept.write_text("postgresql://app:kept-beside-it@db/x\n")
    monkeypatch.setenv("DATABASE_WORKER_URL_FILE", str(kept))
    blotting.known.cache_clear()
    logging.getLogger("console.test").error("it is kept-beside-it, is it not")
    assert "kept-beside-it" not in heard.getvalue()


def test_what_is_no_secret_stays(heard: Heard) -> None:
    said = 'the token is good; key "order-1042" of run 0199, password policy: long'
    logging.getLogger("console.test").info("%s", said.replace("password policy: ", "policy "))
    assert heard.lines[0]["event"] == said.replace("password policy: ", "policy ")


@pytest.mark.parametrize(
    "part", ["a", "a-", "a:", "://", "://a:", "csrf", "token", "password ", "cookie ", "basic ", " "]
)
def test_a_text_that_a_stranger_chose_holds_nobody_up(part: str) -> None:
    began = time.thread_time()  # its own work alone, whatever else the machine does
    blotting.blotted(part * (64_000 // len(part)))
    assert time.thread_time() - began < 2


def test_a_call_with_a_key_and_a_body_full_of_secrets_leaves_none_in_the_log(heard: Heard, agent: Caller) -> None:
    given = {"Cookie": f"sessionid={COOKIE}", "X-API-Key": COOKIE}
    agent.get(f"runs?cursor={KEY}", **given)
    agent.post("runs", {"run_type": "errand", "goal": json.dumps(PLANTED), "effects": []}, **given)
    Caller(KEY).get("runs")
    none_in(heard.getvalue())
    assert str(agent.bearer) not in heard.getvalue()
