"""Callbacks at once with what else may settle an effect: one of them does, and the others are kept and change nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from console.database import crossing_tenants
from runs import sweep as clock_steps
from runs.callbacks import applying
from tests import clock
from tests.cast import inside
from tests.hearing import SECRET, VARIABLE, heard, message, said, states, tell, told_of
from tests.races.at_once import answers, at_once
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claimed, settle


@pytest.fixture
def hears(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The shop, with an operation of which the bank tells by itself."""
    monkeypatch.setenv(VARIABLE, SECRET)
    shop.apply(told_of("send"))
    return shop


def settlements(run: Any) -> list[str]:
    """Give the entries by which something of a run was settled or was too late."""
    return [
        kind
        for kind in kinds(f"run:{run}")
        if kind in {"callback.applied", "attempt.settled", "callback.late", "attempt.late"}
    ]


def test_the_same_message_many_times_at_once_is_one(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=5, http=202)
    body = message(hears.effect(run, "rent").pk)
    taken = [said(answer) for answer in answers(at_once(*[lambda: tell(body, ident="m")] * 8))]
    assert sorted(status for status, _ in taken) == [200] * 7 + [202]
    assert (len(heard()), settlements(run)) == (1, ["attempt.settled", "callback.applied"])
    assert hears.states(run) == {"rent": "succeeded"}


def test_different_messages_at_once_settle_it_once(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=5, http=202)
    effect = hears.effect(run, "rent")
    acts = [
        lambda status=status: tell(message(effect.pk, status, reason="No.")) for status in ["committed", "refused"] * 4
    ]
    answers(at_once(*acts))
    assert sorted(states()) == ["applied"] + ["late"] * 7
    assert settlements(run).count("callback.applied") == 1


@pytest.mark.parametrize("round_", range(3))
def test_a_callback_and_the_answer_of_a_status_query(hears: Shop, round_: int) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=0, http=202)
    look, effect = claimed(), hears.effect(run, "rent")
    assert look["kind"] == "status"
    acts: list[Callable[[], object]] = [
        lambda: tell(message(effect.pk)), lambda: settle(look, "rejected", reason="No such order.", http=422),
    ]  # fmt: skip
    answers(at_once(*acts))
    after = hears.effect(run, "rent")
    if after.state == "succeeded":
        assert (states(), settlements(run)[-1]) == (["applied"], "attempt.late")
    else:
        assert (after.state, states(), settlements(run)[-1]) == ("rejected", ["late"], "callback.late")


@pytest.mark.parametrize("round_", range(3))
def test_a_callback_and_the_answer_to_the_act(hears: Shop, round_: int) -> None:
    """Whichever comes first, it ends well: the callback waits for the answer, or settles what the answer left accepted."""
    run = hears.accept(draft("rent", operation="send"))
    attempt, effect = claimed(), hears.effect(run, "rent")
    answers(
        at_once(
            lambda: tell(message(effect.pk)), lambda: settle(attempt, "accepted", to="accepted", delay=30, http=202)
        )
    )
    with clock.at(5), crossing_tenants():
        clock_steps.sweep()
    assert (hears.states(run), states()) == ({"rent": "succeeded"}, ["applied"])


def test_two_clocks_and_the_door_apply_a_message_once(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    attempt, effect = claimed(), hears.effect(run, "rent")
    tell(message(effect.pk))
    settle(attempt, "accepted", to="accepted", delay=30, http=202)

    def step() -> int:
        with inside():
            return applying.apply_due(clock_steps.CLOCK, 10)

    with clock.at(5):
        found = answers(at_once(step, step, lambda: tell(message(effect.pk), at=5)))
    assert sum(each for each in found if isinstance(each, int)) == 1
    assert sorted(states()) in (["applied", "late"], ["applied", "applied"])
    assert settlements(run).count("callback.applied") == 1
