"""A work item goes where its effect goes: heard of once, whatever becomes of it, together with what follows (R-J2, CMP-01)."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from compensation.deeds.trying import NothingToRun
from compensation.working import following, starting
from console.clock import now
from console.notices.models import Notice
from runs.models import Effect
from runs.pausing.pausing import Subject
from runs.sweep import CLOCK
from tests import clock, databases, halting, unsure
from tests.cast import inside
from tests.compensation.byhand import run_now
from tests.compensation.undoing import answer, begun, done, item_of, makes_good
from tests.compensation.working import acting, held, plan, stood
from tests.halting import EVERYTHING, of_operation, of_type
from tests.record import kinds
from tests.runs.test_verify import VERIFY
from tests.shop import Shop
from tests.work import LEASE, WORKER, Row, claim, claimed, end_leases, follow, settle, sweep

DIFFERENCE: Any = [{"path": "body.status", "expected": "confirmed", "found": "moved"}]
ASKS = """
{apiVersion: counterfoil/v1, kind: Policy, name: backward, version: 1, description: Giving back is asked about., operations: [refund],
 rules: [{name: always, then: ask, ask: {groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}],
 otherwise: deny}
"""


def planned(store: Shop, name: str = "charge") -> UUID:
    """Have a run in which one effect was done and is being made good for."""
    run = done(store, name)
    plan(store, run, name)
    return run


def hear() -> int:
    """Let news of effects come to their items, and nothing else."""
    with inside():
        return following.hear_due(CLOCK, 100)


def test_what_was_done_is_done_by_what_was_answered(store: Shop) -> None:
    run = planned(store)
    answer(claim())
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.verified_by, item.waits_for) == ("done", "answer", "")
    assert item.left == item.residue == '["The charge and the refund stand in the customer\'s statement."]'
    assert item.ended_at is not None
    assert (item.next_alert_at, acting(run, "charge").watch) == (None, 0)


def test_what_was_read_in_the_world_says_so(store: Shop) -> None:
    """R-J1: verified by reading the world, not by the answer to the call."""
    proven = makes_good("refund", "receipt, amount").replace("version: 1", "version: 2", 1) + VERIFY.replace(
        "{effect.key}", "x"
    )
    assert not [each.faults for each in store.apply(proven) if each.faults]
    run = planned(store)
    settle(claimed(), to="accepted", delay=0, step="verify")
    sweep()
    assert stood(run)["charge"] == ("verifying", "")
    answer(claim())
    sweep()
    assert (item_of(run, "charge").state, item_of(run, "charge").verified_by) == ("done", "world")


def test_an_unknown_outcome_stays_under_way_and_says_that_nobody_knows(store: Shop) -> None:
    run = planned(store)
    settle(claimed(), "unknown", reason="No answer came.")
    sweep()
    item = item_of(run, "charge")
    assert item.state == "running"
    assert item.state_reason == (
        "Nobody knows whether it was done; that is found out, and it is not simply done again: No answer came."
    )


def test_a_person_who_finds_out_that_it_was_done_is_named_as_what_it_was_verified_by(store: Shop) -> None:
    run = planned(store)
    settle(claimed(), "unknown")
    sweep()
    unsure.find(store, acting(run, "charge"), "happened")
    sweep()
    assert (item_of(run, "charge").state, item_of(run, "charge").verified_by) == ("done", "person")


def test_a_refusal_fails_it_and_is_escalated_and_resolves_nothing(store: Shop) -> None:
    """CMP-01: it has its own attempts and states; then it is manual work with an owner, and the original is not made good."""
    run = planned(store)
    settle(claimed(), "rejected", reason="The account is closed.")
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.state_reason) == ("escalated", "The other side refused it: The account is closed.")
    assert (item.owner_group, item.ended_at) == ("operators", None)
    assert store.run(run).compensation == "open"


def test_what_was_done_in_part_keeps_what_succeeded(store: Shop) -> None:
    """Issue 7: partial compensation keeps what succeeded."""
    run = planned(store)
    settle(claimed(), "partial", result={"done": ["10.00"], "not_done": ["10.00"]}, reason="Half of it was there.")
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.state_reason) == ("escalated", "It was done in part: Half of it was there.")
    assert item.left == '["It was done in part: done: 10.00","It was done in part: not done: 10.00"]'


def test_what_was_changed_since_waits_for_somebody_and_shows_the_difference(store: Shop) -> None:
    """R-J2: it never overwrites newer legitimate changes."""
    run = planned(store, "book")
    settle(claimed(), "conflict", to="withdrawn", result=DIFFERENCE, reason="body.status is moved, not confirmed.")
    sweep()
    item = item_of(run, "book")
    assert (item.state, item.waits_for) == ("waiting", "person")
    assert item.difference == '[{"expected":"confirmed","found":"moved","path":"body.status"}]'
    assert (
        item.state_reason
        == "body.status is moved, not confirmed. Nothing was done: somebody has to say what is right now."
    )


def test_an_approval_is_waited_for_and_one_that_is_denied_fails_it(store: Shop) -> None:
    assert not [each.faults for each in store.apply(ASKS) if each.faults]
    run = planned(store)
    assert stood(run)["charge"] == ("waiting", "approval")
    store.deny(store.request(run, acting(run, "charge").key))
    follow()
    sweep()
    assert item_of(run, "charge").state == "escalated"
    assert item_of(run, "charge").state_reason.startswith("It was not allowed: ")


def test_an_approval_that_is_given_lets_it_run(store: Shop) -> None:
    assert not [each.faults for each in store.apply(ASKS) if each.faults]
    run = planned(store)
    store.approve(store.request(run, acting(run, "charge").key))
    follow()
    sweep()
    assert stood(run)["charge"] == ("running", "")
    answer(claim())
    sweep()
    assert stood(run)["charge"] == ("done", "")


def test_an_approval_that_nobody_gave_in_time_fails_it(store: Shop) -> None:
    assert not [each.faults for each in store.apply(ASKS) if each.faults]
    run = planned(store)
    with clock.at(1801):
        sweep()
        assert item_of(run, "charge").state == "escalated"


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        (of_operation("refund"), "refund is paused: The bank is closed. It goes on when that is lifted."),
        (of_type(), "Runs of errand are paused: The bank is closed. It goes on when that is lifted."),
        (EVERYTHING, "Everything is paused: The bank is closed. It goes on when that is lifted."),
    ],
)
def test_what_is_paused_says_that_it_waits_and_why_until_it_goes_on(store: Shop, subject: Subject, why: str) -> None:
    """R-J2: nothing is under way that nobody may begin."""
    run = planned(store)
    pause = halting.pause(store, subject, reason="The bank is closed.")
    assert claim() == []
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.waits_for, item.state_reason) == ("waiting", "pause", why)
    with pytest.raises(NothingToRun, match="held by a pause"):
        run_now(store, item)
    halting.lift(store, pause)
    sweep()
    sweep()
    assert stood(run)["charge"] == ("running", "")
    answer(claim())
    sweep()
    assert stood(run)["charge"] == ("done", "")


def test_what_is_being_looked_at_before_it_acts_is_not_held(store: Shop) -> None:
    run = planned(store, "book")
    assert claimed()["kind"] == "check"
    sweep()
    assert stood(run)["book"] == ("running", "")


def test_a_late_answer_is_shown_and_moves_nothing(store: Shop) -> None:
    run = planned(store)
    row = lost(store, run)
    before = item_of(run, "charge")
    assert before.state == "escalated"
    late(row)
    sweep()
    item = item_of(run, "charge")
    assert item.state == "escalated"
    assert (
        "An answer came late: attempt 1 of effect 2 was given up, and its answer says succeeded." in item.state_reason
    )
    assert item.level == 1


def test_a_late_answer_to_an_earlier_try_is_shown_though_the_item_is_done(store: Shop) -> None:
    run = planned(store)
    row = lost(store, run)
    item = item_of(run, "charge")
    with held(run) as locked:
        starting.try_again(store.bot, locked, item, now())
    answer(claim())
    sweep()
    assert stood(run)["charge"] == ("done", "")
    late(row)
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.state_reason.partition(":")[0]) == ("done", "An answer came late")


def test_a_late_answer_that_the_original_happened_after_all_is_shown_on_the_item_that_was_dropped(store: Shop) -> None:
    run = begun(store, "charge")
    row = claimed()
    end_leases(WORKER)
    plan(store, run, "charge")
    unsure.find(store, store.effect(run, "charge"), "did_not_happen", "give_up")
    sweep()
    assert item_of(run, "charge").state == "dropped"
    late(row)
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.state_reason.partition(":")[0]) == ("dropped", "An answer came late")
    with inside():
        assert Notice.objects.filter(about=item.pk, kind="compensation.needs_somebody").count() == 1


def lost(store: Shop, run: UUID) -> Row:
    """Have an attempt at a compensation given up, and a person say that it was not done; gives the attempt, whose answer may come late."""
    row = claimed()
    with clock.at(LEASE + 1):
        end_leases()
        sweep()
        unsure.find(store, acting(run, "charge"), "did_not_happen", "give_up")
        sweep()
    return row


def late(row: Row) -> None:
    """Let an answer come that nobody waits for any more."""
    settle(row, "succeeded", says="late")


def test_news_is_heard_once_and_hearing_again_changes_nothing(store: Shop) -> None:
    run = planned(store)
    answer(claim())
    assert hear() == 1
    item = item_of(run, "charge")
    before = kinds(f"plan:{item.plan_id}")
    assert hear() == 0
    acting_id = acting(run, "charge").pk
    with inside():
        Effect.objects.filter(pk=acting_id).update(watch=2)  # as if we had died before
    assert hear() == 1
    assert kinds(f"plan:{item.plan_id}") == before
    assert item_of(run, "charge").ended_at == item.ended_at


def test_what_somebody_else_holds_is_heard_of_in_the_next_pass(store: Shop) -> None:
    run, other = planned(store), planned(store)
    answer(claim())
    with psycopg.connect(databases.variables()["DATABASE_WORKER_URL"]) as elsewhere:
        elsewhere.execute("select from runs_run where id = %s for no key update", [run])
        assert hear() == 1
    assert (stood(run)["charge"], stood(other)["charge"]) == (("running", ""), ("done", ""))
    assert hear() == 1
    assert stood(run)["charge"] == ("done", "")


def test_many_items_are_heard_of_in_one_pass(store: Shop) -> None:
    runs = [planned(store) for _ in range(3)]
    answer(claim())
    assert hear() == 3
    assert [stood(run)["charge"] for run in runs] == [("done", "")] * 3
    assert [store.run(run).compensation for run in runs] == ["over"] * 3


def test_what_went_through_states_unseen_comes_to_where_it_is(store: Shop) -> None:
    """An item may be verifying while its effect was found unknown, made ready and asked about again, all within one pass."""
    run = planned(store)
    settle(claimed(), to="accepted", delay=0, step="verify")
    sweep()
    assert stood(run)["charge"] == ("verifying", "")
    settle(claim(), "unknown", to="unknown")
    unsure.find(store, acting(run, "charge"), "did_not_happen", "retry")
    store.apply(ASKS)
    sweep()
    assert stood(run)["charge"] == ("waiting", "approval")
