"""Signals by REST: sent once under a key, to whoever waits or to a run; listed without what they say, and looked at with it."""

import pytest
from uuid_utils.compat import uuid7

from tests.api.desk import Caller

SIGNAL = {"name": "paid", "correlation": "1042", "body": {"amount": "12.50"}}


def made(agent: Caller) -> str:
    """Have a run, and give its id."""
    answer = agent.post("runs", {"run_type": "errand", "goal": "Wait"})
    return str(answer.document["id"])


def test_a_signal_that_nothing_waits_for_is_made_and_kept(agent: Caller) -> None:
    answer = agent.post("signals", SIGNAL, key="k-1")
    said = answer.document
    assert (answer.status, said["state"], said["run"], said["wait"]) == (201, "kept", None, None)
    assert answer.headers["Location"] == f"/api/v1/signals/{said['id']}"
    assert (said["name"], said["correlation"], said["source"], said["message_id"]) == ("paid", "1042", "agent", "k-1")


def test_the_same_key_gives_the_same_signal_again_as_it_is_now(agent: Caller) -> None:
    first = agent.post("signals", SIGNAL, key="k-1")
    again = agent.post("signals", SIGNAL, key="k-1")
    assert (again.status, again.headers["Idempotent-Replayed"]) == (200, "true")
    assert again.document["id"] == first.document["id"]
    other = agent.post("signals", {**SIGNAL, "body": 2}, key="k-1")
    assert (other.status, other.document["code"]) == (422, "key_reused")


def test_a_run_that_waits_is_told_what_the_signal_said(agent: Caller) -> None:
    run = made(agent)
    wait = {"kind": "signal", "name": "reply", "condition": {"name": "paid"}}
    agent.post(f"runs/{run}/waits", wait, token=1)
    answer = agent.post(f"runs/{run}/signals", {"name": "paid", "body": {"amount": 3}})
    said = answer.document
    assert (answer.status, said["state"], said["run"], said["wait_name"]) == (201, "taken", run, "reply")
    assert agent.get(f"runs/{run}").document["state"] == "running"
    (waited,) = agent.get(f"runs/{run}/waits").document["items"]
    assert (waited["state"], waited["result"]["body"]) == ("met", {"amount": 3})


def test_one_is_looked_at_with_what_it_says_and_listed_without(agent: Caller) -> None:
    made_id = agent.post("signals", SIGNAL).document["id"]
    assert agent.get(f"signals/{made_id}").document["body"] == {"amount": "12.50"}
    (listed,) = agent.get("signals").document["items"]
    assert listed["id"] == made_id
    assert "body" not in listed


def test_the_list_is_walked_from_the_newest_on_in_one_state_or_in_all(agent: Caller) -> None:
    ids = [agent.post("signals", {**SIGNAL, "body": number}).document["id"] for number in range(3)]
    first = agent.get("signals?limit=2&state=kept").document
    rest = agent.get(f"signals?limit=2&state=kept&cursor={first['next_cursor']}").document
    assert [item["id"] for item in [*first["items"], *rest["items"]]] == ids[::-1]
    assert rest["next_cursor"] is None
    assert agent.get("signals?state=late").document["items"] == []
    assert agent.get("signals?state=lost").document["code"] == "bad_parameter"


def test_another_tenants_agent_finds_nothing(agent: Caller, stranger: Caller) -> None:
    run, signal = made(agent), agent.post("signals", SIGNAL).document["id"]
    assert stranger.get("signals").document["items"] == []
    assert stranger.get(f"signals/{signal}").status == 404
    assert stranger.post(f"runs/{run}/signals", {"name": "paid"}).status == 404
    assert agent.post(f"runs/{uuid7()}/signals", {"name": "paid"}).status == 404


def test_nobody_is_let_in_without_a_key(nobody: Caller) -> None:
    assert nobody.post("signals", SIGNAL).status == 401


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 64},
        {"correlation": ""},
        {"correlation": "x" * 256},
        {"keep_seconds": 0},
        {"more": 1},
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_kept(agent: Caller, change: dict[str, object]) -> None:
    assert agent.post("signals", {**SIGNAL, **change}).status == 422
    assert agent.get("signals").document["items"] == []


def test_a_body_that_is_too_large_is_refused(agent: Caller) -> None:
    answer = agent.post("signals", {**SIGNAL, "body": "x" * 70_000})
    assert (answer.status, answer.document["code"], answer.document["path"]) == (422, "signal_too_large", "/body")
