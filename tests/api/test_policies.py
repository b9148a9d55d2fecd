"""Policies by REST: what is in force, and what would happen, without anything happening."""

from approvals.models import Request
from console.ledger.models import Entry
from tests.api.desk import Caller
from tests.cast import Company, inside

WOULD = {"run_type": "errand", "operation": "pay", "arguments": {"order": "1", "amount": "10"}}


def entries() -> int:
    with inside():
        return Entry.objects.count() + Request.objects.count()


def test_an_agent_sees_the_policies_and_whom_each_rule_asks(acme: Company, agent: Caller) -> None:
    listed = agent.get("policies")
    assert listed.status == 200
    assert "money" in {each["name"] for each in listed["items"]}
    shown = agent.get("policies/money")
    assert (shown["in_force"], shown["otherwise"], shown["to_judge_again"]) == (True, "deny", 0)
    large = next(rule for rule in shown["rules"] if rule["name"] == "very-large")
    assert (large["then"], large["groups"], large["quorum"]) == ("ask", ["finance"], 2)
    assert agent.get("policies/nothing").status == 404
    assert agent.get("policies?limit=1")["items"] == listed["items"][:1]


def test_what_would_happen_is_said_and_nothing_happens(acme: Company, agent: Caller) -> None:
    before = entries()
    small, large = (
        agent.post("policies/-/judge", WOULD),
        agent.post("policies/-/judge", {**WOULD, "arguments": {"order": "1", "amount": "2000"}}),
    )
    assert small.status == 200, small.raw
    assert (small.status, small["verdict"], small["asks"]) == (200, "allow", None)
    assert (large["verdict"], large["quorum"], large["rule"], large["policy"]) == ("ask", 2, "very-large", "money")
    assert entries() == before
    assert agent.post("policies/-/judge", {**WOULD, "operation": "nothing"}).code == "unknown_operation"
    assert agent.post("policies/-/judge", {**WOULD, "arguments": {}}).code == "bad_arguments"


def test_another_tenants_policies_are_not_seen(acme: Company, globex: Company, stranger: Caller) -> None:
    assert stranger.get("policies/money")["pending"] == 0
