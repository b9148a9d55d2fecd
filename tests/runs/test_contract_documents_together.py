"""Contracts fit together: the names that they use of each other exist, and nothing irreversible goes unasked."""

import pytest

from console.documents import Document
from runs.contracts.together import together
from tests.runs.contract_documents import changed, example, examples


def found(*documents: Document) -> set[tuple[str, str, str]]:
    """Give the faults of the examples with these documents in place of those of the same name."""
    new = {(each.kind, each.name): each for each in documents}
    kept = [each for each in examples() if (each.kind, each.name) not in new]
    return {(where.name, fault.code, fault.path) for where, fault in together([*kept, *documents])}


def test_the_examples_fit_together():
    assert found() == set()


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (changed(example("refund"), {"dependency": "post"}), ("refund", "unknown_name", "/dependency")),
        (
            changed(example("refund"), {"compensation.operation": "take_back"}),
            ("refund", "unknown_name", "/compensation/operation"),
        ),
        (
            changed(example("bank", "Dependency"), {"timeout_seconds": 8}),
            ("refund", "out_of_range", "/http/attempt_timeout_seconds"),
        ),
        (
            changed(example("close-invoice", "RunType"), {"operations": ["pay"]}),
            ("close-invoice", "unknown_name", "/operations"),
        ),
        (
            changed(example("close-invoice", "RunType"), {"consequential": False}),
            ("close-invoice", "contradiction", "/consequential"),
        ),
        (
            changed(example("close-invoice", "RunType"), {"consequential": False, "operations": "*"}),
            ("close-invoice", "contradiction", "/consequential"),
        ),
        (
            changed(example("reads", "Policy"), {"operations": ["lookup", "search"]}),
            ("reads", "unknown_name", "/operations"),
        ),
        (
            changed(example("reads", "Policy"), {"operations": ["lookup", "refund"]}),
            ("reads", "doubled", "/operations"),
        ),
    ],
)
def test_what_does_not_fit(document, fault):
    assert fault in found(document)


ASKS = {"groups": ["finance"], "decide_within_seconds": 60, "use_within_seconds": 60}
SMALL = {"path": "arguments.amount", "op": "lte", "value": 10}


@pytest.mark.parametrize(
    ("changes", "unasked"),
    [
        (
            {
                "rules": [
                    {"name": "small", "when": SMALL, "then": "allow"},
                    {"name": "rest", "then": "ask", "ask": ASKS},
                ]
            },
            True,
        ),
        ({"rules": [], "otherwise": "allow"}, True),
        ({"rules": [{"name": "all", "then": "ask", "ask": ASKS}], "otherwise": "allow"}, False),
        ({"rules": [{"name": "big", "when": {"not": SMALL}, "then": "ask", "ask": ASKS}], "otherwise": "allow"}, True),
        (
            {
                "rules": [
                    {"name": "harmless", "when": {"path": "irreversible", "op": "eq", "value": False}, "then": "allow"},
                    {"name": "other", "when": {"path": "operation", "op": "eq", "value": "lookup"}, "then": "allow"},
                    {"name": "low", "when": {"path": "tier", "op": "in", "value": ["low", "normal"]}, "then": "allow"},
                ]
            },
            False,
        ),
    ],
)
def test_nothing_irreversible_is_allowed_without_asking(changes, unasked):
    policy = changed(example("transfers", "Policy"), changes)
    assert (("transfers", "irreversible_unasked", "/rules") in found(policy)) is unasked


def test_a_policy_for_every_operation_counts_where_no_other_is_named():
    every = changed(example("transfers", "Policy"), {"operations": ["*"], "rules": [], "otherwise": "allow"})
    assert ("transfers", "irreversible_unasked", "/rules") in found(every)
