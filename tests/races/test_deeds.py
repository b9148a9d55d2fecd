"""Two who press at once, and somebody who ends by hand what an answer settles: one of them counts, the other is told (R-A6, R-J2)."""

from functools import partial
from typing import Any

import pytest

from runs.models import Effect
from tests.cast import inside
from tests.compensation.byhand import (
    added,
    approve,
    confirm,
    decline,
    endings_of,
    resolve,
    retry,
    stored,
    turn_down,
    waive,
)
from tests.compensation.undoing import answer, done, item_of, plans_of, with_undoing
from tests.compensation.working import plan
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop
from tests.work import claim, claimed, settle, sweep

ROUNDS = 4


@pytest.fixture
def store(shop: Shop) -> Shop:
    """The shop, with what can be made good for."""
    return with_undoing(shop)


def tries(item: Any) -> int:
    """Count the effects that make good for what an item is about."""
    with inside():
        return Effect.objects.filter(compensates=item.effect_id).count()


def test_two_resolve_and_waive_one_item(store: Shop) -> None:
    for _ in range(ROUNDS):
        item = added(store, done(store, "reserve"))
        became = at_once(partial(resolve, store, item), partial(waive, store, item, "dora"))
        assert refusals(became) == ["item_over"]
        assert [each["stands"] for each in answers(became)] == ["in_force"]
        assert [each.state for each in endings_of(item)] == ["in_force"]


def test_one_confirms_what_another_declines(store: Shop) -> None:
    store.change("amir", roles=["operator"])
    for _ in range(ROUNDS):
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item)
        became = at_once(partial(confirm, store, said), partial(decline, store, said, "amir"))
        assert refusals(became) == ["ending_decided"]
        (ending,) = endings_of(item)
        assert stored(item).state == ("resolved" if ending.state == "in_force" else "waiting")


def test_two_try_one_item_again(store: Shop) -> None:
    for _ in range(ROUNDS):
        run = done(store, "reserve")
        plan(store, run, "reserve")
        settle(claimed(), "rejected")
        sweep()
        item = item_of(run, "reserve")
        became = at_once(partial(retry, store, item), partial(retry, store, item, "dora"))
        assert refusals(became) == ["nothing_to_retry"]
        assert (tries(item), stored(item).tries) == (2, 2)
        answer(claim())
        sweep()


def test_the_same_press_twice_is_one_item(store: Shop) -> None:
    for _ in range(ROUNDS):
        run = done(store, "reserve")
        add = partial(added, store, run, key=f"press-{run}")
        first, second = at_once(add, add)
        assert first.pk == second.pk
        assert len(plans_of(run)) == 1


def test_somebody_ends_by_hand_what_a_worker_begins(store: Shop) -> None:
    """Either the effect is taken back and never sent, or it is under way and the item stays with it."""
    for _ in range(ROUNDS):
        run = done(store, "reserve")
        (item,) = plan(store, run, "reserve")
        ended, begun = at_once(partial(resolve, store, item), claim)
        assert not isinstance(begun, Exception), begun
        if refusals([ended]):
            assert (ended.code, len(begun), endings_of(item)) == ("item_at_work", 1, [])
            answer(begun)
            sweep()
            assert stored(item).state == "done"
        else:
            assert (begun, stored(item).state) == ([], "resolved")


def test_two_decide_a_plan(store: Shop) -> None:
    for _ in range(ROUNDS):
        run = done(store, "reserve")
        plan(store, run, "reserve", state="proposed")
        (waits,) = plans_of(run)
        became = at_once(partial(approve, store, waits), partial(turn_down, store, waits, "dora"))
        assert refusals(became) == ["plan_decided"]
        said = {"plan.approved", "plan.declined"} & set(kinds(f"plan:{waits.pk}"))
        assert len(said) == 1
        answer(claim())
        sweep()
