"""A contract as sentences: every line has words, says what stands in the document and nothing else, and why it is asked."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.documents import Document, load
from console.documents.writing import in_order, written
from console.documents.yaml_text import read
from console.env import BASE_DIR
from runs.contracts import KINDS, normalise
from runs.contracts.comparing import Change, changes
from runs.contracts.gaps import LINES
from runs.contracts.reasons import WHY
from runs.contracts.spans import in_words
from runs.contracts.telling import TELLERS, outcome_tables, told

EXAMPLES = [
    normalise(document)
    for path in sorted(Path(BASE_DIR, "examples", "contracts").glob("*.yaml"))
    for document in load(path.read_text(encoding="utf-8"))
]
ASKED = [document for document in EXAMPLES if document.kind in LINES]
NAMES = {line.name for lines in LINES.values() for line in lines}
BARE = """
{apiVersion: counterfoil/v1, kind: Operation, name: bare, version: 1, summary: Do it, consequential: false, access: write,
 arguments: {type: object}, http: {method: POST, url: "{dependency.base_url}/do", attempt_timeout_seconds: 5,
 outcomes: [{when: {path: status, op: eq, value: 200}, outcome: succeeded}]}}
"""


def example(kind: str, name: str) -> Document:
    """Give an example contract in normal form."""
    return next(document for document in EXAMPLES if (document.kind, document.name) == (kind, name))


def says(document: Document) -> dict[str, str]:
    """Give what a contract says, by line."""
    return {line.name: " ".join(line.says) for line in told(document)}


def test_every_line_has_words_and_a_reason() -> None:
    assert set(TELLERS) == NAMES == set(WHY)
    assert len(set(WHY.values())) == len(NAMES)


@pytest.mark.parametrize("document", ASKED, ids=lambda document: document.name)
def test_an_example_leaves_nothing_unsaid(document: Document) -> None:
    for line in told(document):
        assert line.says, line.name
        assert not line.open, line.name
        for said in line.says:
            assert said[0].isupper() or said[0] == "“" or said.startswith(("http", "tests/")), said
            assert not said.endswith(".."), said
            assert not re.search(r"\bNone\b(?! besides)|\{'", said), said


def test_a_refund_is_told_in_sentences() -> None:
    told_of = says(example("Operation", "refund"))
    assert "“Refund {amount} {currency} on order {order}”" in told_of["Intent and effect identity"]
    retries = told_of["Retries: conditions, owner, attempts, backoff, jitter, budget"]
    assert "Tried again after overload and not sent." in retries
    assert "At most 5 attempts, all begun within 5 min." in retries
    assert "overdue after 15 min" in told_of["Success, rejection, partial, unknown"]
    assert "Nothing undoes it. A refund is undone only by a new charge" in " ".join(told_of.values())


def test_what_is_not_said_is_given_no_words_and_named_as_open() -> None:
    bare = normalise(load(BARE)[0])
    lines = {line.name: line for line in told(bare)}
    for name in ("Escalation and evidence", "Cancellation and late results", "Checkpoints before and after"):
        assert lines[name].says == []
        assert [gap.line for gap in lines[name].open] == [name]


def test_the_table_of_outcomes_says_when_and_what_without_a_match() -> None:
    call, status = outcome_tables(example("Operation", "refund").value)
    assert (call.of, status.of) == ("The call", "The status query")
    assert [rule.outcome for rule in call.rules] == [
        "partial",
        "succeeded",
        "accepted",
        "rejected",
        "denied",
        "overload",
    ]
    assert call.rules[1].when == "the status is one of 200 or 201"
    assert call.rules[1].keeps == ["refund = {body.id}"]
    assert call.otherwise.startswith("unknown")
    assert outcome_tables(example("Operation", "lookup").value)[0].otherwise.startswith("transient")


def test_what_may_be_reported_is_a_table_too() -> None:
    value: Any = {"executor": "human", "access": "write", "human": {"outcomes": ["succeeded", "rejected"]}}
    (table,) = outcome_tables(value)
    assert [(rule.when, rule.outcome) for rule in table.rules] == [
        ("it is reported so", "succeeded"),
        ("it is reported so", "rejected"),
    ]


SPANS = {
    0: "0 s", 0.5: "0.5 s", 5: "5 s", 90: "1 min 30 s", 1800: "30 min", 5400: "1 h 30 min", 86400: "1 day", 2592000: "30 days",
}  # fmt: skip


@pytest.mark.parametrize(("seconds", "words"), SPANS.items())
def test_spans_are_said_exactly(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


# Written out and compared


@pytest.mark.parametrize("document", EXAMPLES, ids=lambda document: f"{document.kind}-{document.name}")
def test_a_document_written_out_reads_back_as_itself(document: Document) -> None:
    ordered = in_order(document.value, KINDS[document.kind].document)
    assert ordered == document.value
    assert load(written(ordered))[0].value == document.value


def test_a_document_is_written_in_the_order_of_its_schema() -> None:
    document = example("Operation", "refund")
    text = written(in_order(document.value, KINDS["Operation"].document))
    names = re.findall(r"^([a-zA-Z_]+):", text, re.MULTILINE)
    properties: Any = KINDS["Operation"].document["properties"]
    assert names == [name for name in properties if name in document.value]


WORDS = st.sampled_from(
    ["no", "null", "~", "true", "010", "1e5", "1_000", "0x1f", ".inf", "12:30", "2026-01-01", "=", "", " a ", "a\nb"]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WORDS | st.text(max_size=12), min_size=1, max_size=4))
def test_every_text_reads_back_as_that_text(texts: list[str]) -> None:
    value = {text.replace("\0", ""): text.replace("\0", "") for text in texts}
    assert read(written(value)) == [(1, value)]


def test_two_versions_are_compared_place_by_place() -> None:
    rules = [{"name": "a"}, {"name": "b"}]
    before: Any = {"version": 1, "retry": {"attempts": 5, "on": ["overload"]}, "rules": rules, "gone": "x"}
    less = {"attempts": 3, "on": ["overload", "not_sent"]}
    after: Any = {"version": 2, "retry": less, "rules": rules[:1], "new": None}
    assert changes(before, after) == [
        Change("retry.attempts", "5", "3"),
        Change("retry.on", "overload", "overload, not_sent"),
        Change("new", None, "null"),
        Change("rules 2.name", "b", None),
        Change("gone", "x", None),
    ]
    assert changes(before, {**before, "version": 9}) == []
