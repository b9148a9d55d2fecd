"""What a member's key does with approvals: it looks, decides, and takes part, by the same moves as the pages, and in its member's name."""

from typing import Any
from uuid import uuid4

import pytest

from approvals.models import Decision
from console.documents import load
from tests.api.desk import Answer, Caller, members_key
from tests.api.test_alone import ask
from tests.cast import Company, inside, later, put_in_force

TERMS = """
apiVersion: counterfoil/v1
kind: Policy
name: terms
version: 1
description: What may be tightened, put off and passed on.
operations: [pay]
rules:
  - name: two
    when: {path: arguments.amount, op: gt, value: 1000}
    then: ask
    ask: {groups: [finance], quorum: 2, decide_within_seconds: 3600, use_within_seconds: 3600}
  - name: one
    then: ask
    ask:
      groups: [finance]
      decide_within_seconds: 1800
      use_within_seconds: 3600
      extend: {by_seconds: 600, times: 1}
      escalate: {after_seconds: 900, to: [support]}
      narrow: [{path: arguments.amount, towards: less}]
otherwise: deny
"""


def tool(company: Company, name: str, *scopes: str) -> Caller:
    """Give a member's tool of approvals."""
    return Caller(members_key(company, name, scopes=list(scopes) or ["approvals:read", "approvals:decide"]))


def asked(agent: Caller, amount: str = "120.00", **more: Any) -> Answer:
    """Have something asked about an effect of a run."""
    return agent.get(f"approvals/{agent.propose(agent.run(), amount=amount, **more)['approval']['id']}")


def word(request: Answer, verdict: str = "approve", **more: Any) -> dict[str, Any]:
    """Write a word on what is shown."""
    return {"verdict": verdict, "shown_digest": request["digest"], "reason": "seen", **more}


@pytest.fixture
def terms(acme: Company, agent: Caller) -> None:
    """A policy that lets approvers do more than say yes or no."""
    put_in_force(acme.by, load(TERMS))


def test_it_lists_looks_and_waits(acme: Company, agent: Caller) -> None:
    request, reader = asked(agent), tool(acme, "ann", "approvals:read")
    assert [each["id"] for each in reader.get("approvals")["items"]] == [request["id"]]
    assert reader.get(f"approvals/{request['id']}?wait=1s&known=pending")["state"] == "pending"
    refused = reader.post(f"approvals/{request['id']}/decisions", word(request))
    assert (refused.status, refused.code, refused["scope"]) == (403, "missing_scope", "approvals:decide")


def test_a_key_of_recovery_is_none_of_approvals(acme: Company, agent: Caller) -> None:
    request = asked(agent)
    recovery = Caller(members_key(acme, "ann", scopes=["recovery:read", "recovery:write"]))
    assert recovery.get("approvals").code == "missing_scope"
    assert recovery.post(f"approvals/{request['id']}/decisions", word(request)).code == "missing_scope"
    assert tool(acme, "ann").get("unknown").code == "missing_scope"


def test_a_yes_of_less_and_a_no_with_an_alternative(acme: Company, agent: Caller, terms: None) -> None:
    less = {"path": "arguments.amount", "op": "lte", "value": "100.00"}
    ann, request = tool(acme, "ann"), asked(agent)
    receipt = ann.post(f"approvals/{request['id']}/decisions", word(request, constraints=less))
    assert (receipt.status, receipt["state"], receipt["to_fit"]) == (200, "approved", True)
    other = asked(agent)
    wider = {"path": "arguments.currency", "op": "eq", "value": "EUR"}  # which the policy does not let people tighten
    assert ann.post(f"approvals/{other['id']}/decisions", word(other, constraints=wider)).code == "not_narrower"
    body = word(other, "deny", alternative={"order": "1042", "amount": "60.00"})
    assert ann.post(f"approvals/{other['id']}/decisions", body).status == 200
    assert agent.get(f"approvals/{other['id']}")["alternative"] == {
        "amount": "60",
        "currency": "EUR",
        "order": "1042",
    }  # completed and written as the contract does


@pytest.mark.parametrize(
    "more", [{"alternative": {"amount": "1"}}, {"verdict": "deny", "constraints": {}, "shown_target": "7"}]
)
def test_what_belongs_to_the_other_word_is_refused(acme: Company, agent: Caller, more: dict[str, Any]) -> None:
    request = asked(agent)
    refused = tool(acme, "ann").post(f"approvals/{request['id']}/decisions", word(request) | more)
    assert (refused.status, refused.code) == (422, "invalid")


def test_the_high_tier_needs_a_fresh_proof_whatever_the_policy_says(acme: Company, agent: Caller) -> None:
    """A key may lie in a file: a yes of the high tier needs its member, and a no never does."""
    request = ask(agent, tier="high")
    ann = tool(acme, "ann")
    refused = ann.post(f"approvals/{request['id']}/decisions", word(request))
    assert (refused.status, refused.code) == (403, "step_up_needed")
    assert agent.get(f"approvals/{request['id']}")["state"] == "pending"
    assert ann.post(f"approvals/{request['id']}/decisions", word(request, "deny")).status == 200


def test_several_words_have_a_receipt_each(acme: Company, agent: Caller) -> None:
    ann = tool(acme, "ann")
    plain, high, stale, own = asked(agent), ask(agent, tier="high"), asked(agent), asked(agent)
    items = [
        {"key": "a", "approval": plain["id"], **word(plain)},
        {"key": "b", "approval": high["id"], **word(high)},
        {"key": "c", "approval": stale["id"], **word(stale, shown_digest="0" * 64)},
        {"key": "d", "approval": str(uuid4()), **word(own)},
        {"key": "e", "approval": own["id"], **word(own, "deny", reason="")},
        {"approval": own["id"], **word(own)},
    ]
    answer = ann.post("approvals/decisions", {"items": items}, key=None)
    assert (answer.status, answer["created"], answer["existing"], answer["refused"]) == (207, 1, 0, 5)
    told = [each.get("problem", each.get("receipt")) for each in answer["items"]]
    assert told[0]["receipt"] == "recorded"
    assert [each["code"] for each in told[1:]] == ["one_by_one", "stale_view", "not_found", "reason_missing", "invalid"]
    again = ann.post("approvals/decisions", {"items": items[:1]}, key=None)
    assert (again.status, again["existing"], again["items"][0]["receipt"]["replayed"]) == (200, 1, True)
    with inside():
        assert Decision.objects.count() == 1


def test_a_vote_is_taken_back_and_given_again(acme: Company, agent: Caller, terms: None) -> None:
    request, ann = asked(agent, "2000.00"), tool(acme, "ann")
    assert ann.post(f"approvals/{request['id']}/decisions", word(request))["receipt"] == "counted"
    back = ann.post(f"approvals/{request['id']}/decisions/withdraw", {"reason": "Let me look again."})
    assert (back.status, back["counted"], back["of"]) == (200, 0, 2)
    nothing = ann.post(f"approvals/{request['id']}/decisions/withdraw", {"reason": "Again."})
    assert (nothing.status, nothing.code) == (409, "nothing_said")
    assert ann.post(f"approvals/{request['id']}/decisions", word(request))["receipt"] == "counted"


def test_it_is_put_off_and_put_to_others(acme: Company, agent: Caller, terms: None) -> None:
    request, ann = asked(agent), tool(acme, "ann")
    put_off = ann.post(f"approvals/{request['id']}/extend", {"reason": "She comes at five.", "seconds": 300})
    assert (put_off.status, put_off["extensions"]) == (200, 1)
    assert ann.post(f"approvals/{request['id']}/extend", {"reason": "And again."}).code == "not_extendable"
    others = ann.post(f"approvals/{request['id']}/escalate", {"reason": "It hurries."})
    assert (others.status, others["groups"]) == (200, ["finance", "support"])
    assert ann.post(f"approvals/{request['id']}/escalate", {"reason": "More."}).code == "not_escalatable"
    with later(seconds=1900):
        assert agent.get(f"approvals/{request['id']}")["can_be_decided"] is True


def test_an_approval_is_revoked(acme: Company, agent: Caller) -> None:
    request, ann = ask(agent), tool(acme, "ann")
    assert ann.post(f"approvals/{request['id']}/revoke", {"reason": "No."}).code == "not_yours_to_revoke"
    ann.post(f"approvals/{request['id']}/decisions", word(request))
    revoked = ann.post(f"approvals/{request['id']}/revoke", {"reason": "It was the wrong order."})
    assert (revoked.status, revoked["begun"]) == (200, False)
    told = agent.get(f"approvals/{request['id']}")
    assert (told["state"], told["closing_reason"], told["may_resubmit"]) == (
        "revoked",
        "It was the wrong order.",
        False,
    )


def test_what_an_agent_may_not(acme: Company, agent: Caller) -> None:
    request = asked(agent)
    for path, body in (
        ("decisions/withdraw", {"reason": "x"}), ("extend", {"reason": "x"}), ("escalate", {"reason": "x"}), ("revoke", {"reason": "x"}),
    ):  # fmt: skip
        refused = agent.post(f"approvals/{request['id']}/{path}", body)
        assert (refused.status, refused.code, refused["whose"]) == (403, "wrong_kind_of_key", "member"), path
    assert agent.post("approvals/decisions", {"items": []}).code == "wrong_kind_of_key"


def test_another_tenants_tool_finds_nothing(acme: Company, globex: Company, agent: Caller) -> None:
    request = ask(agent)
    cara = Caller(members_key(globex, "cara", scopes=["approvals:read", "approvals:decide"]))
    assert cara.get("approvals")["items"] == []
    assert cara.get(f"approvals/{request['id']}").status == 404
    paths = ("decisions", "decisions/withdraw", "extend", "escalate", "revoke")
    for path in paths:
        body = word(request) if path == "decisions" else {"reason": "x"}
        assert cara.post(f"approvals/{request['id']}/{path}", body).status == 404, path
