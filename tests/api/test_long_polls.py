"""Long polls on the real server: news comes at once, silence lasts as long as asked, and Redis away only makes it slower."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from approvals.deciding import voting
from tests import databases
from tests.api.desk import Caller, pay
from tests.api.serving import Server, serving, spent
from tests.cast import Company
from tests.processes import until
from tests.runs.shifting import Bench, Working

LONG = 45  # seconds: more than even a busy machine needs for what is done at once, and less than anybody waits in vain


@pytest.fixture(scope="module")
def server(django_db_setup: Any) -> Iterator[Server]:
    """The web server, with a bell that rings."""
    with serving(DJANGO_SETTINGS_MODULE="tests.api.patient") as running:
        yield running


def soon(call: Any, after: float = 0.4) -> threading.Timer:
    """Do something in a moment."""
    timer = threading.Timer(after, call)
    timer.start()
    return timer


def approve(company: Company, request: dict[str, Any]) -> None:
    """ann approves."""
    voting.approve(
        company.actor("ann"), request["id"], shown_digest=request["digest"], reason="", key=f"key-{request['id']}"
    )


def test_a_decision_wakes_who_waits_for_it(acme: Company, agent: Caller, server: Server) -> None:
    effect = agent.propose(agent.run())
    request = agent.get(f"approvals/{effect['approval']['id']}").document
    server.call(
        "GET", f"/api/v1/approvals/{request['id']}?wait=1s&known=pending", bearer=agent.bearer
    )  # the ear is open now
    began = time.monotonic()
    soon(lambda: approve(acme, request))
    status, answer = server.call(
        "GET", f"/api/v1/approvals/{request['id']}?wait=60s&known=pending", bearer=agent.bearer
    )
    assert (status, answer["state"]) == (200, "approved")
    assert spent(began) < LONG


def test_a_run_and_an_effect_are_waited_for(agent: Caller, server: Server) -> None:
    run = agent.run()
    effect = agent.propose(run)
    version = agent.get(f"runs/{run['id']}")["version"]
    addresses = [
        f"/api/v1/runs/{run['id']}?wait=60s&known={version}",
        f"/api/v1/effects/{effect['id']}?wait=60s&known=awaiting_approval",
    ]
    began = time.monotonic()
    soon(lambda: agent.post(f"effects/{effect['id']}/withdraw", {"reason": ""}, token=1))
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda address: server.call("GET", address, bearer=agent.bearer), addresses))
    assert [status for status, _ in answers] == [200, 200]
    assert answers[0][1]["version"] > version
    assert answers[1][1]["state"] == "withdrawn"
    assert spent(began) < LONG


def test_what_a_worker_did_is_heard_at_once(agent: Caller, server: Server) -> None:
    run = agent.run(pay("a", "1"))
    effect = run["effects"][0]["id"]
    bench = Bench()

    def work() -> None:
        working = Working(bench)
        assert working.ends() == 1

    began = time.monotonic()
    soon(work)
    status, answer = server.call("GET", f"/api/v1/effects/{effect}?wait=60s&known=ready", bearer=agent.bearer)
    assert (status, answer["state"]) == (200, "succeeded")
    assert spent(began) < LONG


def test_what_is_no_longer_so_is_answered_at_once(agent: Caller, server: Server) -> None:
    effect = agent.propose(agent.run())
    began = time.monotonic()
    status, answer = server.call("GET", f"/api/v1/effects/{effect['id']}?wait=60s&known=ready", bearer=agent.bearer)
    assert (status, answer["state"]) == (200, "awaiting_approval")
    assert spent(began) < LONG


def test_silence_ends_when_the_time_is_up(agent: Caller, server: Server) -> None:
    run = agent.run()
    began = time.monotonic()
    status, answer = server.call("GET", f"/api/v1/runs/{run['id']}?wait=1s", bearer=agent.bearer)
    assert (status, answer["version"]) == (200, run["version"])
    assert 0.9 < spent(began) < LONG


def test_many_wait_and_hold_no_connection_to_the_database(acme: Company, agent: Caller, server: Server) -> None:
    effect = agent.propose(agent.run())
    request = agent.get(f"approvals/{effect['approval']['id']}").document
    address = f"/api/v1/approvals/{request['id']}?wait=60s&known=pending"
    before = connections_to_this_database()  # threads of earlier tests may have left some
    with ThreadPoolExecutor(60) as pool:
        waiting = [pool.submit(server.call, "GET", address, bearer=agent.bearer) for _ in range(60)]
        time.sleep(4)
        assert until(lambda: connections_to_this_database() <= before + 4)  # once the last of them has been let in
        began = time.monotonic()
        assert server.call("GET", "/api/v1/runs", bearer=agent.bearer)[0] == 200
        assert spent(began) < LONG  # those who wait keep no thread from others
        approve(acme, request)
        assert {answer.result()[1]["state"] for answer in waiting} == {"approved"}
        assert spent(began) < LONG


def connections_to_this_database() -> int:
    """Count them, those of this test included."""
    with databases.as_superuser() as connection:
        found = connection.execute(
            "select count(*) from pg_stat_activity where datname = %s and backend_type = 'client backend'",
            [databases.name()],
        ).fetchone()
    assert found is not None
    return int(found[0])


def test_a_key_that_is_revoked_meanwhile_hears_no_more(acme: Company, agent: Caller, server: Server) -> None:
    from console.identity import administration
    from console.identity.models import ApiKey
    from console.ledger.actors import Actor
    from tests.cast import inside

    run = agent.run()
    with inside():
        key = ApiKey.objects.get(prefix=(agent.bearer or "")[:10])
    soon(lambda: administration.revoke_key(Actor("system", None, "test", acme.tenant.pk, "test"), key.pk))
    assert server.call("GET", f"/api/v1/runs/{run['id']}?wait=5s", bearer=agent.bearer)[0] == 401


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("wait=", 400), ("wait=0s", 400), ("wait=61s", 400), ("wait=30", 400), ("wait=-1s", 400), ("wait=1e1s", 400), ("wait=\uff11s", 400),
        ("wait=1s&known=%00", 400), ("wait=1s&known=", 400), ("wait=1s&wait=2s", 400), ("wait=1s&colour=red", 400), ("known=ready", 200),
    ],
)  # fmt: skip
def test_wait_is_read_strictly(agent: Caller, query: str, status: int) -> None:
    run = agent.run()
    assert agent.get(f"runs/{run['id']}?{query}").status == status


def test_faults_of_a_long_poll_are_problems(agent: Caller, nobody: Caller) -> None:
    absent = "0189a0c0-0000-7000-8000-000000000000"
    assert agent.get(f"runs/{absent}?wait=5s").code == "not_found"
    assert nobody.get(f"runs/{absent}?wait=5s").code == "not_authenticated"
    assert agent.call("DELETE", f"runs/{absent}?wait=5s", None, {}).code == "method_not_allowed"


def test_an_unforeseen_fault_inside_an_async_view_is_a_problem(agent: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    run = agent.run()

    def break_down() -> None:
        raise RuntimeError("the secret of the inside")

    monkeypatch.setattr("console.http.streams.ear", break_down)
    answer = agent.get(f"runs/{run['id']}?wait=5s")
    assert (answer.status, answer.code) == (500, "fault")
    assert b"secret" not in answer.raw


def test_without_redis_news_comes_by_looking(acme: Company, agent: Caller) -> None:
    effect = agent.propose(agent.run())
    request = agent.get(f"approvals/{effect['approval']['id']}").document
    with serving(DJANGO_SETTINGS_MODULE="tests.api.deaf") as deaf:
        began = time.monotonic()
        soon(lambda: approve(acme, request))
        status, answer = deaf.call(
            "GET", f"/api/v1/approvals/{request['id']}?wait=60s&known=pending", bearer=agent.bearer
        )
        assert (status, answer["state"]) == (200, "approved")
        assert spent(began) < LONG
