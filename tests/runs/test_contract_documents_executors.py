"""Who acts, and what they may report: the sections of functions, agents and people (R-C2, R-M1, R-M2)."""

from typing import Any

import pytest

from console.documents import Document
from runs.contracts import gaps, normalise, validate
from runs.contracts.executors import BadResult
from tests.runs.contract_documents import DROP, faults_of, read, refund_with

FORM = {"type": "object", "required": ["paid"], "properties": {"paid": {"type": "string", "format": "decimal"}}}
SECTIONS: dict[str, dict[str, Any]] = {
    "python": {"function": "pay", "attempt_timeout_seconds": 60, "outcomes": ["succeeded", "rejected"], "result": FORM},
    "agent": {"attempt_timeout_seconds": 60, "outcomes": ["succeeded", "rejected"], "result": FORM},
    "human": {
        "instructions": "Pay it.",
        "attempt_timeout_seconds": 60,
        "outcomes": ["succeeded", "rejected"],
        "form": FORM,
    },
}
STATUS = {"function": "find", "attempt_timeout_seconds": 5, "every_seconds": 5, "objective_seconds": 60}


def contract(executor: str, *, resolve: str = "person", **more: Any) -> Document:
    """Give the refund contract as if somebody else did it; None drops a field."""
    found = refund_with(executor=executor, http=DROP, unknown__resolve=resolve, partial__recognised_by=None)
    section = {**SECTIONS[executor], **more}
    found.value[executor] = {name: value for name, value in section.items() if value is not None}
    return found


def test_what_is_left_out_is_answered_with_care() -> None:
    agent, human, python = (normalise(contract(name)).value[name] for name in ("agent", "human", "python"))
    assert agent["lease_seconds"] == 60
    assert (human["lease_seconds"], human["groups"], human["evidence_required"]) == (28800, [], True)
    assert python["secrets"] == []
    assert [section[form]["additionalProperties"] for section, form in ((agent, "result"), (human, "form"))] == [
        False,
        False,
    ]


@pytest.mark.parametrize("executor", SECTIONS)
def test_a_result_is_held_against_its_schema_and_brought_to_its_form(executor: str) -> None:
    document = read(contract(executor))
    reports = document.python.reports if document.python else document.permit.reports  # type: ignore[union-attr]
    assert reports.take("succeeded", {"paid": "12.50"}) == {"paid": "12.5"}
    assert reports.take("rejected", None) is None
    wrong: list[Any] = [None, {}, {"paid": "much"}, {"paid": "1", "more": 1}, []]
    for result in wrong:
        with pytest.raises(BadResult):
            reports.take("succeeded", result)


@pytest.mark.parametrize("form", [FORM, None], ids=["with a form", "without"])
@pytest.mark.parametrize("executor", ["python", "agent"])
def test_a_result_is_not_too_long_whoever_reports_it(executor: str, form: Any) -> None:
    wide = form and {"type": "object", "properties": {"note": {"type": "string", "maxLength": 100_000}}}
    document = read(contract(executor, result=wide))
    reports = document.python.reports if document.python else document.permit.reports  # type: ignore[union-attr]
    longest = {"note": "x" * (65_536 - len('{"note":""}'))}
    assert reports.take("succeeded", longest) == longest
    with pytest.raises(BadResult) as refused:
        reports.take("succeeded", {"note": longest["note"] + "x"})
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("/result", "too_long")]


@pytest.mark.parametrize("executor", SECTIONS)
def test_a_schema_of_results_is_judged_like_one_of_arguments(executor: str) -> None:
    form = "form" if executor == "human" else "result"
    outside: dict[str, Any] = {form: {**FORM, "oneOf": []}}
    text: dict[str, Any] = {form: {"type": "string"}}
    assert faults_of(contract(executor, **outside)) == {("unknown_field", f"/{executor}/{form}/oneOf")}
    assert faults_of(contract(executor, **text)) == {("not_allowed", f"/{executor}/{form}/type")}


@pytest.mark.parametrize("executor", SECTIONS)
def test_what_is_accepted_must_be_asked_about(executor: str) -> None:
    outcomes = ["succeeded", "accepted", "rejected"]
    assert faults_of(contract(executor, outcomes=outcomes)) == {("needs_status", f"/{executor}/outcomes/1")}
    assert validate(contract("python", outcomes=outcomes, status=STATUS)) == []


@pytest.mark.parametrize("executor", SECTIONS)
def test_what_cannot_be_asked_is_found_out_by_a_person(executor: str) -> None:
    assert faults_of(contract(executor, resolve="status")) == {("needs_status", "/unknown/resolve")}
    assert gaps(contract(executor)) == []
    found = read(contract("python", resolve="status", status=STATUS))
    assert (found.can_be_asked, found.python and found.python.functions()) == (True, frozenset({"pay", "find"}))


def test_how_a_function_is_found_out_is_asked_where_nobody_says() -> None:
    left_open = contract("python")
    del left_open.value["unknown"]
    assert validate(left_open) == []
    assert {gap.field for gap in gaps(left_open)} >= {"python.status"}


@pytest.mark.parametrize(
    ("executor", "field"),
    [("python", "function"), ("human", "instructions"), ("agent", "outcomes"), ("python", "outcomes")],
)
def test_what_nobody_can_guess_is_needed(executor: str, field: str) -> None:
    without: dict[str, Any] = {field: None}
    assert faults_of(contract(executor, **without)) == {("missing", f"/{executor}/{field}")}


def test_times_and_groups_are_bounded() -> None:
    assert faults_of(contract("agent", lease_seconds=1)) == {("out_of_range", "/agent/lease_seconds")}
    assert faults_of(contract("human", groups=["finance", "finance"])) == {("doubled", "/human/groups")}
    assert faults_of(contract("agent", attempt_timeout_seconds=10**6)) == {
        ("out_of_range", "/agent/attempt_timeout_seconds")
    }


def test_the_secrets_of_a_function_are_those_of_its_operation() -> None:
    assert read(contract("python", secrets=["press-token"])).secrets == {"press-token"}
