"""What is not confirmed, row by row: UNK-01, UNK-04, and what a look, a repetition and a retry need at the moment they are claimed."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from tests import clock
from tests.clock import DAY, HOUR
from tests.invariants import check
from tests.model.world import UNKNOWN
from tests.record import kinds
from tests.shop import Shop, dependency, draft, operation
from tests.work import Row, claim, claimed, settle, sweep

RESENT = operation("resent").replace("attempts: 3", "attempts: 2") + UNKNOWN.format("status", "true", "false")


@pytest.fixture
def patient(shop: Shop) -> Shop:
    """A shop with an operation that may be sent again under its key."""
    shop.apply(RESENT)
    return shop


def lose(shop: Shop, operation: str = "pay", *, number: int = 1, step: str = "status") -> UUID:
    """Have effects that were sent and never answered; gives the run."""
    run = shop.accept(*[draft(f"e{each}", operation=operation) for each in range(number)])
    for row in claim():
        settle(row, "unknown", http=None, delay=0, step=step)
    return run


# UNK-01


def test_unk_01_a_timeout_is_asked_about_and_never_sent_again(shop: Shop) -> None:
    run = lose(shop)
    for late in (10, 60, 200, 2000):
        with clock.at(late):
            sweep()
            looked = claim()
            assert [row["kind"] for row in looked] == ["status"]
            settle(looked, "absent", http=404, delay=1, step="status")
    assert shop.states(run) == {"e0": "unknown"}
    assert [attempt.kind for attempt in shop.attempts(run, "e0")] == ["act"] + ["status"] * 4


# UNK-04


def test_unk_04_no_age_no_clock_and_no_end_of_its_run_makes_it_failed(shop: Shop) -> None:
    run, given_up = lose(shop), lose(shop)
    shop.fail(given_up)
    for late in (HOUR, DAY, 30 * DAY, 400 * DAY):
        with clock.at(late):
            for _ in range(2):
                sweep()
            assert shop.states(run) == shop.states(given_up) == {"e0": "unknown"}
            assert {shop.state(run), shop.state(given_up)} <= {"running", "closing"}
    check()


# Repetitions


def test_what_may_be_sent_again_is_sent_under_its_key_with_a_higher_fence_and_stays_unknown_meanwhile(
    patient: Shop,
) -> None:
    run = lose(patient, "resent", step="resend")
    again = claimed()
    assert (again["kind"], again["fence"], patient.states(run)) == ("resend", 2, {"e0": "unknown"})
    settle(again, "succeeded")
    assert patient.states(run) == {"e0": "succeeded"}


def test_what_the_contract_does_not_let_be_sent_again_is_not_whatever_is_due(shop: Shop) -> None:
    run = lose(shop, step="resend")
    assert claim() == []
    assert shop.states(run) == {"e0": "unknown"}
    assert kinds(shop.run(run).stream())[-1] == "effect.not_resent"
    assert shop.effect(run, "e0").state_reason.startswith("It was not sent again: ")


def twice(shop: Shop, run: UUID) -> None:
    settle(claimed(), "unknown", http=None, delay=0, step="resend")


IN_THE_WAY: dict[str, Callable[[Shop, UUID], Any]] = {
    "its run is closing": lambda shop, run: shop.fail(run),
    "its attempts are used up": twice,
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_stands_in_the_way_of_a_repetition_is_judged_when_it_is_claimed(patient: Shop, what: str) -> None:
    run = lose(patient, "resent", step="resend")
    IN_THE_WAY[what](patient, run)
    assert claim() == []
    assert patient.states(run) == {"e0": "unknown"}
    assert what in patient.effect(run, "e0").state_reason.lower()


def test_the_time_of_a_repetition_can_be_over(patient: Shop) -> None:
    run = lose(patient, "resent", step="resend")
    with clock.at(130):
        assert claim() == []
    assert "the time for attempts is used up" in patient.effect(run, "e0").state_reason.lower()


def test_a_refusal_of_a_repetition_says_nothing_of_the_first(patient: Shop) -> None:
    run = lose(patient, "resent", step="resend")
    settle(claimed(), "rejected", to="unknown", http=422)
    assert patient.states(run) == {"e0": "unknown"}


# Paces


def slow_bank(shop: Shop, extra: str) -> None:
    """Let the bank bear less."""
    shop.apply(dependency("bank", version=2).rstrip() + f"\n{extra}\n")


def test_the_other_side_is_not_asked_faster_than_it_bears(shop: Shop) -> None:
    slow_bank(shop, "reconcile_per_second: 2")
    lose(shop, number=9)
    assert len(_all()) == 2
    assert _all() == []  # whoever asks again at once is given nothing
    with clock.at(3):
        assert len(_all()) == 2
    with clock.at(6):
        assert len(_all()) == 2


def test_retries_beyond_the_budget_wait_and_use_nothing_up(shop: Shop) -> None:
    slow_bank(shop, "retry_budget: {share: 0, per_second: 0.1, most: 2}")
    run = shop.accept(*[draft(f"e{each}") for each in range(5)])
    for row in claim():
        settle(row, "overload", http=503, delay=0)
    assert len(_all()) == 2
    assert _all() == []
    waiting = [key for key, state in shop.states(run).items() if state == "ready"]
    assert len(waiting) == 3
    assert {shop.effect(run, key).attempts_count for key in waiting} == {1}
    with clock.at(11):
        assert len(_all()) == 1


def _all() -> list[Row]:
    return claim(64)
