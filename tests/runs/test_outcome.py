"""What follows an answer, decided from the contract and the record alone (R-B2, R-D1, R-D2, R-D4, R-F3)."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.contracts.retry import Retry
from runs.outcome import RESERVED_SECONDS, Step, after_act, after_look, backoff

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RETRYABLE = frozenset({"overload", "not_sent", "transient"})
OUTCOMES = [
    "succeeded", "accepted", "partial", "rejected", "denied", "invalid", "transient", "overload", "not_sent", "unknown",
]  # fmt: skip
spans = st.floats(0, 100_000, allow_nan=False)
rules = st.builds(
    Retry, retryable=st.frozensets(st.sampled_from(sorted(RETRYABLE))), attempts=st.integers(1, 10), total_seconds=spans,
    base_seconds=st.floats(0.1, 60), factor=st.floats(1, 10), max_seconds=st.floats(0.1, 3600), honour_retry_after=st.booleans(),
)  # fmt: skip


def after(outcome: str, rule: Retry, **more: Any) -> Step:
    """Ask what follows the answer to an act."""
    told = {
        "attempts": 1, "first_at": NOW, "now": NOW, "deadline_at": NOW + timedelta(days=1), "retry_after": None, "look_every": 5.0, **more,
    }  # fmt: skip
    return after_act(outcome, "So it is.", rule, **told)


@st.composite
def answers(draw: Any) -> tuple[str, Retry, dict[str, Any]]:
    """Draw an answer with its rule and its times."""
    times = {
        "attempts": draw(st.integers(1, 12)),
        "first_at": NOW - timedelta(seconds=draw(spans)),
        "deadline_at": NOW + timedelta(seconds=draw(spans)),
        "retry_after": draw(st.none() | spans),
    }
    return draw(st.sampled_from(OUTCOMES)), draw(rules), times


@given(answers())
def test_another_attempt_is_made_only_while_all_conditions_hold(answer: tuple[str, Retry, dict[str, Any]]) -> None:
    outcome, rule, times = answer
    step = after(outcome, rule, **times)
    if step.state != "ready":
        return
    assert step.delay is not None
    due = NOW + timedelta(seconds=step.delay)
    assert outcome in rule.retryable
    assert times["attempts"] < rule.attempts
    assert due < times["deadline_at"] - timedelta(seconds=RESERVED_SECONDS)
    assert due <= times["first_at"] + timedelta(seconds=rule.total_seconds)


@given(answers())
def test_what_may_have_happened_is_never_tried_again_and_never_called_failed(
    answer: tuple[str, Retry, dict[str, Any]],
) -> None:
    _, rule, times = answer
    assert after("unknown", rule, **times).state == "unknown"
    assert after("accepted", rule, **times).state == "accepted"


@given(rules, st.integers(1, 40))
def test_the_wait_is_drawn_from_nothing_to_the_ceiling(rule: Retry, attempts: int) -> None:
    wait = backoff(rule, attempts)
    assert 0 <= wait <= rule.ceiling(attempts) <= max(rule.max_seconds, 0)
    assert rule.ceiling(attempts) <= rule.ceiling(attempts + 1)


@given(rules, st.integers(1, 12), spans)
def test_retry_after_lengthens_the_wait_and_never_shortens_it(rule: Retry, attempts: int, wish: float) -> None:
    step = after("overload", rule, attempts=attempts, retry_after=wish)
    if step.state == "ready" and step.delay is not None:
        assert step.delay >= wish or not rule.honour_retry_after
        assert step.delay <= max(rule.ceiling(attempts), wish)


ENDS = {
    "succeeded": "succeeded",
    "rejected": "rejected",
    "denied": "rejected",
    "invalid": "failed",
    "partial": "partial",
}


@pytest.mark.parametrize("outcome", ENDS)
def test_what_settles_it_settles_it_whatever_the_contract_calls_retryable(outcome: str) -> None:
    step = after(outcome, Retry(retryable=frozenset(OUTCOMES), attempts=9))
    assert step == Step(ENDS[outcome], None, "So it is.")


@pytest.mark.parametrize("outcome", sorted(RETRYABLE))
def test_what_the_contract_does_not_call_retryable_has_failed_at_once(outcome: str) -> None:
    assert after(outcome, Retry(attempts=9)) == Step("failed", None, "So it is.")


@pytest.fixture
def longest() -> Iterator[None]:
    """Let every draw be the longest wait."""
    state, random.uniform = random.uniform, lambda low, high: high  # type: ignore[assignment]
    yield
    random.uniform = state


RULE = Retry(retryable=RETRYABLE, attempts=3, total_seconds=120, base_seconds=10, factor=2, max_seconds=30)


def test_it_waits_longer_and_longer_up_to_a_bound(longest: None) -> None:
    assert [RULE.ceiling(attempts) for attempts in (1, 2, 3, 4, 99)] == [10, 20, 30, 30, 30]
    assert after("overload", RULE, attempts=2).delay == 20


GIVEN_UP: dict[str, tuple[dict[str, Any], str]] = {
    "attempts": ({"attempts": 3}, "Given up after 3 attempts."),
    "deadline": ({"deadline_at": NOW + timedelta(seconds=11)}, "The deadline leaves no time for another attempt."),
    "time": ({"first_at": NOW - timedelta(seconds=111)}, "The time for attempts is used up."),
    "a wish beyond the time": ({"retry_after": 121.0}, "The time for attempts is used up."),
    "a wish beyond the deadline": ({"retry_after": 60.0, "deadline_at": NOW + timedelta(seconds=61)}, "The deadline leaves no time"),
}  # fmt: skip


@pytest.mark.parametrize("what", GIVEN_UP)
def test_it_says_why_it_was_given_up(longest: None, what: str) -> None:
    more, why = GIVEN_UP[what]
    step = after("overload", RULE, **more)
    assert (step.state, step.delay) == ("failed", None)
    assert step.reason.startswith(f"So it is. {why}")


def test_a_contract_that_allows_one_attempt_says_so() -> None:
    assert after("overload", Retry(retryable=RETRYABLE)).reason == "So it is. The contract allows one attempt."


def test_time_is_kept_back_before_the_deadline_for_writing_down_what_came_of_it(longest: None) -> None:
    assert after("overload", RULE, deadline_at=NOW + timedelta(seconds=12)).state == "failed"
    assert after("overload", RULE, deadline_at=NOW + timedelta(seconds=12.1)).state == "ready"


def test_without_a_status_query_no_look_is_planned() -> None:
    assert after("unknown", RULE, look_every=None) == Step("unknown", None, "So it is.")
    assert after("accepted", RULE).delay == 5.0


# Looks


def look(outcome: str, state: str, *, looks: int = 0, overdue: bool = False) -> Step:
    """Ask what follows a status query."""
    return after_look(outcome, "", state, looks=looks, look_every=5.0, overdue=overdue)


@pytest.mark.parametrize("state", ["unknown", "accepted"])
@pytest.mark.parametrize("outcome", ["succeeded", "rejected", "partial"])
def test_proof_ends_it(state: str, outcome: str) -> None:
    assert look(outcome, state) == Step(outcome, None, "")


@pytest.mark.parametrize("overdue", [False, True])
@pytest.mark.parametrize(
    "outcome", ["absent", "pending", "transient", "not_sent", "unknown", "overload", "denied", "invalid", "accepted"]
)
def test_nothing_else_ends_an_unknown(outcome: str, overdue: bool) -> None:
    assert look(outcome, "unknown", overdue=overdue).state == "unknown"
    assert look(outcome, "unknown", overdue=overdue).delay is not None


@pytest.mark.parametrize("outcome", ["absent", "pending", "transient", "not_sent", "unknown"])
def test_what_was_accepted_is_unknown_once_its_time_is_over(outcome: str) -> None:
    assert look(outcome, "accepted").state == "accepted"
    late = look(outcome, "accepted", overdue=True)
    assert (late.state, late.delay) == ("unknown", 5.0)
    assert late.reason == "It was accepted, and is not done in the time it was given."


def test_it_is_asked_about_more_and_more_seldom_and_never_given_up() -> None:
    delays = [look("pending", "unknown", looks=looks).delay for looks in (0, 1, 2, 6, 7, 500)]
    assert delays == [5.0, 10.0, 20.0, 320.0, 320.0, 320.0]
