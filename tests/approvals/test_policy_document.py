"""Policies: the first rule that holds decides, and what could never decide, or never asks, is refused."""

from decimal import Decimal
from typing import Any

import pytest

from approvals.policy_asks import Ask, Panel
from approvals.policy_checks import FACTS, may_allow, normalise, validate
from approvals.policy_document import PolicyDocument, judge, policy_document, read_policy
from console.documents import Document
from console.exact import canonical

ASKS = {"groups": ["finance"], "quorum": 2, "decide_within_seconds": 1800, "use_within_seconds": 3600}
ABOVE_100 = {"path": "arguments.amount", "op": "gt", "value": 100}
IN_EUR = {"path": "arguments.currency", "op": "eq", "value": "EUR"}
REFUNDS: dict[str, Any] = {
    "apiVersion": "counterfoil/v1",
    "kind": "Policy",
    "name": "refunds",
    "version": 3,
    "operations": ["refund"],
    "rules": [
        {
            "name": "stop",
            "when": {"path": "agent", "op": "eq", "value": "rogue"},
            "then": "deny",
            "reason": "Not this one.",
        },
        {"name": "above-100", "when": ABOVE_100, "then": "ask", "ask": ASKS},
        {"name": "small", "when": IN_EUR, "then": "allow"},
    ],
}


def policy(**changes: Any) -> PolicyDocument:
    document = Document({**REFUNDS, **changes})
    assert validate(document) == []
    return policy_document(normalise(document).value)


def facts(amount: str = "50", currency: str = "EUR", agent: str = "desk") -> dict[str, Any]:
    return {
        "operation": "refund",
        "target": "order:8812",
        "arguments": {"amount": amount, "currency": currency},
        "run_type": "customer-case",
        "agent": agent,
        "owner": "Ben Osei",
        "tier": "normal",
        "irreversible": False,
    }


def faults(**changes: Any) -> set[tuple[str, str]]:
    return {(fault.code, fault.path) for fault in validate(Document({**REFUNDS, **changes}))}


def test_the_first_rule_that_holds_decides():
    assert judge(policy(), facts("100.01", agent="rogue")).rule == "stop"
    asked = judge(policy(), facts("100.01"))
    assert (asked.verdict, asked.rule, asked.ask) == ("ask", "above-100", Ask((Panel(("finance",), 2),), 1800, 3600))
    assert (judge(policy(), facts("100")).verdict, judge(policy(), facts("100")).rule) == ("allow", "small")


def test_what_no_rule_speaks_of_is_denied():
    judged = judge(policy(), facts("50", "USD"))
    assert (judged.verdict, judged.rule, judged.ask) == ("deny", "", None)
    assert judged.reason == "No rule of the policy refunds speaks of this."
    assert judge(policy(otherwise="allow"), facts("50", "USD")).verdict == "allow"


def test_a_rule_without_a_reason_says_its_condition():
    assert judge(policy(), facts("101")).reason == "This needs approval because the amount is above 100."
    assert judge(policy(), facts(agent="rogue")).reason == "Not this one."
    every = policy(rules=[{"name": "all", "then": "allow"}])
    assert judge(every, facts()).reason == "This is allowed."


@pytest.mark.parametrize(
    ("amount", "verdict"), [("100", "allow"), ("100.00", "allow"), ("100.000000000000000000000000000001", "ask")]
)
def test_amounts_are_judged_exactly(amount, verdict):
    assert judge(policy(), facts(amount)).verdict == verdict


def test_an_argument_that_is_no_amount_is_not_small_by_accident():
    unsure = policy(
        rules=[{"name": "small", "when": {"path": "arguments.amount", "op": "lte", "value": 100}, "then": "allow"}]
    )
    for odd in ("", "abc", "1,5", None, True, {"a": 1}):
        assert judge(unsure, {**facts(), "arguments": {"amount": odd}}).verdict == "deny"


def test_the_facts_of_a_policy_are_all_that_it_may_look_at():
    assert set(facts()) | {"time", "spent"} == FACTS


def test_a_stored_policy_is_read_back():
    document = normalise(Document(REFUNDS))
    assert read_policy(canonical(document.value)) == policy_document(document.value)
    assert policy().digest == policy(otherwise="deny").digest  # a default said aloud changes nothing
    assert policy().digest != policy(version=4).digest


def test_which_operations_it_governs():
    assert policy().governs("refund")
    assert not policy().governs("transfer")
    assert policy(operations=["*"]).governs("transfer")


@pytest.mark.parametrize(
    ("rules", "code", "path"),
    [
        ([{"name": "a", "then": "ask"}], "missing", "/rules/0/ask"),
        ([{"name": "a", "then": "allow", "ask": ASKS}], "unknown_field", "/rules/0/ask"),
        ([{"name": "a", "then": "perhaps"}], "not_allowed", "/rules/0/then"),
        ([{"name": "a", "then": "ask", "ask": {**ASKS, "groups": []}}], "wrong_length", "/rules/0/ask/groups"),
        ([{"name": "a", "then": "ask", "ask": {**ASKS, "quorum": 0}}], "out_of_range", "/rules/0/ask/quorum"),
        (
            [{"name": "a", "then": "ask", "ask": {**ASKS, "on_timeout": "approve"}}],
            "silence_never_approves",
            "/rules/0/ask/on_timeout",
        ),
        (
            [{"name": "a", "then": "ask", "ask": {"groups": ["finance"]}}],
            "missing",
            "/rules/0/ask/decide_within_seconds",
        ),
        ([{"name": "a", "when": IN_EUR, "then": "allow"}, {"name": "a", "then": "deny"}], "doubled", "/rules/1/name"),
        (
            [{"name": "a", "when": {"path": "amount", "op": "gt", "value": 1}, "then": "deny"}],
            "unknown_fact",
            "/rules/0/when",
        ),
        (
            [{"name": "a", "when": {"path": "tier", "op": "like", "value": "x"}, "then": "deny"}],
            "unknown_op",
            "/rules/0/when/op",
        ),
        (
            [{"name": "a", "when": {"all": [ABOVE_100, {"not": ABOVE_100}]}, "then": "deny"}],
            "never_holds",
            "/rules/0/when",
        ),
        ([{"name": "a", "then": "deny"}, {"name": "b", "when": IN_EUR, "then": "allow"}], "never_reached", "/rules/1"),
        (
            [
                {"name": "a", "when": ABOVE_100, "then": "deny"},
                {"name": "b", "when": {**ABOVE_100, "value": 200}, "then": "allow"},
            ],
            "never_reached",
            "/rules/1",
        ),
    ],
)
def test_rules_that_are_refused(rules, code, path):
    assert (code, path) in faults(rules=rules)


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"operations": []}, "wrong_length", "/operations"),
        ({"operations": ["Re fund"]}, "bad_format", "/operations/0"),
        ({"otherwise": "ask"}, "not_allowed", "/otherwise"),
        ({"version": Decimal("1.5")}, "wrong_type", "/version"),
        ({"silence": "approves"}, "silence_never_approves", "/silence"),
    ],
)
def test_policies_that_are_refused(changes, code, path):
    assert (code, path) in faults(**changes)


def test_whether_a_policy_might_allow_without_asking():
    assert may_allow(policy(), {"operation": "refund"})
    assert not may_allow(policy(), {"operation": "refund", "agent": "rogue"})
    asking = policy(rules=[{"name": "all", "then": "ask", "ask": ASKS}], otherwise="allow")
    assert not may_allow(asking, {"operation": "refund"})
    assert may_allow(policy(rules=[], otherwise="allow"), {"operation": "refund"})
