"""Waits at once with what else may end them: each ends once, and its run wakes once."""

from typing import Any
from uuid import UUID

import pytest

from console.database import crossing_tenants
from runs import driving
from runs import sweep as clock_steps
from runs.models import Run
from runs.waits import children, due, opening, withdrawing
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.cast import inside
from tests.pending import key, open_wait, signal, timer, wait, waits
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, settle

CLOCK = clock_steps.CLOCK


def pass_once() -> Any:
    """Let a clock pass."""
    with crossing_tenants():
        return clock_steps.sweep()


def step(act: Any) -> Any:
    """Do one step of the clock without the lock that keeps it to one clock."""
    with inside():
        return act(CLOCK, 500)


def ends(run: UUID) -> list[str]:
    """Give the entries by which waits of a run ended."""
    return [kind for kind in kinds(f"run:{run}") if kind in {"wait.met", "wait.expired", "wait.withdrawn"}]


def test_many_clocks_at_once_bring_a_time_once(shop: Shop) -> None:
    runs = [shop.accept() for _ in range(6)]
    for run in runs:
        open_wait(shop, run, timer(60))
    with clock.at(61):
        answers(at_once(*[lambda: step(due.meet_times)] * 4))
        step(due.meet_times)
    assert [ends(run) for run in runs] == [["wait.met"]] * 6
    assert {shop.state(run) for run in runs} == {"running"}


@pytest.mark.parametrize("round_", range(4))
def test_a_time_that_comes_and_a_driver_that_takes_it_back(shop: Shop, round_: int) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour"))
    found = wait(run, "hour").pk
    with clock.at(61):
        became = at_once(
            lambda: step(due.meet_times), lambda: withdrawing.withdraw(shop.bot, found, epoch=1, reason="", key=key())
        )
        assert set(refusals(became)) <= {"wait_over"}
        step(due.meet_times)
    assert (len(ends(run)), shop.state(run), shop.run(run).open_waits) == (1, "running", 0)


@pytest.mark.parametrize("round_", range(4))
def test_a_time_and_an_expiry_at_the_same_second(shop: Shop, round_: int) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="time"), signal(name="answer", expires_seconds=60, on_expiry="wake"))
    with clock.at(61):
        answers(at_once(lambda: step(due.meet_times), lambda: step(due.expire)))
        for _ in range(2):
            step(due.meet_times)
            step(due.expire)
    assert sorted(waits(run).values()) in (["met", "withdrawn"], ["expired", "withdrawn"])
    assert (shop.state(run), shop.run(run).open_waits) == ("running", 0)


@pytest.mark.parametrize("round_", range(4))
def test_a_person_who_has_it_go_on_and_the_clock(shop: Shop, round_: int) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour"))
    with clock.at(61):
        became = at_once(
            lambda: withdrawing.wake(shop.actor("oscar"), run, reason="Enough.", key=key()),
            lambda: step(due.meet_times),
        )
        assert set(refusals(became)) <= {"not_waiting"}
        step(due.meet_times)
    assert (len(ends(run)), shop.state(run)) == (1, "running")


@pytest.mark.parametrize("round_", range(4))
def test_an_expiry_that_fails_the_run_and_the_last_answer(shop: Shop, round_: int) -> None:
    run = shop.accept(draft("a"))
    effect = str(shop.effect(run, "a").pk)
    open_wait(shop, run, WaitDraft("effects", {"effects": [effect]}, name="done", expires_seconds=60, on_expiry="fail"))
    row = claim(lease=600)[0]
    with clock.at(61):
        answers(at_once(lambda: step(due.expire), lambda: settle(row)))
        step(due.expire)
    assert (waits(run)["done"], shop.state(run)) in (("met", "running"), ("expired", "failed"))
    assert shop.states(run) == {"a": "succeeded"}
    assert len(ends(run)) == 1


@pytest.mark.parametrize("round_", range(4))
def test_the_last_of_two_answers_wakes_the_run_whichever_it_is(shop: Shop, round_: int) -> None:
    run = shop.accept(draft("a"), draft("b"))
    wanted = [str(shop.effect(run, name).pk) for name in "ab"]
    first, second = claim(lease=600)
    became = at_once(
        lambda: open_wait(shop, run, WaitDraft("effects", {"effects": wanted}, name="both")), lambda: settle(first),
        lambda: settle(second),
    )  # fmt: skip
    answers(became)
    assert (waits(run), shop.state(run)) == ({"both": "met"}, "running")
    assert ends(run) == ["wait.met"]


@pytest.mark.parametrize("round_", range(4))
def test_children_that_end_while_their_parent_begins_to_wait(shop: Shop, round_: int) -> None:
    parent, *below = (shop.accept() for _ in range(3))
    shop.verified = False
    with inside():
        Run.objects.filter(pk__in=below).update(parent=parent)
    names = WaitDraft("children", {"runs": [str(run) for run in below]}, name="children")
    acts = [lambda run=run: shop.complete(run) for run in below]
    answers(at_once(lambda: open_wait(shop, parent, names), *acts))
    for _ in range(2):
        step(children.tell_due)
    assert (waits(parent), shop.state(parent)) == ({"children": "met"}, "running")
    assert ends(parent) == ["wait.met"]


@pytest.mark.parametrize("round_", range(4))
def test_a_run_that_is_given_up_while_its_time_comes(shop: Shop, round_: int) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour"))
    with clock.at(61):
        became = at_once(
            lambda: step(due.meet_times), lambda: driving.fail(shop.bot, run, epoch=1, reason="No.", key=key())
        )
        assert refusals(became) == []
    assert (shop.state(run), len(ends(run)), shop.run(run).open_waits) == ("failed", 1, 0)


def test_the_same_wait_opened_many_times_at_once_is_one(shop: Shop) -> None:
    run = shop.accept()
    became = answers(at_once(
        *[lambda: opening.open(shop.bot, run, epoch=1, draft=timer(60, name="hour"), key="the same")] * 6
    ))  # fmt: skip
    assert len({each["wait"] for each in became}) == 1
    assert (waits(run), shop.run(run).open_waits) == ({"hour": "open"}, 1)
    with clock.at(61):
        answers(at_once(pass_once, pass_once))
        pass_once()  # a step that finds another clock at work leaves its part to the next pass
    assert ends(run) == ["wait.met"]
