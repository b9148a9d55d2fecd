"""Checks: before an effect makes good for another, the world is read; what somebody changed since is not overwritten (R-J2)."""

import json
from typing import Any
from uuid import UUID

import pytest

from compensation.deeds.trying import now_expected
from console.exact import Value, canonical, digest
from examples.bank.orders import order
from runs.checking import Expected, after_check, expected
from tests import clock, halting
from tests.compensation.undoing import done, makes_good, with_undoing
from tests.record import told
from tests.runs.at_work import once
from tests.runs.banking import Bank, bank
from tests.runs.making_good import AS_IT_WAS, compensate
from tests.shop import Shop
from tests.work import LEASE, WORKER, claim, claimed, end_leases, settle, sweep

__all__ = ["bank"]
ORDER = order("r-book")
AS_LEFT = (("body.state", ORDER["state"]), ("body.total", ORDER["total"]))
DIFFERS = (("body.state", "confirmed"), ("body.total", ORDER["total"]), ("body.room", "12"))


@pytest.fixture
def store(shop: Shop) -> Shop:
    return with_undoing(shop)


@pytest.fixture
def booked(store: Shop) -> UUID:
    return done(store, "book")


# What is compared


@pytest.mark.parametrize(
    ("place", "wanted", "stands"),
    [
        ("state", "open", True), ("state", "closed", False), ("amount", "20.00", True), ("amount", "20", True), ("amount", "20.01", False),
        ("amount", 20, True), ("state", True, False), ("list", ["a", "b"], True), ("list", ["b", "a"], False), ("other", "open", False),
    ],
)  # fmt: skip
def test_what_is_expected_stands_there_though_amounts_are_written_differently(
    place: str, wanted: Value, stands: bool
) -> None:
    found = Expected(("body", place), wanted).difference(
        {"body": {"state": "open", "amount": "20.0", "list": ["a", "b"]}}
    )
    assert (found is None) is stands


def test_what_is_not_there_differs_and_what_is_found_is_shown() -> None:
    (one,) = expected('[{"equals":"open","path":"body.state"}]')
    assert one.difference({"status": 200}) == {"path": "body.state", "expected": "open", "found": None}
    assert one.difference({"body": {"state": ["odd"]}}) == {"path": "body.state", "expected": "open", "found": ["odd"]}


def test_what_is_too_long_to_be_shown_says_so_and_is_accepted_whole() -> None:
    """What a person lets go on is what was found, and not whatever begins alike."""
    (one,) = expected('[{"equals":"open","path":"body.state"}]')
    long = "x" * 1200
    found: Any = one.difference({"body": {"state": long}})
    assert found == {
        "path": "body.state", "expected": "open", "found": "x" * 1000, "found_length": 1200, "found_digest": digest(long).hex(),
    }  # fmt: skip
    (accepted,) = expected(now_expected(canonical([{"path": "body.state", "equals": "open"}]), canonical([found])))
    assert accepted.difference({"body": {"state": long}}) is None
    assert accepted.difference({"body": {"state": long + "y"}}) is not None
    assert accepted.difference({"body": {"state": "x" * 1000}}) is not None
    assert accepted.difference({"body": {}}) is not None


def test_a_reading_that_fails_is_done_again_after_a_wait_that_grows_and_is_bounded() -> None:
    waits = [after_check("transient", "", None, checks=n).delay for n in (0, 1, 2, 30)]
    assert waits == [1, 2, 4, 900]
    assert after_check("overload", "", None, checks=0, retry_after=77).delay == 77


# At the claim


def test_it_is_read_before_it_acts_and_stays_ready_meanwhile(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_IT_WAS)
    row = claimed()
    effect = store.effect(booked, key)
    assert (row["kind"], row["expects"], row["compensates"]) == ("check", effect.expects, True)
    assert (effect.state, effect.fence, effect.next_attempt_at) == ("ready", 0, None)
    assert claim() == []


def test_after_it_was_found_as_it_was_left_it_acts_at_once(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_IT_WAS)
    settle(claimed(), to="ready", delay=0, step="checked")
    row = claimed()
    assert (row["kind"], row["acts"]) == ("act", 0)
    assert store.effect(booked, key).outcome == ""
    settle(row)
    assert store.effect(booked, key).state == "succeeded"


def test_what_was_checked_longer_ago_than_a_reading_may_be_old_is_checked_again(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_IT_WAS)
    settle(claimed(), to="ready", delay=0, step="checked")
    with clock.at(61):
        assert claimed()["kind"] == "check"
    assert [each.kind for each in store.attempts(booked, key)] == ["check", "check"]


def test_what_is_tried_again_is_checked_again(store: Shop, booked: UUID) -> None:
    compensate(store, booked, "book", expects=AS_IT_WAS)
    settle(claimed(), to="ready", delay=0, step="checked")
    settle(claimed(), "overload", delay=0)
    assert claimed()["kind"] == "check"


def test_while_everything_is_stopped_nothing_is_even_read(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_IT_WAS)
    stop = halting.pause(store, halting.of_operation("unbook"))
    assert claim() == []
    assert store.attempts(booked, key) == []
    halting.lift(store, stop)
    halting.release()
    assert claimed()["kind"] == "check"


def test_a_check_whose_worker_vanished_is_made_again_and_is_never_unknown(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_IT_WAS)
    for passed in (0, LEASE):
        with clock.at(passed):
            claimed()
            end_leases(WORKER)
            assert store.effect(booked, key).state == "ready"
    with clock.at(2 * LEASE):
        assert claimed()["kind"] == "check"
    kept = [(each.kind, each.state, each.outcome) for each in store.attempts(booked, key)]
    assert kept[:2] == [("check", "lost", "not_sent")] * 2


def test_an_answer_to_a_check_of_what_was_called_off_meanwhile_changes_nothing(store: Shop, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_IT_WAS, deadline_seconds=60)
    row = claimed()
    with clock.at(61):
        assert sweep()["effects expired"] == 1
        assert settle(row, to="ready", delay=0, step="checked") == [row["attempt_id"]]
        assert store.effect(booked, key).state == "expired"
        end_leases(WORKER)
    assert store.attempts(booked, key)[0].state == "lost"


# With the bank


def test_what_is_as_it_was_left_is_made_good_for(store: Shop, bank: Bank, booked: UUID) -> None:
    key = compensate(store, booked, "book", expects=AS_LEFT)
    assert (once().outcome, bank.calls()) == ("succeeded", 0)
    once()
    assert (store.effect(booked, key).state, bank.calls()) == ("succeeded", 1)


def test_what_somebody_changed_since_is_left_alone_and_the_difference_is_kept(
    store: Shop, bank: Bank, booked: UUID
) -> None:
    key = compensate(store, booked, "book", expects=DIFFERS)
    once()
    effect = store.effect(booked, key)
    assert (effect.state, effect.outcome, bank.calls()) == ("withdrawn", "conflict", 0)
    assert effect.ended_at is not None
    assert json.loads(effect.result or "") == [
        {"path": "body.state", "expected": "confirmed", "found": ORDER["state"]},
        {"path": "body.room", "expected": "12", "found": None},
    ]
    assert effect.state_reason == (
        f"What it would change is not as the effect left it: body.state is {ORDER['state']}, not confirmed; body.room is absent, not 12."
    )
    assert told(f"run:{booked}")[-1][1]["to"] == "withdrawn"


def test_what_is_not_there_any_more_is_left_alone(store: Shop, bank: Bank, booked: UUID) -> None:
    found = 'outcome: succeeded, result: {body: "{body}"}}\n'
    gone = found + "      - {when: {path: status, op: eq, value: 404}, outcome: absent}\n"
    contract = makes_good("unbook", reads=True).replace("version: 1", "version: 2").replace(found, gone)
    assert [applied.faults for applied in store.apply(contract)] == [()]
    bank.behave({"do": "answer", "status": 404, "body": {"reason": "gone"}}, path="/orders/", method="GET")
    key = compensate(store, booked, "book", expects=AS_LEFT)
    once()
    effect = store.effect(booked, key)
    assert (effect.state, effect.outcome, bank.calls()) == ("withdrawn", "conflict", 0)
    assert effect.state_reason == "What it would change is not there any more."
    assert [each["found"] for each in json.loads(effect.result or "")] == [None, None]


@pytest.mark.parametrize("behaviour", ["wrong_content_type", "unavailable", "malformed", "drop_before_commit"])
def test_a_reader_that_cannot_be_understood_proves_no_change(
    store: Shop, bank: Bank, booked: UUID, behaviour: str
) -> None:
    bank.behave(behaviour, path="/orders/", method="GET")
    key = compensate(store, booked, "book", expects=AS_LEFT)
    once()
    effect = store.effect(booked, key)
    assert (effect.state, effect.next_step, effect.outcome) == ("ready", "", "")
    assert effect.state_reason.startswith("It could not be read whether it may still be done.")
    assert claim() == []
    with clock.at(3):
        assert once().outcome == "succeeded"
        once()
    assert (store.effect(booked, key).state, bank.calls()) == ("succeeded", 1)
