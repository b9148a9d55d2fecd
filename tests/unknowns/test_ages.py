"""At which ages an unknown effect is told of, and what is due now: arithmetic alone."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runs.contracts.operation import UnknownRule
from runs.unknowns.ages import Due, ages, due

SINCE = datetime(2026, 3, 1, tzinfo=UTC)
RULE = UnknownRule(
    age_objective_seconds=900, reminders_seconds=(3600, 86400), escalate_after_seconds=7200, escalate_to="treasury"
)


def at(seconds: float) -> datetime:
    """Give the instant at an age."""
    return SINCE + timedelta(seconds=seconds)


def look(seconds: float, told_of: int = 0, *, escalated: bool = False, rule: UnknownRule = RULE) -> Due:
    """Look at an effect of this age."""
    return due(rule, SINCE, at(seconds), told_of=told_of, escalated=escalated)


def test_the_first_look_says_when_it_will_be_told_of() -> None:
    assert look(0) == Due(at(900), 0, None, escalates=False, next_alert_at=at(900))


@pytest.mark.parametrize(
    ("age", "before", "told", "escalates", "again"),
    [
        (900, 0, 900, False, 3600), (3599, 1, None, False, 3600), (3600, 1, 3600, False, 7200), (7200, 2, None, True, 86400),
        (90000, 2, 86400, True, None),
    ],
)  # fmt: skip
def test_each_age_is_told_of_in_its_turn(
    age: float, before: int, told: int | None, escalates: bool, again: float | None
) -> None:
    found = look(age, before)
    assert (found.age, found.escalates) == (told, escalates)
    assert found.next_alert_at == (None if again is None else at(again))


def test_who_was_away_for_days_tells_of_the_last_age_alone() -> None:
    found = look(10 * 86400)
    assert (found.age, found.told_of, found.escalates, found.next_alert_at) == (86400, 3, True, None)


def test_what_was_escalated_is_not_escalated_again() -> None:
    assert not look(90000, 3, escalated=True).escalates


def test_without_an_age_or_without_anybody_nothing_is_escalated() -> None:
    for rule in (UnknownRule(escalate_after_seconds=7200), UnknownRule(escalate_to="treasury")):
        found = look(90000, rule=rule)
        assert (found.escalates, found.next_alert_at) == (False, None)


def test_reminders_come_after_the_objective_in_order_and_once() -> None:
    rule = UnknownRule(age_objective_seconds=900, reminders_seconds=(7200, 60, 900, 3600, 3600))
    assert ages(rule) == [900, 3600, 7200]


RULES = st.builds(
    UnknownRule,
    age_objective_seconds=st.integers(1, 1000), reminders_seconds=st.lists(st.integers(1, 5000), max_size=6).map(tuple),
    escalate_after_seconds=st.none() | st.integers(1, 5000), escalate_to=st.sampled_from(["", "treasury"]),
)  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RULES, st.lists(st.integers(0, 6000), min_size=1, max_size=30))
def test_however_often_it_is_looked_at_each_age_is_told_of_at_most_once_and_the_last_always(
    rule: UnknownRule, looks: list[int]
) -> None:
    told, told_of, escalated = list[int](), 0, 0
    for seconds in sorted(looks):
        found = due(rule, SINCE, at(seconds), told_of=told_of, escalated=escalated > 0)
        told += [found.age] if found.age is not None else []
        told_of, escalated = found.told_of, escalated + found.escalates
        assert found.next_alert_at is None or found.next_alert_at > at(seconds), "it would be looked at without end"
    assert len(told) == len(set(told))
    assert escalated <= 1
    passed = [age for age in ages(rule) if age <= max(looks)]
    assert told[-1:] == passed[-1:]
    assert told_of == len(passed)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RULES, st.integers(0, 6000))
def test_nothing_is_passed_over_between_a_look_and_the_next(rule: UnknownRule, seconds: int) -> None:
    found = look(seconds, rule=rule)
    if found.next_alert_at is not None:
        again = due(rule, SINCE, found.next_alert_at, told_of=found.told_of, escalated=found.escalates)
        assert again.age is not None or again.escalates
