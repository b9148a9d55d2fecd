"""Limits by REST: asked for with the run, reported by its driver, shown with what was done and not, raised by an operator's tool."""

import pytest

from tests.api.desk import Answer, Caller, members_key
from tests.cast import Company

MADE = {"run_type": "customer-case", "goal": "Make order 1042 right"}
LOOK = {"operation": "lookup", "arguments": {"order": "1042"}}


@pytest.fixture
def oscar(acme: Company) -> Caller:
    """An operator's tool."""
    return Caller(members_key(acme, "oscar"))


def made(agent: Caller, **more: object) -> Answer:
    """Make a run."""
    return agent.post("runs", {**MADE, **more}, key="the run")


def left(answer: Answer) -> dict[str, str]:
    """Give what is left of each budget."""
    return {each["budget"]: each["left"] for each in answer["budgets"]}


def test_a_run_is_limited_reports_what_it_used_and_is_set_aside(agent: Caller) -> None:
    run = made(agent, limits={"cost": "0.50", "tokens": 1000}, effects=[{"key": "look", **LOOK}])
    used = agent.post(
        f"runs/{run['id']}/usage", {"tokens": 400, "cost": "0.1", "note": "reading"}, key="call-1", token=1
    )
    assert (used.status, used["used_cost"], left(used)["cost"], left(used)["tokens"]) == (200, "0.1", "0.4", "600")
    again = agent.post(
        f"runs/{run['id']}/usage", {"tokens": 400, "cost": "0.1", "note": "reading"}, key="call-1", token=1
    )
    assert (again["used_tokens"], again.headers["Idempotent-Replayed"]) == (400, "true")
    over = agent.post(f"runs/{run['id']}/usage", {"cost": "0.400001"}, key="call-2", token=1)
    assert (over.status, over["state"]) == (200, "exhausted")
    shown = agent.get(f"runs/{run['id']}/limits")
    assert (shown["reason"], shown["done"]["count"], shown["not_done"]["first"][0]["key"], shown["uncertain"]["count"]) == (
        "cost: 0.500001 of 0.5", 0, "look", 0,
    )  # fmt: skip
    refused = agent.post(f"runs/{run['id']}/effects", LOOK, key="more", token=1)
    assert (refused.status, refused.code) == (409, "run_stopped")


def test_a_stale_driver_reports_nothing_and_what_is_no_amount_is_refused(agent: Caller) -> None:
    run = made(agent)
    for body, token, status, code in (
        ({"tokens": 1}, 7, 409, "stale_token"), ({}, 1, 422, "nothing_used"), ({"cost": "1e3"}, 1, 422, "invalid"),
        ({"cost": 0.5}, 1, 422, "invalid"), ({"cost": "0.0000001"}, 1, 422, "invalid"), ({"tokens": -1}, 1, 422, "invalid"),
    ):  # fmt: skip
        answer = agent.post(f"runs/{run['id']}/usage", body, key=f"call-{code}-{body}", token=token)
        assert (answer.status, answer.code) == (status, code), body


def test_more_than_the_type_allows_and_more_effects_than_attempts_are_refused_with_their_place(agent: Caller) -> None:
    refused = agent.post("runs", {**MADE, "limits": {"patience": 3}}, key="one")
    assert (refused.status, refused.code, refused["path"]) == (422, "bad_limit", "/limits/patience")
    refused = agent.post("runs", {**MADE, "limits": {"attempts": 0}, "effects": [{"key": "look", **LOOK}]}, key="two")
    assert (refused.status, refused.code, refused["budget"]) == (409, "limit_reached", "attempts")


def test_an_operators_tool_gives_more_and_an_agent_does_not(agent: Caller, oscar: Caller) -> None:
    run = made(agent, limits={"tokens": 10})
    agent.post(f"runs/{run['id']}/usage", {"tokens": 11}, key="call", token=1)
    more = {"more": {"tokens": 5}, "reason": "Nearly done."}
    assert agent.post(f"runs/{run['id']}/extend", more, key="more").code == "wrong_kind_of_key"
    assert (
        oscar.post(f"runs/{run['id']}/extend", {"more": {"tokens": 1}, "reason": "A little."}, key="less").code
        == "not_enough"
    )
    given = oscar.post(f"runs/{run['id']}/extend", more, key="more")
    assert (given.status, given["state"], left(given)["tokens"]) == (200, "running", "4")
    assert agent.get(f"runs/{run['id']}")["attention"] is None
