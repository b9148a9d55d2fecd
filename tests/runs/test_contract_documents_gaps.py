"""Every line of the two lists has its place; a consequential contract that leaves one open is not published (R-M1, R-M2)."""

import pytest

from runs.contracts import SCHEMAS, gaps, publishable, validate
from runs.contracts.recovery import RECOVERY
from runs.contracts.resume import RESUME
from tests.runs.contract_documents import DROP, changed, example

OPEN = [
    ("key", "Intent and effect identity"),
    ("preconditions", "Principal, tenant, target, preconditions"),
    ("state_version", "Authoritative state version"),
    ("partial", "Success, rejection, partial, unknown"),
    ("unknown", "Success, rejection, partial, unknown"),
    ("deadline_seconds", "Attempt timeout and deadline"),
    ("retry", "Retries: conditions, owner, attempts, backoff, jitter, budget"),
    ("key", "Key: scope, equivalence, storage, retention"),
    ("checkpoint", "Checkpoints before and after"),
    ("cancellation", "Cancellation and late results"),
    ("compensation", "Compensation: action, authority, order, verification"),
    ("verify", "Compensation: action, authority, order, verification"),
    ("irreversible_point", "Irreversible point and approval"),
    ("escalation", "Escalation and evidence"),
]
OPEN_IN_RUN_TYPES = [
    ("persisted", "Persisted state, history, artifacts, schema version"),
    ("checkpoint", "Checkpoint boundaries and lost progress"),
    ("waits", "Timers, subscriptions, children, ownership"),
    ("ownership", "Lease, concurrency, fencing"),
    ("pins", "Pinned configuration and migration"),
    ("migrations", "Pinned configuration and migration"),
    ("revalidate", "Revalidation of identity, approval, policy, secret, state"),
    ("unknown", "Unknown effects before going on"),
    ("objectives", "Recovery time and drain"),
    ("quarantine", "Quarantine and manual recovery"),
    ("evidence", "Restore and failure-injection evidence"),
    ("success_criteria", "Success criteria and deadline"),
]


@pytest.mark.parametrize(("field", "line"), OPEN)
def test_a_question_left_open_by_an_operation_is_a_gap(field, line):
    contract = changed(example("refund"), {field: DROP})
    assert validate(contract) == []
    assert line in {gap.line for gap in gaps(contract)}
    assert not publishable(contract)


@pytest.mark.parametrize(("field", "line"), OPEN_IN_RUN_TYPES)
def test_a_question_left_open_by_a_run_type_is_a_gap(field, line):
    contract = changed(example("customer-case", "RunType"), {field: DROP})
    assert validate(contract) == []
    assert line in {gap.line for gap in gaps(contract)}
    assert not publishable(contract)


def test_every_line_is_asked_for():
    asked = {line for _, line in OPEN} | {"Status query and reconciliation"}
    assert asked == {line.name for line in RECOVERY}
    assert {line for _, line in OPEN_IN_RUN_TYPES} == {line.name for line in RESUME}


@pytest.mark.parametrize("kind", ["Operation", "RunType"])
def test_every_field_of_a_line_is_in_the_schema(kind):
    schema = SCHEMAS[kind]
    for line in {"Operation": RECOVERY, "RunType": RESUME}[kind]:
        for field in line.fields:
            place = schema
            for step in field.split("."):
                assert step in place["properties"], field
                place = place["properties"][step]


def test_the_open_question_says_what_to_answer_and_where():
    contract = changed(example("refund"), {"compensation.why_none": DROP})
    (gap,) = gaps(contract)
    assert (gap.field, gap.question) == ("compensation.why_none", "Why is there no compensating operation?")


def test_a_compensating_operation_raises_its_own_questions():
    contract = changed(example("refund"), {"compensation": {"operation": "charge"}})
    assert {gap.field for gap in gaps(contract)} == {
        f"compensation.{field}"
        for field in ("when", "authority", "deadline_seconds", "order", "verification", "escalation")
    }


def test_an_unknown_outcome_that_nothing_finds_out_is_a_gap():
    contract = changed(example("refund"), {"http.status": DROP, "unknown": DROP, "http.outcomes.2": DROP})
    assert validate(contract) == []
    assert "Status query and reconciliation" in {gap.line for gap in gaps(contract)}
    by_hand = changed(contract, {"unknown": {"owner": "operators", "age_objective_seconds": 60, "resolve": "person"}})
    assert gaps(by_hand) == []


def test_a_table_without_success_or_refusal_is_a_gap():
    table = [{"when": {"path": "status", "op": "eq", "value": 418}, "outcome": "overload"}]
    questions = {
        gap.question
        for gap in gaps(changed(example("refund"), {"http.outcomes": table, "partial.recognised_by": None}))
    }
    assert questions == {"Which answer says that it succeeded?", "Which answer says that it was refused?"}


def test_an_irreversible_operation_says_from_where_on():
    contract = changed(example("transfer"), {"irreversible_point": None})
    assert [gap.field for gap in gaps(contract)] == ["irreversible_point"]


def test_what_is_not_consequential_may_leave_questions_open():
    contract = changed(example("refund"), {"consequential": False, "retry": DROP})
    assert validate(contract) == []
    assert gaps(contract)
    assert publishable(contract)


def test_a_run_type_is_consequential_unless_it_says_otherwise():
    contract = changed(example("customer-case", "RunType"), {"consequential": DROP, "evidence": DROP})
    assert not publishable(contract)
    assert publishable(changed(contract, {"consequential": False}))


def test_what_is_kept_of_a_partial_effect_is_asked_where_a_condition_tells_it():
    bare = [
        {"when": {"path": "status", "op": "eq", "value": code}, "outcome": outcome}
        for code, outcome in ((200, "succeeded"), (422, "rejected"))
    ]
    contract = changed(example("refund"), {"http.outcomes": bare})
    assert [gap.field for gap in gaps(contract)] == ["partial.parts"]
    assert gaps(changed(contract, {"partial.parts": {"paid": "{body.parts}"}})) == []
