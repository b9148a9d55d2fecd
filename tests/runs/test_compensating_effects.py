"""Effects that make good for others: ordinary effects, begun whatever has become of their run, which they never revive (R-J2)."""

from uuid import UUID

import pytest
from django.db import IntegrityError

from console.crashpoint import arm
from console.exact import Value
from runs.compensating.proposing import AlreadyCompensated
from runs.compensating.watching import watch
from runs.models import Effect
from runs.proposals import ReservedKey
from runs.queries import tasks
from tests import cancels, clock, halting
from tests.cast import inside
from tests.compensation.undoing import done, with_undoing
from tests.corrections import correct
from tests.invariants import check
from tests.limits import limited
from tests.permits import AGREED, DONE, begin, report, with_permits
from tests.runs.at_work import once
from tests.runs.banking import Bank, bank
from tests.runs.making_good import AS_IT_WAS, compensate
from tests.runs.test_finding_out import REPEATED
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.unsure import find
from tests.work import WORKER, claim, claimed, end_leases, follow, settle, sweep

__all__ = ["bank"]
WIDE = """
apiVersion: counterfoil/v1
kind: Policy
name: undoing
version: 1
description: What makes good is asked about.
operations: [unbook]
rules:
  - {name: all, then: ask, ask: {groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}
otherwise: deny
"""
STATES = ["running", "waiting", "exhausted", "closing", "succeeded", "failed", "cancelled", "expired"]


@pytest.fixture
def store(shop: Shop) -> Shop:
    return with_undoing(shop)


@pytest.fixture
def booked(store: Shop) -> UUID:
    return done(store, "book")


def now_is(shop: Shop, run: UUID, state: str) -> None:
    """Let a run be in a state, by a hand that no guard holds: what led there is told elsewhere."""
    shop.verified = False
    ended = "cf_now()" if state in {"succeeded", "failed", "cancelled", "expired"} else "null"
    with hand().transaction():
        hand().execute("set local session_replication_role = replica")
        hand().execute(
            f"update runs_run set state = %s, ended_at = {ended}, closing_toward = 'cancelled', closing_reason = 'So.' where id = %s",
            [state, run],
        )


# Whatever has become of the run


@pytest.mark.parametrize("state", STATES)
def test_it_is_done_whatever_has_become_of_the_run_and_revives_nothing(store: Shop, booked: UUID, state: str) -> None:
    now_is(store, booked, state)
    key = compensate(store, booked, "book")
    row = claimed()
    assert (row["kind"], row["compensates"], row["expects"]) == ("act", True, "")
    settle(row)
    assert (store.effect(booked, key).state, store.state(booked)) == ("succeeded", state)


def test_it_is_not_begun_while_its_run_is_looked_at_by_a_person(store: Shop, booked: UUID) -> None:
    now_is(store, booked, "quarantined")
    key = compensate(store, booked, "book")
    assert claim() == []
    assert (store.effect(booked, key).state, store.effect(booked, key).next_attempt_at) == ("ready", None)


def test_it_is_not_begun_while_its_run_is_paused_but_a_pause_ends_with_the_run(store: Shop, booked: UUID) -> None:
    pause = halting.pause(store, halting.of_run(booked))
    compensate(store, booked, "book")
    assert claim() == []
    halting.lift(store, pause)
    assert claimed()["compensates"]


def test_a_pause_of_a_run_that_ended_stops_nothing(store: Shop, booked: UUID) -> None:
    halting.pause(store, halting.of_run(booked))
    now_is(store, booked, "failed")
    compensate(store, booked, "book")
    assert claimed()["compensates"]


def test_neither_the_runs_deadline_nor_its_agent_stands_in_the_way(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", deadline_seconds=20_000)
    store.verified = False
    hand().execute("update identity_agent set active = false where id = %s", [store.agent.pk])
    with clock.at(10_000):
        settle(claimed())
    assert store.effect(booked, key).state == "succeeded"


def test_a_decision_about_the_run_that_is_due_does_not_hold_it_up(store: Shop, booked: UUID) -> None:
    store.verified = False
    hand().execute("update runs_run set resume_due = true where id = %s", [booked])
    compensate(store, booked, "book")
    assert claimed()["compensates"]


def test_it_counts_for_nothing_that_its_run_may_use(store: Shop) -> None:
    frugal = limited(store, limits="{attempts: 2}")
    run = done(store, "book", run_type=frugal)
    key = compensate(store, run, "book")
    settle(claimed(), "overload", delay=0)
    settle(claimed(), "overload", delay=0)
    settle(claimed())
    assert store.effect(run, key).state == "succeeded"
    store.propose(run, draft("b"))
    settle(claimed())
    assert store.states(run)["b"] == "succeeded"
    assert store.state(run) == "running"


def test_a_correction_of_the_run_does_not_call_it_off(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book")
    settle(claimed(), "overload", delay=0)
    correct(store, booked, operation="unbook")
    assert store.effect(booked, key).state == "ready"
    settle(claimed())
    assert store.effect(booked, key).state == "succeeded"


# Its whole way, in a run that ended


@pytest.fixture
def over(store: Shop, booked: UUID) -> UUID:
    store.complete(booked)
    assert store.state(booked) == "succeeded"
    return booked


def test_people_are_asked_about_it_as_about_any_other(store: Shop, over: UUID) -> None:
    assert not [applied.faults for applied in store.apply(WIDE) if applied.faults]
    key = compensate(store, over, "book", expects=AS_IT_WAS)
    assert store.effect(over, key).state == "awaiting_approval"
    store.approve(store.request(over, key))
    follow()
    settle(claimed(), to="ready", delay=0, step="checked")
    assert store.request(over, key).state == "approved"
    settle(claimed())
    assert (store.effect(over, key).state, store.request(over, key).state, store.state(over)) == (
        "succeeded", "consumed", "succeeded",
    )  # fmt: skip
    check()


def test_leave_that_was_given_is_over_with_what_its_check_called_off(store: Shop, over: UUID) -> None:
    assert not [applied.faults for applied in store.apply(WIDE) if applied.faults]
    key = compensate(store, over, "book", expects=AS_IT_WAS)
    store.approve(store.request(over, key))
    follow()
    settle(claimed(), "conflict", to="withdrawn", result=[{"path": "body.status"}], reason="It differs.")
    assert (store.effect(over, key).state, store.request(over, key).state) == ("withdrawn", "lapsed")
    check()


def test_what_was_judged_by_a_policy_that_changed_is_judged_again(store: Shop, over: UUID) -> None:
    key = compensate(store, over, "book")
    assert not [applied.faults for applied in store.apply(WIDE) if applied.faults]
    sweep()
    assert store.effect(over, key).state == "awaiting_approval"
    check()


def test_its_own_deadline_ends_it(store: Shop, over: UUID) -> None:
    key = compensate(store, over, "book", deadline_seconds=60)
    with clock.at(61):
        assert sweep()["effects expired"] == 1
        assert store.effect(over, key).state == "expired"
        check()


def test_a_lost_attempt_is_unknown_and_found_out(store: Shop, over: UUID) -> None:
    key = compensate(store, over, "book")
    claimed()
    end_leases(WORKER)
    assert (store.effect(over, key).state, store.effect(over, key).next_step) == ("unknown", "status")
    settle(claimed(), "succeeded", to="succeeded")
    assert (store.effect(over, key).state, store.state(over)) == ("succeeded", "succeeded")
    check()


def test_it_is_sent_again_under_its_key_where_its_contract_lets_that_be(store: Shop, over: UUID) -> None:
    assert not [applied.faults for applied in store.apply(REPEATED) if applied.faults]
    key = compensate(store, over, "book", "repeated", arguments={"to": "bob", "amount": "10"})
    claimed()
    end_leases(WORKER)
    with clock.at(6):
        row = claimed()
        assert row["kind"] == "resend"
        settle(row, "succeeded", to="succeeded")
    assert (store.effect(over, key).state, store.state(over)) == ("succeeded", "succeeded")


def test_a_person_who_found_that_it_did_not_happen_has_it_done_again(store: Shop, over: UUID) -> None:
    key = compensate(store, over, "book")
    claimed()
    end_leases(WORKER)
    find(store, store.effect(over, key), "did_not_happen", "retry")
    assert store.effect(over, key).state == "ready"
    settle(claimed())
    assert (store.effect(over, key).state, store.state(over)) == ("succeeded", "succeeded")
    check()


def test_what_came_of_nothing_may_be_tried_again_and_replaces_the_last_try(store: Shop, over: UUID) -> None:
    key = compensate(store, over, "book")
    settle(claimed(), "rejected", http=422)
    last = store.effect(over, key)
    again = compensate(store, over, "book", tries=2, supersedes=last.pk)
    assert store.effect(over, again).supersedes_id == last.pk
    settle(claimed())
    assert store.effect(over, again).state == "succeeded"
    check()


def test_a_person_and_the_agent_do_it_though_the_run_ended(store: Shop) -> None:
    with_permits(store)
    run = done(store, "book", "reserve")
    store.complete(run)
    asked: dict[str, Value] = {"to": "bob", "amount": "10"}
    hers = store.effect(run, compensate(store, run, "book", "phone", arguments=asked))
    its = store.effect(run, compensate(store, run, "reserve", "label", arguments=asked))
    with inside():
        assert [task.pk for task in tasks(store.members["ann"], None, 10)] == [hers.pk]
    for who, effect, result in ((store.actor("ann"), hers, AGREED), (store.bot, its, DONE)):
        report(who, begin(who, effect), result=result, evidence="Call 17.")
    assert {store.effect(run, each.key).state for each in (hers, its)} == {"succeeded"}
    assert store.state(run) == "succeeded"
    check()


def test_whoever_is_struck_after_it_was_sent_leaves_it_unknown_and_only_this_is_struck_there(
    store: Shop, bank: Bank
) -> None:
    run = done(store, "book")
    try:
        arm("compensate.sent:1:raise")
        store.propose(run, draft("other"))
        assert once().outcome == "succeeded"
        key = compensate(store, run, "book")
        assert once().outcome == "unknown"
    finally:
        arm("")
    with clock.at(6):
        once()
    assert (store.effect(run, key).state, bank.calls()) == ("succeeded", 2)


# Once


def test_cmp_03_there_is_one_that_is_open_or_was_done(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book")
    first = store.effect(booked, key)
    with pytest.raises(AlreadyCompensated) as refused:
        compensate(store, booked, "book", tries=2)
    assert refused.value.facts["by_effect"] == str(first.pk)
    settle(claimed())
    with pytest.raises(AlreadyCompensated):
        compensate(store, booked, "book", tries=2)
    assert claim() == []


def test_the_database_itself_keeps_a_second_one_out(store: Shop, booked: UUID) -> None:
    first = store.effect(booked, compensate(store, booked, "book"))
    original = store.effect(booked, "book")
    with pytest.raises(IntegrityError, match="runs_one_effect_compensates"), inside():
        Effect.objects.filter(pk=original.pk).update(compensates=first.compensates_id)


def test_no_agent_takes_the_key_of_what_is_to_make_good(store: Shop, booked: UUID) -> None:
    taken = f"compensates:{store.effect(booked, 'book').pk}:1"
    with pytest.raises(ReservedKey):
        store.propose(booked, draft(taken))
    with pytest.raises(ReservedKey):
        store.accept(draft(taken))
    assert compensate(store, booked, "book") == taken


def test_it_is_no_part_of_what_the_run_is_for(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book")
    effect = store.effect(booked, key)
    assert (effect.cleanup, effect.required, effect.key_scope) == (True, False, "run")
    settle(claimed(), "rejected", http=422)
    store.complete(booked)
    assert store.state(booked) == "succeeded"


# Cancelling


def test_cmp_05_cancelling_the_run_again_does_not_stop_it(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book")
    cancels.cancel(store, booked, mode="graceful")
    before = store.run(booked)
    cancels.cancel(store, booked, mode="graceful")
    assert (store.run(booked).state, store.run(booked).ledger_seq) == ("closing", before.ledger_seq)
    cancels.cancel(store, booked, mode="immediate")
    assert (store.effect(booked, key).state, store.run(booked).compensation) == ("ready", "due")
    row = claimed()
    cancels.cancel(store, booked, mode="immediate")
    end_leases(WORKER)
    assert store.effect(booked, key).state == "unknown"
    settle(claimed(), "succeeded", to="succeeded")
    assert (store.effect(booked, key).state, row["kind"]) == ("succeeded", "act")


def test_a_late_answer_to_it_is_nothing_that_the_cancelled_run_did(store: Shop, booked: UUID) -> None:
    now_is(store, booked, "cancelled")
    compensate(store, booked, "book")
    row = claimed()
    end_leases(WORKER)
    settle(claimed(), "rejected", to="rejected")
    assert settle(row, "succeeded") == [row["attempt_id"]]
    assert (store.run(booked).attention, store.attempts(booked, f"compensates:{store.effect(booked, 'book').pk}:1")[0].late_outcome) == (
        "", "succeeded",
    )  # fmt: skip


# Who wants to hear of it


def test_it_is_heard_of_when_it_moves_and_so_is_what_is_watched(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book")
    assert store.effect(booked, key).watch == 1
    row = claimed()
    assert store.effect(booked, key).watch == 2
    original = store.effect(booked, "book")
    with inside():
        watch([row["effect_id"], original.pk])
    assert (store.effect(booked, key).watch, store.effect(booked, "book").watch) == (2, 1)
