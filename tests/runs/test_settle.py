"""Settling: an answer is written down once, under the fence it was asked with; what comes late is kept and changes nothing (R-A6)."""

import json

import pytest

from tests import clock
from tests.record import kinds, told
from tests.shop import Shop, draft
from tests.work import LEASE, claim, claimed, end_leases, follow, settle, sweep

ENDINGS = {
    "succeeded": "succeeded",
    "rejected": "rejected",
    "denied": "rejected",
    "invalid": "failed",
    "partial": "partial",
}


# Each outcome


@pytest.mark.parametrize("outcome", ENDINGS)
def test_an_answer_that_settles_it_ends_the_effect(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), outcome, http=200, reason="So it is.", result={"receipt": "r-1"})
    effect, attempt = shop.effect(run, "a"), shop.attempts(run, "a")[0]
    assert (effect.state, effect.outcome, effect.state_reason) == (ENDINGS[outcome], outcome, "So it is.")
    assert effect.result == '{"receipt":"r-1"}'
    assert effect.ended_at is not None
    assert (attempt.state, attempt.outcome, attempt.http_status, attempt.sent) == ("ended", outcome, 200, True)
    assert (attempt.ended_at, attempt.lease_expires_at) == (effect.ended_at, None)
    assert attempt.evidence == f'{{"says":"{outcome}","status":200}}'


def test_an_unknown_outcome_has_an_age_and_a_next_look(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", http=None, delay=5)
    effect, attempt = shop.effect(run, "a"), shop.attempts(run, "a")[0]
    assert (effect.state, effect.ended_at, effect.unknown_since) == ("unknown", None, attempt.ended_at)
    assert effect.next_attempt_at is not None
    assert attempt.ended_at is not None
    assert (effect.next_attempt_at - attempt.ended_at).total_seconds() == 5


def test_an_unknown_outcome_that_nothing_can_be_asked_about_waits_for_a_person(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", delay=None)
    assert (shop.effect(run, "a").state, shop.effect(run, "a").next_attempt_at) == ("unknown", None)


def test_what_was_taken_is_accepted_with_the_other_sides_name_for_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "accepted", http=202, reference="op-7", delay=5)
    effect = shop.effect(run, "a")
    assert (effect.state, effect.operation_reference, effect.ended_at) == ("accepted", "op-7", None)
    settle_later = shop.effect(run, "a").next_attempt_at
    assert settle_later is not None


def test_what_was_not_done_is_ready_again_for_its_time(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "overload", http=503, delay=30, reason="Out of order.")
    effect = shop.effect(run, "a")
    assert (effect.state, effect.state_reason, effect.outcome, effect.attempts_count) == (
        "ready",
        "Out of order.",
        "overload",
        1,
    )


def test_the_result_and_the_reference_stay_when_a_later_answer_has_none(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "accepted", reference="op-7", result={"receipt": "r-1"}, delay=0)
    settle(claimed(), "succeeded")
    effect = shop.effect(run, "a")
    assert (effect.operation_reference, effect.result) == ("op-7", '{"receipt":"r-1"}')


def test_answers_are_settled_as_a_set_each_with_its_own_end(shop: Shop) -> None:
    one, two = shop.accept(draft("a"), draft("b")), shop.accept(draft("c"))
    rows = claim()
    settle(rows, "succeeded")
    assert shop.states(one) == {"a": "succeeded", "b": "succeeded"}
    assert shop.states(two) == {"c": "succeeded"}
    assert [run.ledger_seq for run in (shop.run(one), shop.run(two))] == [7, 4]


# The fence


def test_an_answer_after_the_attempt_was_given_up_is_kept_and_changes_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    end_leases("worker:test")
    assert settle(row, "succeeded") == [row["attempt_id"]]
    effect, attempt = shop.effect(run, "a"), shop.attempts(run, "a")[0]
    assert (effect.state, effect.outcome, effect.ended_at) == ("unknown", "unknown", None)
    assert (attempt.state, attempt.outcome, attempt.late_outcome) == ("lost", "unknown", "succeeded")
    assert attempt.late_evidence == '{"says":"succeeded","status":200}'
    assert kinds(f"run:{run}")[-2:] == ["attempt.lost", "attempt.late"]


@pytest.mark.parametrize("fence", [7, 99])
def test_an_answer_under_another_fence_changes_nothing(shop: Shop, fence: int) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    assert settle(row, "succeeded", fence=fence) == [row["attempt_id"]]
    assert shop.states(run) == {"a": "dispatched"}
    assert shop.attempts(run, "a")[0].state == "running"


def test_the_answer_to_an_older_attempt_does_not_pass_for_the_answer_to_a_newer_one(shop: Shop) -> None:
    run = shop.accept(draft("a", operation="look"))
    lost = claimed()
    end_leases("worker:test")
    newer = claimed()
    assert settle(lost, "rejected") == [lost["attempt_id"]]
    assert shop.states(run) == {"a": "dispatched"}
    settle(newer, "succeeded")
    assert shop.states(run) == {"a": "succeeded"}
    assert [(attempt.state, attempt.late_outcome) for attempt in shop.attempts(run, "a")] == [
        ("lost", "rejected"),
        ("ended", ""),
    ]


@pytest.mark.parametrize("state", ["unknown", "accepted"])
def test_the_answer_to_a_look_that_was_given_up_is_kept_and_changes_nothing(shop: Shop, state: str) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), state, delay=0)
    look = claimed()
    end_leases("worker:test")
    assert settle(look, "succeeded") == [look["attempt_id"]]
    assert shop.states(run) == {"a": state}
    assert [(attempt.state, attempt.late_outcome) for attempt in shop.attempts(run, "a")] == [
        ("ended", ""),
        ("lost", "succeeded"),
    ]
    settle(claimed(), "succeeded")
    assert shop.states(run) == {"a": "succeeded"}


def test_the_same_answer_written_twice_is_no_news(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    settle(row)
    before = shop.run(run).ledger_seq
    assert settle(row) == [row["attempt_id"]]
    assert shop.run(run).ledger_seq == before
    assert shop.attempts(run, "a")[0].late_outcome == ""


def test_another_answer_to_the_same_attempt_is_late(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    settle(row)
    settle(row, "rejected")
    assert shop.states(run) == {"a": "succeeded"}
    assert shop.attempts(run, "a")[0].late_outcome == "rejected"


def test_each_late_answer_is_kept_once(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    end_leases("worker:test")
    settle(row, "succeeded")
    settle(row, "rejected")
    settle(row, "succeeded")
    assert shop.attempts(run, "a")[0].late_outcome == "rejected"
    assert len(json.loads(shop.attempts(run, "a")[0].late_evidence or "")) == 2
    assert kinds(f"run:{run}").count("attempt.late") == 2


def test_late_and_timely_answers_in_one_set_are_told_apart(shop: Shop) -> None:
    run = shop.accept(draft("late"), draft("timely"))
    late, timely = claim()
    with clock.at(LEASE + 1):
        end_leases()
    assert shop.states(run) == {"late": "unknown", "timely": "unknown"}
    other = shop.accept(draft("in time"))
    row = claim(1)[0] if False else next(row for row in claim() if row["key"] == "in time")
    assert settle([late, row], "succeeded") == [late["attempt_id"]]
    assert shop.states(other) == {"in time": "succeeded"}
    assert timely["attempt_id"] != late["attempt_id"]


def test_an_answer_to_an_attempt_that_nobody_knows_is_nothing(shop: Shop) -> None:
    row = {"attempt_id": shop.tenant.pk, "fence": 1, "kind": "act", "effect_state": "dispatched"}
    assert settle(row) == []


# What follows


def test_those_that_waited_for_it_come_to_their_turn(shop: Shop) -> None:
    run = shop.accept(
        draft("first"),
        draft("next", after=["first"]),
        draft("asked", "250", after=["first"]),
        draft("last", after=["next"]),
    )
    settle(claimed())
    assert shop.states(run) == {"first": "succeeded", "next": "ready", "asked": "proposed", "last": "blocked"}
    assert [row["key"] for row in claim()] == ["next"]
    sweep()
    assert shop.states(run)["asked"] == "awaiting_approval"


def test_one_that_waits_for_several_comes_to_its_turn_after_the_last(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), draft("both", after=["a", "b"]))
    rows = claim()
    settle(rows[0])
    assert shop.states(run)["both"] == "blocked"
    settle(rows[1])
    assert shop.states(run)["both"] == "ready"


def test_both_settled_in_one_set_bring_it_to_its_turn_once(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), draft("both", after=["a", "b"]))
    settle(claim())
    assert shop.states(run)["both"] == "ready"
    assert kinds(f"run:{run}").count("effect.unblocked") == 1


@pytest.mark.parametrize("outcome", ["rejected", "invalid", "partial"])
def test_those_that_waited_for_what_was_not_done_are_withdrawn_all_the_way_down(shop: Shop, outcome: str) -> None:
    run = shop.accept(
        draft("first"), draft("next", after=["first"]), draft("last", "250", after=["next"]), draft("apart")
    )
    settle(claim(1), outcome)
    states = shop.states(run)
    assert (states["next"], states["last"], states["apart"]) == ("withdrawn", "withdrawn", "ready")
    assert shop.effect(run, "last").state_reason == "what it waits for was not done"


def test_one_that_waits_for_several_is_withdrawn_as_soon_as_one_will_never_be_done(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), draft("both", after=["a", "b"]))
    settle(claim()[0], "rejected")
    assert shop.states(run) == {"a": "rejected", "b": "dispatched", "both": "withdrawn"}


@pytest.mark.parametrize("outcome", ["unknown", "accepted"])
def test_those_that_wait_for_what_may_have_happened_go_on_waiting(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("first"), draft("next", after=["first"]))
    settle(claimed(), outcome)
    assert shop.states(run)["next"] == "blocked"


def test_a_run_that_completes_by_itself_has_succeeded_with_the_last_answer(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]), completes_itself=True)
    settle(claimed())
    assert shop.state(run) == "running"
    settle(claimed())
    ended = shop.run(run)
    assert (ended.state, ended.ended_at) == ("succeeded", shop.effect(run, "b").ended_at)
    assert told(f"run:{run}")[-1] == ("run.ended", {"to": "succeeded", "reason": ""})


def test_it_has_failed_when_something_required_was_not_done(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]), draft("c"), completes_itself=True)
    a, c = claim()
    settle(a, "rejected")
    assert shop.state(run) == "running"  # c is in flight
    settle(c)
    assert (shop.state(run), shop.run(run).closing_reason) == ("failed", "a required effect was not done")


def test_it_has_succeeded_when_only_something_that_was_not_required_was_not_done(shop: Shop) -> None:
    run = shop.accept(draft("a", required=False), draft("b"), completes_itself=True)
    a, b = claim()
    settle(a, "rejected")
    settle(b)
    assert shop.state(run) == "succeeded"


@pytest.mark.parametrize("outcome", ["unknown", "accepted", "partial"])
def test_it_goes_on_while_something_is_unresolved(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    settle(claimed(), outcome)
    assert shop.state(run) == "running"


def test_a_run_that_does_not_complete_by_itself_waits_for_its_driver(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed())
    assert shop.state(run) == "running"


def test_the_news_of_approval_releases_it_and_the_answer_ends_it(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"), completes_itself=True)
    shop.approve(shop.request(run, "dear"))
    follow()
    settle(claimed())
    assert kinds(f"run:{run}") == [
        "run.accepted", "effect.proposed", "effect.released", "attempt.dispatched", "attempt.settled", "run.ended",
    ]  # fmt: skip
