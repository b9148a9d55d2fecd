"""What follows a look: only proof ends an effect that is accepted or unknown (R-F2, R-F3, R-F6, UNK-04)."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.contracts.asking import Asking
from runs.contracts.retry import Retry
from runs.finding_out import FindingOut, Look
from runs.looked import after_look
from runs.outcome import Step, Tried

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULE = Retry(
    retryable=frozenset({"overload"}), attempts=3, total_seconds=600, base_seconds=10, factor=2, max_seconds=30
)
ASKING = Asking(absence_is_proof=False, every_seconds=5.0, objective_seconds=300.0)
PROVES = replace(ASKING, absence_is_proof=True)
NO_PROOF = ["pending", "transient", "not_sent", "unknown", "overload", "denied", "invalid", "accepted"]


def look(
    outcome: str, state: str = "unknown", *, asking: Asking = ASKING, resends: bool = False, looks: int = 0, reason: str = "",
    retry_after: float | None = None, rule: Retry = RULE, **tried: Any,
) -> Step:  # fmt: skip
    """Ask what follows a read-back."""
    told: dict[str, Any] = {
        "attempts": 1, "first_at": NOW - timedelta(seconds=100), "now": NOW, "deadline_at": NOW + timedelta(days=1),
        "acted_at": NOW - timedelta(seconds=90), **tried,
    }  # fmt: skip
    return after_look(
        outcome, reason, state, rule, Tried(**told), kind="read", looks=looks, retry_after=retry_after,
        finding=FindingOut(look=Look("read", asking), resends=resends),
    )  # fmt: skip


@pytest.fixture
def longest() -> Iterator[None]:
    """Let every draw be the longest wait."""
    state, random.uniform = random.uniform, lambda low, high: high  # type: ignore[assignment]
    yield
    random.uniform = state


@pytest.mark.parametrize("state", ["unknown", "accepted"])
@pytest.mark.parametrize("outcome", ["succeeded", "rejected", "partial"])
def test_proof_ends_it(state: str, outcome: str) -> None:
    assert look(outcome, state) == Step(outcome, None, "")


@pytest.mark.parametrize("outcome", NO_PROOF)
def test_nothing_else_ends_an_unknown(outcome: str) -> None:
    assert look(outcome, first_at=NOW - timedelta(days=30)) == Step("unknown", 5.0, "", "read")


@given(
    st.sampled_from([*NO_PROOF, "absent", "conflict"]), st.sampled_from(["unknown", "accepted"]), st.booleans(), st.integers(0, 500),
    st.integers(0, 12), st.floats(0, 1e8), st.floats(0, 1e8), st.none() | st.floats(0, 1e8),
)  # fmt: skip
def test_no_age_no_number_of_looks_and_no_wish_ever_makes_it_failed(
    outcome: str, state: str, resends: bool, looks: int, attempts: int, age: float, left: float, wish: float | None
) -> None:  # fmt: skip
    first_at = NOW - timedelta(seconds=age)
    step = look(
        outcome, state, resends=resends, looks=looks, attempts=attempts, first_at=first_at, acted_at=first_at,
        deadline_at=NOW + timedelta(seconds=left), retry_after=wish,
    )  # fmt: skip
    assert step.state in {"unknown", "accepted"}
    assert (step.delay is None) == (outcome == "conflict")
    assert (step.next == "") == (outcome == "conflict")


# Pending and silence


def test_it_is_asked_about_more_and_more_seldom_and_never_given_up() -> None:
    assert [look("pending", looks=looks).delay for looks in (0, 1, 2, 6, 9, 10, 500)] == [
        5,
        10,
        20,
        320,
        2560,
        3600,
        3600,
    ]


def test_the_contract_says_how_seldom() -> None:
    asking = replace(ASKING, every_seconds=60.0, backoff_factor=1.0)
    assert [look("pending", asking=asking, looks=looks).delay for looks in (0, 1, 50)] == [60, 60, 60]
    assert look("pending", asking=replace(ASKING, max_seconds=12.0), looks=50).delay == 12


def test_the_wish_to_be_left_alone_for_a_while_is_heeded_within_bounds() -> None:
    assert look("overload", retry_after=90.0).delay == 90
    assert look("overload", retry_after=1.0).delay == 5
    assert look("overload", retry_after=1e9).delay == 3600


# Accepted


@pytest.mark.parametrize("outcome", [outcome for outcome in NO_PROOF if outcome != "absent"])
def test_what_was_accepted_is_unknown_once_its_time_is_over(outcome: str) -> None:
    assert look(outcome, "accepted") == Step("accepted", 5.0, "", "read")
    late = look(outcome, "accepted", first_at=NOW - timedelta(seconds=300))
    assert late == Step("unknown", 5.0, "It was accepted, and is not done in the time it was given.", "read")


def test_what_was_accepted_and_is_not_to_be_found_is_unknown_and_not_undone() -> None:
    step = look("absent", "accepted", asking=PROVES)
    assert step == Step("unknown", 5.0, "It was accepted, and now nothing is found of it.", "read")


# Absence


def test_absence_proves_nothing_where_the_contract_does_not_say_so() -> None:
    assert look("absent") == Step("unknown", 5.0, "Nothing is found of it, which proves nothing.", "read")


def test_absence_that_is_proof_lets_it_be_done_again(longest: None) -> None:
    step = look("absent", asking=PROVES)
    assert (step.state, step.delay, step.next) == ("ready", 10.0, "")
    assert step.reason == "Nothing is found of it, which proves that it did not happen."


def test_absence_so_soon_proves_nothing_and_is_asked_about_when_it_will() -> None:
    step = look("absent", asking=PROVES, acted_at=NOW - timedelta(seconds=12))
    assert (step.state, step.delay, step.next) == ("unknown", 18.0, "read")
    assert step.reason == "Nothing is found of it yet, which proves nothing so early."
    assert look("absent", asking=PROVES, acted_at=NOW - timedelta(seconds=30)).state == "ready"


WHY_NOT: dict[str, tuple[dict[str, Any], str]] = {
    "attempts": ({"attempts": 3}, "Given up after 3 attempts."),
    "deadline": ({"deadline_at": NOW + timedelta(seconds=11)}, "The deadline leaves no time for another attempt."),
    "time": ({"first_at": NOW - timedelta(seconds=595)}, "The time for attempts is used up."),
}


@pytest.mark.parametrize("what", WHY_NOT)
def test_what_provably_did_not_happen_and_cannot_be_done_again_has_failed_and_says_why(
    longest: None, what: str
) -> None:
    more, why = WHY_NOT[what]
    step = look("absent", asking=PROVES, **more)
    proof = "Nothing is found of it, which proves that it did not happen."
    assert (step.state, step.delay, step.reason) == ("failed", None, f"{proof} {why}")


def test_absence_without_proof_leads_to_a_repetition_where_the_contract_allows_that(longest: None) -> None:
    step = look("absent", resends=True)
    assert (step.state, step.delay, step.next) == ("unknown", 10.0, "resend")


@pytest.mark.parametrize("what", WHY_NOT)
def test_what_is_not_sent_again_is_still_asked_about_and_says_why(longest: None, what: str) -> None:
    more, why = WHY_NOT[what]
    step = look("absent", resends=True, **more)
    assert (step.state, step.delay, step.next) == ("unknown", 5.0, "read")
    assert step.reason == f"Nothing is found of it, which proves nothing. It is not sent again: {why}"


# Conflict


@pytest.mark.parametrize("state", ["unknown", "accepted"])
def test_what_is_there_and_is_not_ours_is_for_a_person(state: str) -> None:
    assert look("conflict", state) == Step("unknown", None, "What is there was not made by this intent.")
    assert look("conflict", state, resends=True, reason="Another payment.") == Step("unknown", None, "Another payment.")
