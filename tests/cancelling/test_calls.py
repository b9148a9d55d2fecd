"""Asking the other side to stop: once it has taken what we sent, where its contract has a call for that; its answer is evidence only."""

from datetime import UTC, datetime, timedelta

import pytest

from runs.calling_off import after_cancel
from runs.contracts.asking import Asking
from runs.contracts.retry import Retry
from runs.finding_out import FindingOut, Look
from runs.outcome import Tried
from tests.cancels import cancel, cancel_effect, states
from tests.record import told
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle

LOOK = FindingOut(Look("status", Asking(absence_is_proof=False, every_seconds=5.0, objective_seconds=300.0)))
NOW = datetime(2026, 3, 2, tzinfo=UTC)
TRIED = Tried(1, NOW - timedelta(seconds=40), NOW, NOW + timedelta(hours=1))


def test_what_was_accepted_is_asked_to_stop_and_then_asked_about(yard: Shop) -> None:
    run = yard.accept(draft("a", operation="ship"))
    settle(claimed(), "accepted", http=202, reference="op-1", delay=3600, step="status")
    cancel(yard, run)
    asked = claimed()
    assert (asked["kind"], asked["operation_reference"]) == ("cancel", "op-1")
    settle(asked, "succeeded", to="accepted", delay=0, step="status")
    effect = yard.effect(run, "a")
    assert (effect.state, effect.outcome, effect.cancel_asked_at) == ("accepted", "accepted", asked["claimed_at"])
    look = claimed()
    assert look["kind"] == "status"
    settle(look, "rejected", http=422)
    assert (yard.state(run), states(run)) == ("cancelled", ["proven"])


def test_what_is_in_flight_is_asked_to_stop_when_it_turns_out_to_have_been_taken(yard: Shop) -> None:
    run = yard.accept(draft("a", operation="ship"))
    row = claimed()
    cancel_effect(yard, yard.effect(run, "a"))
    assert claim() == []
    settle(row, "unknown", http=None, delay=5, step="status")
    assert claimed()["kind"] == "cancel"


def test_it_is_asked_once_however_often_it_is_looked_at(yard: Shop) -> None:
    run = yard.accept(draft("a", operation="ship"))
    settle(claimed(), "accepted", http=202, reference="op-1", delay=0, step="status")
    cancel(yard, run)
    settle(claimed(), "rejected", to="accepted", delay=0, step="status")
    for _ in range(3):
        look = claimed()
        assert look["kind"] == "status"
        settle(look, "pending", to="accepted", delay=0, step="status")
    asked = [facts["kind"] for kind, facts in told(f"run:{run}") if kind == "attempt.dispatched"]
    assert asked.count("cancel") == 1


def test_an_operation_without_such_a_call_is_only_looked_at(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "accepted", http=202, reference="op-1", delay=0, step="status")
    cancel(shop, run)
    assert claimed()["kind"] == "status"


def test_workers_of_the_release_before_leave_it_to_others(yard: Shop) -> None:
    run = yard.accept(draft("a", operation="ship"))
    settle(claimed(), "accepted", http=202, reference="op-1", delay=0, step="status")
    cancel(yard, run)
    assert claim(kinds=["act", "status"]) == []
    assert claim(kinds=["act", "resend", "status", "read"]) == []
    assert claimed()["kind"] == "cancel"


@pytest.mark.parametrize("outcome", ["succeeded", "rejected", "absent", "pending", "unknown", "invalid"])
def test_whatever_is_answered_the_effect_stays_as_it_is_and_is_looked_at_at_once(outcome: str) -> None:
    step = after_cancel(outcome, "", "accepted", Retry(), TRIED, asked=1, finding=LOOK)
    assert (step.state, step.delay, step.next) == ("accepted", 0.0, "status")


def test_a_wish_that_was_not_heard_is_said_again_a_few_times() -> None:
    steps = [after_cancel("not_sent", "", "unknown", Retry(), TRIED, asked=asked, finding=LOOK) for asked in (1, 2, 3)]
    assert [step.next for step in steps] == ["cancel", "cancel", "status"]


def test_what_only_a_message_tells_of_keeps_the_rest_of_its_time() -> None:
    step = after_cancel(
        "succeeded", "", "accepted", Retry(), TRIED, asked=1, finding=FindingOut(told_within_seconds=60.0)
    )
    assert (step.next, step.delay) == ("overdue", 20.0)
