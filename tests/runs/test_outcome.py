"""What follows an answer, decided from the contract and the record alone (R-B2, R-D1, R-D2, R-D4, R-F3)."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.contracts.asking import Asking
from runs.contracts.retry import Retry
from runs.finding_out import NOTHING, FindingOut, Look
from runs.outcome import RESERVED_SECONDS, Step, Tried, after_act, after_resend, backoff

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASKING = Asking(absence_is_proof=False, every_seconds=5.0, objective_seconds=300.0)
ASKED = FindingOut(look=Look("status", ASKING))
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
    told, terms = told_of(more)
    return after_act(outcome, "So it is.", rule, told, **terms)


def told_of(more: dict[str, Any]) -> tuple[Tried, dict[str, Any]]:
    """Tell what was tried apart from the rest."""
    terms = {"retry_after": more.pop("retry_after", None), "finding": more.pop("finding", ASKED)}
    return Tried(**{"attempts": 1, "first_at": NOW, "now": NOW, "deadline_at": NOW + timedelta(days=1), **more}), terms


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
    assert after("unknown", rule, **{**times, "finding": REPEATED}).state == "unknown"


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


@pytest.mark.parametrize("honoured", [True, False])
def test_who_asks_to_be_left_alone_is_left_alone_for_as_long_where_the_contract_says_so(*, honoured: bool) -> None:
    rule = Retry(
        retryable=RETRYABLE, attempts=9, total_seconds=3600, base_seconds=1, max_seconds=10, honour_retry_after=honoured
    )
    tried = Tried(attempts=2, first_at=NOW, now=NOW, deadline_at=NOW + timedelta(days=1))
    steps = (
        after_act("overload", "", rule, tried, retry_after=300.0, finding=ASKED),
        after_act("unknown", "", rule, tried, retry_after=300.0, finding=REPEATED),
        after_resend("overload", "", rule, tried, retry_after=300.0, finding=REPEATED),
        after_act("unknown", "", rule, tried, retry_after=300.0, finding=ASKED),
    )
    assert [(step.state, step.next) for step in steps] == [
        ("ready", ""), ("unknown", "resend"), ("unknown", "resend"), ("unknown", "status"),
    ]  # fmt: skip
    for step in steps:
        assert step.delay is not None
        assert step.delay == 300.0 if honoured else step.delay <= 10.0


ENDS = {
    "succeeded": "succeeded",
    "rejected": "rejected",
    "denied": "rejected",
    "invalid": "failed",
    "conflict": "rejected",
    "partial": "partial",
}


@pytest.mark.parametrize("outcome", ENDS)
def test_what_settles_it_settles_it_whatever_the_contract_calls_retryable(outcome: str) -> None:
    step = after(outcome, Retry(retryable=frozenset(OUTCOMES), attempts=9))
    assert step == Step(ENDS[outcome], None, "So it is.")


@pytest.mark.parametrize("outcome", sorted(RETRYABLE))
def test_what_the_contract_does_not_call_retryable_has_failed_at_once(outcome: str) -> None:
    never = f"The contract does not try again what ends like this ({outcome.replace('_', ' ')})."
    assert after(outcome, Retry(attempts=9)) == Step("failed", None, f"So it is. {never}")


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
    "a wish beyond the deadline": (
        {"retry_after": 60.0, "deadline_at": NOW + timedelta(seconds=61)}, "The other side asks for a wait beyond the deadline.",
    ),
    "a wish after the deadline": ({"retry_after": 60.0, "deadline_at": NOW + timedelta(seconds=1)}, "The deadline leaves no time"),
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


def test_attempts_that_a_person_granted_come_on_top() -> None:
    assert after("overload", RULE, attempts=3, granted=1).state == "ready"
    assert after("overload", RULE, attempts=4, granted=1).state == "failed"


@given(answers())
def test_whatever_is_given_up_says_why(answer: tuple[str, Retry, dict[str, Any]]) -> None:
    outcome, rule, times = answer
    step = after(outcome, rule, **times)
    if outcome in RETRYABLE and step.state == "failed":
        assert step.reason.startswith("So it is. ")
        assert len(step.reason) > len("So it is. ")


# What may have happened


def test_what_may_have_happened_is_looked_at_first() -> None:
    assert after("unknown", RULE) == Step("unknown", 5.0, "So it is.", "status")
    assert after("accepted", RULE) == Step("accepted", 5.0, "So it is.", "status")


def test_a_look_comes_before_any_repetition_that_the_contract_allows() -> None:
    finding = FindingOut(look=Look("read", ASKING), resends=True, resends_unasked=True)
    assert after("unknown", RULE, finding=finding) == Step("unknown", 5.0, "So it is.", "read")


def test_without_a_look_what_was_accepted_is_waited_for() -> None:
    assert after("accepted", RULE, finding=NOTHING) == Step("accepted", None, "So it is.")


def test_without_a_look_and_without_leave_to_repeat_it_is_for_a_person() -> None:
    step = after("unknown", RULE, finding=NOTHING)
    assert (step.state, step.delay, step.next) == ("unknown", None, "")
    assert step.reason == "So it is. It is not tried again: nothing protects it from happening twice."


REPEATED = FindingOut(resends=True, resends_unasked=True)


def test_without_a_look_it_is_sent_again_where_the_contract_allows_that(longest: None) -> None:
    assert after("unknown", RULE, finding=REPEATED) == Step("unknown", 10.0, "So it is.", "resend")


@pytest.mark.parametrize("what", GIVEN_UP)
def test_what_is_not_sent_again_stays_unknown_and_says_why(longest: None, what: str) -> None:
    more, why = GIVEN_UP[what]
    step = after("unknown", RULE, finding=REPEATED, **more)
    assert (step.state, step.delay, step.next) == ("unknown", None, "")
    assert step.reason.startswith(f"So it is. It is not sent again: {why}")


# Repetitions


def repeat(outcome: str, **more: Any) -> Step:
    """Ask what follows the answer to a repetition under the same key."""
    told, terms = told_of({"attempts": 2, **more})
    return after_resend(outcome, "So it is.", RULE, told, **terms)


@pytest.mark.parametrize("outcome", ["succeeded", "partial"])
def test_a_repetition_that_was_done_settles_it(outcome: str) -> None:
    assert repeat(outcome) == Step(outcome, None, "So it is.")


@pytest.mark.parametrize("outcome", ["rejected", "denied", "invalid", "conflict"])
def test_a_repetition_that_was_refused_says_nothing_of_the_first_and_is_for_a_person(outcome: str) -> None:
    step = repeat(outcome)
    assert (step.state, step.delay, step.next) == ("unknown", None, "")
    assert step.reason == "So it is. It was sent again and refused, which proves nothing about the first time."


@pytest.mark.parametrize("outcome", ["accepted", "overload", "transient", "not_sent", "unknown"])
def test_any_other_answer_to_a_repetition_leaves_it_unknown_to_be_looked_at_or_sent_again(
    longest: None, outcome: str
) -> None:
    assert repeat(outcome) == Step("unknown", 5.0, "So it is.", "status")
    assert repeat(outcome, finding=REPEATED) == Step("unknown", 20.0, "So it is.", "resend")
    assert repeat(outcome, finding=REPEATED, retry_after=25.0).delay == 25.0


@given(answers())
def test_a_repetition_never_makes_it_ready_or_failed(answer: tuple[str, Retry, dict[str, Any]]) -> None:
    outcome, rule, times = answer
    for finding in (NOTHING, ASKED, REPEATED):
        told, terms = told_of({**times, "finding": finding})
        assert after_resend(outcome, "", rule, told, **terms).state in {"succeeded", "partial", "unknown"}
