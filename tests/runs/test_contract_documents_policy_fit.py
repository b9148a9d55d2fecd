"""A policy names only arguments that its operations have, and lets follow only what their contracts have a way for."""

from typing import Any

import pytest

from runs.contracts.policy_fit import finish_faults, path_faults

PAY: dict[str, Any] = {
    "name": "pay",
    "arguments": {
        "properties": {
            "amount": {"type": "string", "format": "decimal"},
            "count": {"type": ["integer", "null"]},
            "to": {"type": "string"},
            "fee": {"properties": {"amount": {"type": "number"}}},
        }
    },
}
LOOK: dict[str, Any] = {"name": "look", "arguments": {"properties": {"to": {"type": "string"}}}}


def asking(**ask: Any) -> dict[str, Any]:
    return {"rules": [{"name": "a", "then": "ask", "ask": ask}]}


@pytest.mark.parametrize(
    ("policy", "fault"),
    [
        ({"rules": [], "spend": [{"path": "arguments.amount"}]}, None),
        ({"rules": [], "spend": [{"path": "arguments.fee.amount"}]}, None),
        ({"rules": [], "spend": [{"path": "arguments.sum"}]}, ("/spend/0/path", "unknown_argument")),
        ({"rules": [], "spend": [{"path": "arguments.to"}]}, ("/spend/0/path", "not_a_number")),
        (asking(narrow=[{"path": "arguments.count", "towards": "less"}]), None),
        (asking(narrow=[{"path": "arguments.to"}]), ("/rules/0/ask/narrow/0/path", "not_a_number")),
        (asking(grants={"amount": {"path": "arguments.x"}}), ("/rules/0/ask/grants/amount/path", "unknown_argument")),
    ],
)
def test_arguments_that_are_added_up_or_tightened_are_there(policy: Any, fault: Any) -> None:
    found = [(each.path, each.code) for each in path_faults(policy, [PAY, LOOK])]
    assert found == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("then", "operation", "fits"),
    [
        ("let_finish", PAY, True),
        ("ask_to_cancel", PAY, False),
        ("ask_to_cancel", {**PAY, "http": {"cancel": {"method": "DELETE"}}}, True),
        ("compensate", {**PAY, "compensation": {"operation": None}}, False),
        ("compensate", {**PAY, "compensation": {"operation": "refund"}}, True),
    ],
)
def test_what_is_to_follow_a_time_that_ran_out_can_be_done(then: str, operation: Any, fits: bool) -> None:
    policy = asking(finish={"within_seconds": 60, "then": then})
    assert (list(finish_faults(policy, operation)) == []) is fits


def test_a_rule_that_never_speaks_of_an_operation_asks_nothing_of_its_contract() -> None:
    policy = asking(finish={"within_seconds": 60, "then": "compensate"})
    policy["rules"][0]["when"] = {"path": "operation", "op": "eq", "value": "wire"}
    assert list(finish_faults(policy, PAY)) == []


@pytest.mark.parametrize(
    ("too", "compensation", "fits"), [(True, None, False), (False, None, True), (True, "refund", True)]
)
def test_what_is_approved_with_an_operation_can_be_done(too: bool, compensation: str | None, fits: bool) -> None:
    operation = {**PAY, "compensation": {"operation": compensation}}
    found = [(each.path, each.code) for each in finish_faults(asking(compensation_too=too), operation)]
    assert found == ([] if fits else [("/rules/0/ask/compensation_too", "cannot_follow")])
