"""Decisions by REST go by the same function as the button (APR-07): an agent never decides, and every refusal has its name."""

from typing import Any

import pytest

from approvals.models import Decision
from console.ledger.models import Refusal as KeptRefusal
from tests.api.desk import Answer, Caller, members_key
from tests.cast import Company, inside, later


@pytest.fixture
def request_to_decide(agent: Caller) -> Answer:
    """A pending request."""
    return agent.get(f"approvals/{agent.propose(agent.run())['approval']['id']}")


def decide_as(by: Caller, request: Answer, verdict: str = "approve", *, key: str = "", **more: Any) -> Answer:
    """Decide through the door of the API, with a member's key."""
    body = {"verdict": verdict, "shown_digest": request["digest"], "reason": "seen", **more}
    return by.post(f"approvals/{request['id']}/decisions", body, key=key)


def tool(company: Company, name: str) -> Caller:
    """Give a member's tool, with its key."""
    return Caller(members_key(company, name, scopes=["approvals:read", "approvals:decide"]))


def test_apr_07_an_agent_does_not_decide_what_it_asked(agent: Caller, request_to_decide: Answer) -> None:
    for verdict in ("approve", "deny"):
        body = {"verdict": verdict, "shown_digest": request_to_decide["digest"], "reason": "I am sure"}
        answer = agent.post(f"approvals/{request_to_decide['id']}/decisions", body)
        assert (answer.status, answer.code) == (403, "separation_of_duties")
    after = agent.get(f"approvals/{request_to_decide['id']}")
    assert (after["state"], after["version"], after["decisions"]) == ("pending", request_to_decide["version"], [])
    with inside():
        assert list(KeptRefusal.objects.values_list("type", flat=True)) == ["separation_of_duties"] * 2


def test_apr_07_who_answers_for_the_agent_does_not_decide(
    acme: Company, agent: Caller, request_to_decide: Answer
) -> None:
    refused = decide_as(tool(acme, "ben"), request_to_decide)
    assert (refused.status, refused.code) == (403, "separation_of_duties")
    assert agent.get(f"approvals/{request_to_decide['id']}")["state"] == "pending"
    with inside():
        assert KeptRefusal.objects.get().actor == f"member:{acme.members['ben'].pk}"


def test_the_door_decides_by_the_same_function(acme: Company, agent: Caller, request_to_decide: Answer) -> None:
    ann = tool(acme, "ann")
    receipt = decide_as(ann, request_to_decide, key="k")
    assert (receipt.status, receipt["receipt"], receipt["state"]) == (200, "recorded", "approved")
    assert decide_as(ann, request_to_decide, key="k").document == {**receipt.document, "replayed": True}
    refused = decide_as(ann, request_to_decide, key="k", reason="another")
    assert (refused.status, refused.code) == (422, "key_reused")
    with inside():
        assert Decision.objects.get().via == "api"


def test_each_refusal_has_its_name(acme: Company, agent: Caller, request_to_decide: Answer) -> None:
    ann, amir = tool(acme, "ann"), tool(acme, "amir")

    def refused(by: Caller, **more: Any) -> tuple[int, str | None]:
        answer = decide_as(by, request_to_decide, **more)
        return answer.status, answer.code

    assert refused(tool(acme, "oscar")) == (403, "not_eligible")
    assert refused(ann, shown_digest="0" * 64) == (412, "stale_view")
    assert refused(ann, shown_digest="not hex") == (412, "stale_view")
    assert refused(ann, verdict="deny", reason=" ") == (422, "reason_missing")
    assert refused(ann, verdict="perhaps") == (422, "invalid")
    with later(hours=1):
        assert refused(ann) == (409, "expired")
    assert decide_as(ann, request_to_decide).status == 200
    problem = decide_as(amir, request_to_decide, verdict="deny")
    assert (problem["state"], problem["version"]) == (
        "approved",
        agent.get(f"approvals/{request_to_decide['id']}")["version"],
    )
    assert (problem.status, problem.code, problem["verdict"], problem["by"]) == (
        409,
        "already_resolved",
        "approve",
        "Ann Okafor",
    )


def test_exp_01_a_request_out_of_time_cannot_be_decided_before_anybody_swept(
    agent: Caller, request_to_decide: Answer
) -> None:
    assert request_to_decide["can_be_decided"] is True
    with later(hours=1):
        late = agent.get(f"approvals/{request_to_decide['id']}")
        assert late["can_be_decided"] is False


def test_decisions_are_only_posted(agent: Caller, request_to_decide: Answer) -> None:
    assert agent.get(f"approvals/{request_to_decide['id']}/decisions").status == 405


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"verdict": "approve"},
        {"verdict": "approve", "shown_digest": 7},
        {"verdict": "approve", "shown_digest": "x", "force": True},
    ],
)
def test_a_decision_that_does_not_fit_is_refused(
    agent: Caller, request_to_decide: Answer, body: dict[str, Any]
) -> None:
    answer = agent.post(f"approvals/{request_to_decide['id']}/decisions", body)
    assert answer.status == 422
    assert agent.get(f"approvals/{request_to_decide['id']}")["state"] == "pending"
