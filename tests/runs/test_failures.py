"""The ten classes of failure: each with its response, told by outcome, state and reason, the same in code, docs and API (R-B1)."""

from pathlib import Path

import pytest

from runs.contracts import SCHEMAS
from runs.failure_page import rewritten
from runs.failures import (
    AUTHORIZATION_DENIED,
    BUSINESS_REJECTION,
    BY_NAME,
    CANCELLATION_OR_EXPIRY,
    CONCURRENCY_CONFLICT,
    CONTRACT_UNREADABLE,
    CORRUPT_RECOVERY_STATE,
    DEADLINE_PASSED,
    FAILURES,
    INVALID_REQUEST,
    OVERLOAD,
    PARTIAL_EFFECT,
    TRANSIENT,
    UNKNOWN_OUTCOME,
    class_of,
)
from runs.outcome import SETTLES
from runs.states import ATTEMPT_KINDS, EFFECT_STATES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "failures.md"
NO_FAILURE = {"succeeded", "accepted"}


def test_there_are_ten_and_each_has_a_response():
    assert len(FAILURES) == len(BY_NAME) == 10
    for each in FAILURES:
        assert all((each.title, each.means, each.told_by, each.response))


def test_the_page_is_the_table():
    assert rewritten(PAGE.read_text()) == PAGE.read_text(), "run: python -m runs.failure_page"


def test_every_outcome_that_a_call_can_have_has_a_class():
    act = SCHEMAS["Operation"]["$defs"]["act_outcomes"]["items"]["properties"]["outcome"]["enum"]
    for outcome in {*act, "not_sent", *SETTLES} - NO_FAILURE:
        assert class_of(outcome) is not None, outcome
    assert {class_of(outcome) for outcome in NO_FAILURE | {"", "pending", "absent"}} == {None}


@pytest.mark.parametrize(
    ("outcome", "state", "reason", "expected"),
    [
        ("invalid", "failed", "", INVALID_REQUEST),
        ("denied", "rejected", "", AUTHORIZATION_DENIED),
        ("", "denied", "", AUTHORIZATION_DENIED),
        ("rejected", "rejected", "insufficient funds", BUSINESS_REJECTION),
        ("transient", "ready", "", TRANSIENT),
        ("not_sent", "failed", "Nothing was sent: no route", TRANSIENT),
        ("overload", "ready", "", OVERLOAD),
        ("overload", "failed", "Given up after 4 attempts.", OVERLOAD),
        ("partial", "partial", "", PARTIAL_EFFECT),
        ("unknown", "unknown", "", UNKNOWN_OUTCOME),
        ("absent", "unknown", "", UNKNOWN_OUTCOME),
        ("conflict", "unknown", "", UNKNOWN_OUTCOME),
        ("conflict", "rejected", "", CONCURRENCY_CONFLICT),
        ("", "withdrawn", "", CANCELLATION_OR_EXPIRY),
        ("overload", "expired", "", CANCELLATION_OR_EXPIRY),
        ("", "lapsed", "", CANCELLATION_OR_EXPIRY),
        ("not_sent", "failed", f"Nothing was sent: {DEADLINE_PASSED}", CANCELLATION_OR_EXPIRY),
        ("not_sent", "ready", CONTRACT_UNREADABLE, CORRUPT_RECOVERY_STATE),
        ("succeeded", "succeeded", "", None),
        ("unknown", "ready", "", None),
        ("absent", "failed", "", TRANSIENT),
        ("unknown", "failed", "", TRANSIENT),
        ("overload", "dispatched", "", None),
        ("accepted", "accepted", "", None),
    ],
)
def test_the_class_of_an_effect(outcome, state, reason, expected):
    assert class_of(outcome, state, reason) == expected


def test_an_effect_that_ended_badly_always_has_a_class():
    for state in set(EFFECT_STATES) & {
        "rejected",
        "failed",
        "partial",
        "denied",
        "lapsed",
        "expired",
        "withdrawn",
        "unknown",
    }:
        outcome = {"rejected": "rejected"}.get(state, "")
        assert class_of(outcome, state) is not None, state
    assert class_of("status") is None
    assert not BY_NAME.keys() & set(ATTEMPT_KINDS)
