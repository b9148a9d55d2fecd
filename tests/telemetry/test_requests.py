"""Every request has an id, which every line written meanwhile carries, and one line of its own."""

import logging
from typing import Any

import pytest
from django.test import Client

from console.telemetry import requests
from tests.api.desk import Caller
from tests.cast import Company, signed_in
from tests.telemetry.hearing import Heard

ACCESS = "console.access"


def test_a_sane_id_is_taken_over_and_given_back(agent: Caller, heard: Heard) -> None:
    answer = agent.get("runs", X_Request_ID="case-7.a:b_c")
    assert answer.headers["X-Request-ID"] == "case-7.a:b_c"
    assert heard.of(ACCESS)[0]["request"] == "case-7.a:b_c"


@pytest.mark.parametrize("insane", ["", " ", "a b", 'a"b', "ü", "x" * 65, "-a", "a;b"])
def test_any_other_id_is_replaced_by_one_of_ours(agent: Caller, heard: Heard, insane: str) -> None:
    answer = agent.get("runs", X_Request_ID=insane)
    minted = answer.headers["X-Request-ID"]
    assert minted != insane
    assert requests.SANE.match(minted)
    assert heard.of(ACCESS)[0]["request"] == minted


def test_the_line_says_method_route_path_status_time_tenant_and_kind_of_principal(
    agent: Caller, acme: Company, heard: Heard
) -> None:
    run = agent.run()
    agent.get(f"runs/{run['id']}?wait=1s&known=0")
    line = heard.of(ACCESS)[-1]
    assert (line["method"], line["status"], line["principal"]) == ("GET", 200, "agent")
    assert line["route"] == "/api/v1/runs/<uuid:id>"
    assert line["path"] == f"/api/v1/runs/{run['id']}"
    assert line["tenant"] == str(acme.tenant.pk)
    assert line["ms"] >= 0


def test_a_member_on_a_page_is_told_as_a_member(acme: Company, heard: Heard) -> None:
    signed_in(acme.ann).get("/approvals")
    line = heard.of(ACCESS)[-1]
    assert (line["route"], line["principal"], line["tenant"]) == ("/approvals", "member", str(acme.tenant.pk))


def test_a_stranger_has_neither(db: None, heard: Heard) -> None:
    Client().get("/accounts/login/")
    line = heard.of(ACCESS)[-1]
    assert line["status"] == 200
    assert "tenant" not in line
    assert "principal" not in line


def test_an_address_that_is_none_has_no_route(agent: Caller, heard: Heard) -> None:
    Client().get("/nothing/here")
    assert (heard.of(ACCESS)[-1]["route"], heard.of(ACCESS)[-1]["status"]) == ("none", 404)


@pytest.mark.parametrize("path", sorted(requests.QUIET))
def test_nothing_is_written_of_who_only_looks_whether_we_live(db: None, heard: Heard, path: str) -> None:
    Client().get(path)
    assert heard.of(ACCESS) == []


def test_what_fails_inside_is_written_under_the_requests_id_and_the_tenant(
    agent: Caller, acme: Company, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("runs.api.queries.run", fails)
    answer = agent.get(f"runs/{acme.tenant.pk}", X_Request_ID="case-8")
    assert answer.status == 500
    (fault,) = heard.of("console.http.problems")
    assert (fault["request"], fault["tenant"]) == ("case-8", str(acme.tenant.pk))
    assert fault["principal"] == f"agent:{acme.agent.pk}"
    assert heard.of(ACCESS)[-1]["level"] == "warning"
    assert answer["request_id"] == "case-8"


def test_lines_of_one_request_do_not_know_the_one_before(agent: Caller, heard: Heard) -> None:
    agent.get("runs")
    logging.getLogger("console.test").info("between")
    assert set(heard.of("console.test")[0]) == {"time", "level", "logger", "event"}
