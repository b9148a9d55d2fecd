"""Signals at once with what else may happen to a wait: each is taken once, none is lost, and a run goes on once."""

from typing import Any
from uuid import UUID

import pytest

from console.crashpoint import CrashPointHit, arm
from console.database import crossing_tenants
from runs.signals import settling
from runs.sweep import CLOCK
from runs.sweep import sweep as clock_pass
from tests import clock
from tests.cast import inside
from tests.races.at_once import answers, at_once
from tests.record import findings, kinds
from tests.shop import Shop
from tests.signalling import bodies, send, states, wait_for, waits


def count(run: UUID, kind: str) -> int:
    """Give how often an entry of this kind stands in a run's stream."""
    return kinds(f"run:{run}").count(kind)


@pytest.mark.parametrize("round_", range(8))
def test_a_signal_and_the_wait_for_it(shop: Shop, round_: int) -> None:
    run = shop.accept(goal="Wait")
    answers(at_once(lambda: send(shop, "paid", "1042", round_), lambda: wait_for(shop, run, "paid", "1042")))
    assert (states(), shop.state(run), bodies(run)) == (["taken"], "running", [round_])
    assert (count(run, "signal.taken"), count(run, "wait.met")) == (1, 1)


@pytest.mark.parametrize("round_", range(4))
def test_two_signals_and_one_wait(shop: Shop, round_: int) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    answers(at_once(*[lambda word=word: send(shop, "paid", "1042", word) for word in ("a", "b")]))
    assert sorted(states()) == ["kept", "taken"]
    assert (shop.state(run), count(run, "wait.met")) == ("running", 1)
    kept = wait_for(shop, run, "paid", "1042")
    assert kept["state"] == "met"
    assert sorted(bodies(run)) == ["a", "b"]


@pytest.mark.parametrize("round_", range(4))
def test_one_signal_and_two_waits(shop: Shop, round_: int) -> None:
    runs = [shop.accept(goal=f"Wait {number}") for number in range(2)]
    waiting = [lambda run=run: wait_for(shop, run, "paid", "1042") for run in runs]
    answers(at_once(lambda: send(shop, "paid", "1042"), *waiting))
    assert sorted(shop.state(run) for run in runs) == ["running", "waiting"]
    send(shop, "paid", "1042")
    assert [shop.state(run) for run in runs] == ["running", "running"]
    assert states() == ["taken", "taken"]


def test_the_same_signal_many_times_at_once_is_one(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    made = answers(at_once(*[lambda: send(shop, "paid", "1042", key="k")] * 8))
    assert len({signal.pk for signal in made}) == 1
    assert (states(), count(run, "signal.taken"), count(run, "wait.met")) == (["taken"], 1, 1)


def test_many_signals_and_as_many_waits_meet_one_to_one(shop: Shop) -> None:
    runs = [shop.accept(goal=f"Wait {number}") for number in range(4)]
    acts: list[Any] = [lambda number=number: send(shop, "paid", "1042", number) for number in range(4)]
    acts += [lambda run=run: wait_for(shop, run, "paid", "1042") for run in runs]
    answers(at_once(*acts))
    assert [shop.state(run) for run in runs] == ["running"] * 4
    assert sorted(body for run in runs for body in bodies(run)) == [0, 1, 2, 3]


@pytest.mark.parametrize("round_", range(4))
def test_a_signal_and_the_expiry_of_its_wait(shop: Shop, round_: int) -> None:
    """Whichever comes first ends the wait; a signal that lost is kept, never gone."""
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042", expires_seconds=30, on_expiry="wake")

    def passes() -> Any:
        with crossing_tenants():
            return clock_pass()

    with clock.at(31):
        answers(at_once(lambda: send(shop, "paid", "1042"), passes))
    (wait,) = waits(run)
    assert (wait.state, states()) in [("met", ["taken"]), ("expired", ["kept"])]
    assert (shop.state(run), count(run, f"wait.{wait.state}")) == ("running", 1)


@pytest.mark.parametrize("round_", range(4))
def test_a_signal_and_the_end_of_its_run(shop: Shop, round_: int) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    at_once(lambda: send(shop, "paid", "1042"), lambda: shop.fail(run))
    (wait,) = waits(run)
    assert (wait.state, states()) in [("met", ["taken"]), ("withdrawn", ["late"])]
    assert findings() == []


def test_two_clocks_and_the_sender_settle_what_a_crash_left_once(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    arm("signal.recorded_before_apply:1:raise")
    try:
        with pytest.raises(CrashPointHit):
            send(shop, "paid", "1042", key="k")
    finally:
        arm("")

    def step() -> int:
        with inside():
            return settling.settle_due(CLOCK, 10)

    with clock.at(3):
        answers(at_once(step, step, lambda: send(shop, "paid", "1042", key="k")))
        step()
    assert (states(), shop.state(run), count(run, "signal.taken")) == (["taken"], "running", 1)
