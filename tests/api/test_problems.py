"""Problems: every refusal of the code is on the stable list, with its status, and its address describes it."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

import approvals
import compensation
import console
import runs
from console.exact.bad_json import CODES
from console.http.problem_types import PROBLEMS
from console.http.problems import FRAMEWORK, TITLES
from console.http.refusals import Refusal
from tests.api.desk import Caller

DOCS = Path(__file__).parents[2] / "docs"


def everything() -> None:
    """Import every module of the product, so that no refusal is missed."""
    for package in (console, approvals, runs, compensation):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith(("__main__", "console.asgi")) and ".migrations" not in module.name:
                importlib.import_module(module.name)


def refusals(kind: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """Give every refusal."""
    yield kind
    for below in kind.__subclasses__():
        yield from refusals(below)


def test_the_list_is_complete_and_right() -> None:
    everything()
    known = {code: kind.status for code, kind in PROBLEMS.items()}
    for refusal in {each for each in refusals() if not each.__module__.startswith("tests.")}:
        assert known.get(refusal.code) == refusal.status, f"{refusal.__module__}.{refusal.__name__}"
    for code, status, _ in FRAMEWORK.values():
        assert known.get(code) == status, code
    for code in CODES:
        assert known.get(code) == 400, code


def test_the_list_names_nothing_that_does_not_exist() -> None:
    everything()
    raised = {refusal.code for refusal in refusals()} | {code for code, _, _ in FRAMEWORK.values()} | CODES | {"fault"}
    assert set(PROBLEMS) - raised == set()


def test_every_status_has_a_title_and_every_refusal_a_sentence() -> None:
    everything()
    assert {kind.status for kind in PROBLEMS.values()} <= set(TITLES)
    for refusal in {each for each in refusals() if not each.__module__.startswith("tests.")}:
        said = (refusal.__doc__ or "").strip()
        assert said.endswith(".") or not refusal.__module__.startswith(("console", "runs", "approvals")), refusal


def test_docs_list_every_problem() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    rows = [
        f"| `{code}` | {kind.status} | {kind.meaning} | {' '.join(kind.what_to_do)} |"
        for code, kind in PROBLEMS.items()
    ]
    assert [row for row in rows if row not in text] == []
    assert text.count("\n| `") - text.count("\n| `GET") - text.count("\n| `POST") - text.count("\n| `PUT") == len(rows)


@pytest.mark.parametrize("code", sorted(PROBLEMS))
def test_the_address_of_a_type_describes_it(nobody: Caller, code: str) -> None:
    described = nobody.get(f"problems/{code}")
    assert (described.status, described["code"], described["status"]) == (200, code, PROBLEMS[code].status)
    assert described["type"] == f"/api/v1/problems/{code}"


def test_people_get_a_page(db: None) -> None:
    page = Client().get("/api/v1/problems/stale_token", headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.headers["Content-Type"].startswith("text/html")
    assert b"stale_token" in page.content
    assert PROBLEMS["stale_token"].what_to_do[0] in page.content.decode()


def test_all_are_listed(nobody: Caller) -> None:
    assert [item["code"] for item in nobody.get("problems")["items"]] == sorted(PROBLEMS)


@pytest.mark.parametrize("address", ["/api/v1/nowhere", "/api/v1/runs/", "/api/v2/runs", "/api/", "/api/v1/effects"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_address_that_is_none_is_a_problem_too(db: None, address: str, method: str) -> None:
    answer = Client(enforce_csrf_checks=True).generic(method, address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"


def test_a_host_that_is_not_ours_is_a_problem_too(db: None) -> None:
    answer = Client().get("/api/v1/runs", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")


def test_a_database_that_is_away_is_said_to_be_away(agent: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    def away(*_: object) -> None:
        raise OperationalError("the connection is closed: host=secret")

    monkeypatch.setattr("runs.api.queries.run", away)
    answer = agent.get("runs/0189a0c0-0000-7000-8000-000000000000")
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "unavailable", "1")
    assert b"secret" not in answer.raw
