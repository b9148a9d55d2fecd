"""An agent calls off nothing that makes good for what it did, and puts nothing in its place: people see to that (R-J2)."""

import pytest

from runs.compensating.guarding import MakesGood
from tests.cancels import cancel_effect
from tests.compensation.byhand import retry
from tests.compensation.undoing import done, item_of
from tests.compensation.working import acting, plan, stood
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep


def test_an_agent_neither_withdraws_nor_cancels_what_makes_good_for_an_effect(store: Shop) -> None:
    run = done(store, "reserve")
    plan(store, run, "reserve")
    effect = acting(run, "reserve")
    with pytest.raises(MakesGood):
        store.withdraw(run, effect.key)
    with pytest.raises(MakesGood):
        cancel_effect(store, effect, store.bot, epoch=1)
    assert stood(run) == {"reserve": ("running", "")}


def test_an_agent_puts_nothing_in_its_place_so_that_people_may_try_it_again(store: Shop) -> None:
    run = done(store, "reserve")
    plan(store, run, "reserve")
    settle(claimed(), "rejected")
    sweep()
    with pytest.raises(MakesGood):
        store.propose(run, draft("mine", operation="pay", supersedes=acting(run, "reserve").pk))
    assert retry(store, item_of(run, "reserve"))["tries"] == 2


def test_an_operator_may_call_it_off_and_then_somebody_has_to_see_to_the_item(store: Shop) -> None:
    run = done(store, "reserve")
    plan(store, run, "reserve")
    cancel_effect(store, acting(run, "reserve"), "oscar")
    sweep()
    assert stood(run) == {"reserve": ("escalated", "")}
