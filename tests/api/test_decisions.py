"""Decisions by REST go by the same function as the button (APR-07): an agent never decides, and every refusal has its name."""

from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from rest_framework.test import APIRequestFactory, force_authenticate

from approvals.api.requests import Decisions
from approvals.models import Decision
from console.exact import decode
from console.ledger.actors import Actor
from console.ledger.models import Refusal as KeptRefusal
from tests.api.desk import Answer, Caller
from tests.cast import Company, inside, later


@pytest.fixture
def request_to_decide(agent: Caller) -> Answer:
    """A pending request."""
    return agent.get(f"approvals/{agent.propose(agent.run())['approval']['id']}")


def decide_as(by: Actor, request: Answer, verdict: str = "approve", **more: Any) -> tuple[int, Any]:
    """Decide through the door of the API, as somebody who has come in."""
    key = more.pop("key", str(uuid4()))
    body = {"verdict": verdict, "shown_digest": request["digest"], "reason": "seen", **more}
    asked = APIRequestFactory().post("/", body, format="json", headers={"Idempotency-Key": key})
    force_authenticate(asked, by)  # type: ignore[arg-type]  # who comes in here is an actor
    with patch.object(Decisions, "whose", "member"):  # as if members had keys for it
        response = Decisions.as_view()(asked, id=request["id"])
    return response.status_code, decode(response.render().content)


def with_scopes(company: Company, name: str) -> Actor:
    """Give a member as an actor who comes through the API."""
    member = company.actor(name)
    return Actor(
        "member",
        member.id,
        member.name,
        member.tenant_id,
        "api",
        member.roles,
        member.groups,
        frozenset({"recovery:write"}),
    )


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
    status, problem = decide_as(with_scopes(acme, "ben"), request_to_decide)
    assert (status, problem["code"]) == (403, "separation_of_duties")
    assert agent.get(f"approvals/{request_to_decide['id']}")["state"] == "pending"
    with inside():
        assert KeptRefusal.objects.get().actor == f"member:{acme.members['ben'].pk}"


def test_the_door_decides_by_the_same_function(acme: Company, agent: Caller, request_to_decide: Answer) -> None:
    status, receipt = decide_as(with_scopes(acme, "ann"), request_to_decide, key="k")
    assert (status, receipt["receipt"], receipt["state"]) == (200, "recorded", "approved")
    assert decide_as(with_scopes(acme, "ann"), request_to_decide, key="k") == (200, {**receipt, "replayed": True})
    status, problem = decide_as(with_scopes(acme, "ann"), request_to_decide, key="k", reason="another")
    assert (status, problem["code"]) == (422, "key_reused")
    with inside():
        assert Decision.objects.get().via == "api"


def test_each_refusal_has_its_name(acme: Company, agent: Caller, request_to_decide: Answer) -> None:
    ann, amir = with_scopes(acme, "ann"), with_scopes(acme, "amir")

    def refused(by: Actor, **more: Any) -> tuple[int, str]:
        status, problem = decide_as(by, request_to_decide, **more)
        return status, problem["code"]

    assert refused(with_scopes(acme, "oscar")) == (403, "not_eligible")
    assert refused(ann, shown_digest="0" * 64) == (412, "stale_view")
    assert refused(ann, shown_digest="not hex") == (412, "stale_view")
    assert refused(ann, verdict="deny", reason=" ") == (422, "reason_missing")
    assert refused(ann, verdict="perhaps") == (422, "invalid")
    with later(hours=1):
        assert refused(ann) == (409, "expired")
    assert decide_as(ann, request_to_decide)[0] == 200
    status, problem = decide_as(amir, request_to_decide, verdict="deny")
    assert (problem["state"], problem["version"]) == (
        "approved",
        agent.get(f"approvals/{request_to_decide['id']}")["version"],
    )
    assert (status, problem["code"], problem["verdict"], problem["by"]) == (
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
