"""What a contract says of an unknown outcome is sound: it can be found out as it says, by what is proven to be ours (R-F2, R-F4, R-F6)."""

from typing import Any

import pytest

from runs.contracts import gaps, normalise
from runs.contracts.proof import Proof, proofs, proven
from runs.contracts.request import Surroundings
from runs.contracts.telling import outcome_tables, told
from tests.runs.contract_documents import DROP, changed, example, faults_of, read, refund_with

READ_BACK: dict[str, Any] = {
    "method": "GET",
    "url": "{dependency.base_url}/orders/{order}/refunds",
    "attempt_timeout_seconds": 5,
    "outcomes": [
        {"when": {"path": "body.reference", "op": "exists", "value": True}, "outcome": "succeeded", "result": {"refund": "{body.id}"}},
        {"when": {"path": "status", "op": "eq", "value": 404}, "outcome": "absent"},
    ],
    "every_seconds": 5,
    "objective_seconds": 300,
    "proof": [{"path": "body.reference", "equals": "{effect.key}"}, {"path": "body.amount", "equals": "{amount}"}],
}  # fmt: skip
CALLBACK: dict[str, Any] = {
    "secret": "bank-callbacks",
    "effect_key": "{body.data.key}",
    "outcomes": [
        {
            "when": {"path": "body.type", "op": "eq", "value": "effect.committed"},
            "outcome": "succeeded",
            "result": {"refund": "{body.data.id}"},
        },
    ],
}  # fmt: skip
UNKNOWN = {"owner": "operators", "age_objective_seconds": 600, "resolve": "status"}
AROUND = Surroundings(
    base_url="http://bank.example", effect_key="cf-1", effect_id="1", fence=1, deadline="2026-01-01T00:00:00Z",
    operation_id="op_9", fingerprint="ab" * 32,
)  # fmt: skip


def test_reading_back_telling_and_sending_again_are_read() -> None:
    found = read(
        refund_with(http__read_back=READ_BACK, http__callback=CALLBACK, unknown={**UNKNOWN, "resend_same_key": True})
    )
    assert found.http is not None
    assert found.http.read_back is not None
    assert found.http.callback is not None
    assert [each.path for each in found.http.read_back.proof] == [("body", "reference"), ("body", "amount")]
    assert (found.http.callback.secret, found.http.callback.operation_id) == ("bank-callbacks", None)
    assert found.unknown.resend_same_key
    assert found.can_be_read_back
    assert "bank-callbacks" not in found.secrets, "whoever makes the calls does not check the messages"


def changes(
    read_back: dict[str, Any] | None = None, callback: dict[str, Any] | None = None, **unknown: Any
) -> set[tuple[str, str]]:
    """Give the faults of a refund with a part changed; None in a part drops a field."""
    parts = {"http__read_back": {**READ_BACK, **(read_back or {})}, "http__callback": {**CALLBACK, **(callback or {})}}
    for part in parts.values():
        for name in [name for name, value in part.items() if value is None]:
            del part[name]
    return faults_of(refund_with(**parts, unknown={**UNKNOWN, **unknown}))


def test_these_parts_are_sound() -> None:
    assert changes(resolve="read_back", reminders_seconds=[601, 3600], escalate_after_seconds=601) == set()


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ({"resolve": "resend"}, "contradiction", "/unknown/resolve"),
        ({"reminders_seconds": [600]}, "out_of_range", "/unknown/reminders_seconds/0"),
        ({"reminders_seconds": [900, 800]}, "out_of_range", "/unknown/reminders_seconds/1"),
        ({"escalate_after_seconds": 600}, "out_of_range", "/unknown/escalate_after_seconds"),
        ({"read_back": {"proof": [{"path": "body.amount", "equals": "{amount}"}]}}, "needs_identity", "/http/read_back/proof"),
        ({"read_back": {"proof": [{"path": "body.key", "equals": "{effect.name}"}]}}, "not_here", "/http/read_back/proof/0/equals"),
        ({"read_back": {"proof": [{"path": "body.key", "equals": "{secret.x}"}]}}, "secret_not_here", "/http/read_back/proof/0/equals"),
        ({"read_back": {"proof": [{"path": "answer.key", "equals": "{effect.key}"}]}}, "unknown_fact", "/http/read_back/proof/0/path"),
        ({"read_back": {"proof": [{"path": "a b", "equals": "{effect.key}"}]}}, "bad_path", "/http/read_back/proof/0/path"),
        ({"read_back": {"proof": [{"path": "body.key", "equals": "{effect.key"}]}}, "bad_template", "/http/read_back/proof/0/equals"),
        ({"read_back": {"max_seconds": 4}}, "out_of_range", "/http/read_back/every_seconds"),
        ({"callback": {"effect_key": None}}, "needs_name", "/http/callback"),
        ({"callback": {"effect_key": "mine"}}, "bad_template", "/http/callback/effect_key"),
        ({"callback": {"effect_key": "{status}"}}, "unknown_fact", "/http/callback/effect_key"),
        ({"callback": {"outcomes": [{"when": {"path": "status", "op": "eq", "value": 200}, "outcome": "succeeded"}]}}, "unknown_fact",
         "/http/callback/outcomes/0/when"),
        ({"callback": {"outcomes": [{**CALLBACK["outcomes"][0], "reason": "{status}"}]}}, "unknown_fact",
         "/http/callback/outcomes/0/reason"),
        ({"callback": {"secret": "No"}}, "bad_format", "/http/callback/secret"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_place(given: dict[str, Any], code: str, path: str) -> None:
    assert (code, path) in changes(**given)


def test_sending_again_is_an_attempt_of_somebody_who_can_send() -> None:
    once = {"retryable": [], "non_retryable": ["overload"], "attempts": 1, "total_seconds": 60}
    again = {**UNKNOWN, "resend_same_key": True}
    assert ("needs_attempts", "/unknown/resend_same_key") in faults_of(refund_with(unknown=again, retry=once))
    assert (
        faults_of(refund_with(unknown={**again, "resolve": "resend"}, http__status=DROP, http__outcomes__2=DROP))
        == set()
    )
    by_agent = changed(example("letter"), {"unknown.resend_same_key": True})
    assert faults_of(by_agent) == {("contradiction", "/unknown/resend_same_key")}


def test_what_is_accepted_is_asked_about_or_told_of() -> None:
    told_of = {"http__status": DROP, "unknown__resolve": "person"}
    assert faults_of(refund_with(**told_of, http__callback=CALLBACK)) == set()
    by_operation = {**CALLBACK, "operation_id": "{body.data.operation}"}
    del by_operation["effect_key"]
    assert faults_of(refund_with(**told_of, http__callback=by_operation)) == set()
    unnamed = refund_with(http__callback=by_operation, http__outcomes__2=DROP)
    assert faults_of(unnamed) == {("needs_operation_id", "/http/callback/operation_id")}


def test_when_absence_is_proof_is_asked_of_whoever_says_that_it_is() -> None:
    silent = refund_with(http__status__absence_is_proof=True)
    assert [gap.field for gap in gaps(silent)] == ["http.status.absence_after_seconds"]
    assert gaps(changed(silent, {"http.status.absence_after_seconds": 60})) == []


@pytest.mark.parametrize(
    ("wanted", "found", "holds"),
    [
        ({"path": "body.key", "equals": "{effect.key}"}, {"key": "cf-1"}, True),
        ({"path": "body.key", "equals": "{effect.key}"}, {"key": "cf-2"}, False),
        ({"path": "body.key", "equals": "{effect.key}"}, {}, False),
        ({"path": "body.key", "equals": "{effect.key}"}, {"key": None}, False),
        ({"path": "body.key", "equals": "{effect.id}"}, {"key": "1.0"}, False),
        ({"path": "body.of", "equals": "{effect.fingerprint}"}, {"of": "ab" * 32}, True),
        ({"path": "body.op", "equals": "{effect.operation_id}"}, {"op": "op_9"}, True),
        ({"path": "body.amount", "equals": "{amount}"}, {"amount": "12.50"}, True),
        ({"path": "body.amount", "equals": "{amount}"}, {"amount": "12.51"}, False),
        ({"path": "body.list.0", "equals": "{effect.key}"}, {"list": ["cf-1"]}, True),
        ({"path": "body.list", "equals": "{effect.key}"}, {"list": ["cf-1"]}, False),
    ],
)
def test_a_proof_holds_of_what_is_ours_and_of_nothing_like_it(
    wanted: dict[str, Any], found: dict[str, Any], holds: bool
) -> None:
    answer: Any = {"status": 200, "headers": {}, "body": found}
    assert proven(proofs([wanted]), answer, {"amount": "12.5"}, AROUND) is holds


def test_all_proofs_must_hold_and_none_proves_nothing() -> None:
    answer: Any = {"status": 200, "headers": {}, "body": {"key": "cf-1", "amount": "1"}}
    both: tuple[Proof, ...] = proofs(
        [{"path": "body.key", "equals": "{effect.key}"}, {"path": "body.amount", "equals": "{amount}"}]
    )
    assert not proven(both, answer, {"amount": "2"}, AROUND)
    assert not proven((), answer, {}, AROUND)


def test_it_is_told_in_sentences() -> None:
    unknown = {**UNKNOWN, "reminders_seconds": [3600], "may_be_superseded": True}
    document = normalise(refund_with(http__read_back=READ_BACK, http__callback=CALLBACK, unknown=unknown))
    said = " ".join(line for each in told(document) for line in each.says)
    assert (
        "What is found counts only when body.reference is {effect.key} and body.amount is {amount}; otherwise it is not ours"
        in said
    )
    assert "signed with the secret bank-callbacks that names it by {body.data.key}" in said
    assert "People are told when it is overdue, and again after 1 h." in said
    assert "counts when a second person has confirmed it" in said
    assert "Another effect may replace it while it is unknown; it stays unknown all the same." in said
    assert "The call is not sent again while its outcome is unknown." in said
    tables = {table.of: table for table in outcome_tables(document.value)}
    assert [rule.follows for rule in tables["Reading back"].rules] == [
        "It has succeeded.",
        "It proves nothing; it is asked again.",
    ]
    assert "The message that comes by itself" in tables
    assert "It is tried again, at most 5 times in all, within 5 min." in {
        rule.follows for rule in tables["The call"].rules
    }
