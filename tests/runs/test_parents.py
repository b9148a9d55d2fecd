"""Runs below runs: made by whoever drives the parent, with the parent's token; both records say so."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from console.http.refusals import KeyReused, MissingToken, StaleToken
from runs import intake
from runs.drafts import Accepted
from runs.driver import RunEnded
from runs.ownership.acquiring import acquire
from runs.parents import DEEPEST, TooManyGenerations, UnknownParent
from tests import clock
from tests.record import kinds, told
from tests.shop import Shop, draft


def below(shop: Shop, parent: UUID, *, epoch: int | None = 1, **fields: Any) -> UUID:
    return shop.accept(draft("a"), parent=parent, parent_epoch=epoch, **fields)


def test_a_run_below_another_is_recorded_in_both(shop: Shop) -> None:
    parent = shop.accept()
    child = shop.run(below(shop, parent))
    assert child.parent_id == parent
    assert kinds(f"run:{parent}") == ["run.accepted", "child.accepted"]
    assert told(f"run:{parent}")[-1][1]["child"] == str(child.pk)
    assert told(child.stream())[0][1]["parent"] == str(parent)


def test_a_child_ends_no_later_than_its_parent(shop: Shop) -> None:
    parent = shop.accept(deadline_seconds=600)
    sooner, later = below(shop, parent, deadline_seconds=60), below(shop, parent, deadline_seconds=6000)
    ends = shop.run(parent).deadline_at
    assert ends is not None
    assert shop.run(later).deadline_at == ends
    assert shop.run(sooner).deadline_at != ends


def test_only_the_parents_driver_makes_children(shop: Shop, rival: Shop) -> None:
    parent = shop.accept()
    with pytest.raises(MissingToken):
        below(shop, parent, epoch=None)
    with pytest.raises(StaleToken):
        below(shop, parent, epoch=2)
    with pytest.raises(UnknownParent):
        below(rival, parent)
    with pytest.raises(UnknownParent):
        below(shop, uuid4())
    assert kinds(f"run:{parent}") == ["run.accepted"]


def test_a_driver_that_lost_the_parent_makes_no_more_children_of_it(shop: Shop) -> None:
    parent = shop.accept()
    with clock.at(61):
        acquire(shop.bot, parent, holder="second", key="take")
        with pytest.raises(StaleToken):
            below(shop, parent)


def test_what_has_ended_has_no_more_children(shop: Shop) -> None:
    parent = shop.accept()
    shop.fail(parent)
    with pytest.raises(RunEnded):
        below(shop, parent)


def test_the_same_key_finds_the_child_again_even_after_the_parent_changed_hands(shop: Shop) -> None:
    parent = shop.accept()
    child = below(shop, parent, key="child")
    with clock.at(61):
        acquire(shop.bot, parent, holder="second", key="take")
        assert below(shop, parent, key="child") == child


def test_another_parent_is_another_intent(shop: Shop) -> None:
    parent, other = shop.accept(), shop.accept()
    below(shop, parent, key="child")
    for elsewhere in (other, None):
        with pytest.raises(KeyReused):
            shop.accept(draft("a"), key="child", parent=elsewhere, parent_epoch=1)


def test_runs_stand_below_each_other_so_deep_and_no_deeper(shop: Shop) -> None:
    run = shop.accept()
    for _ in range(DEEPEST - 1):
        run = below(shop, run)
    with pytest.raises(TooManyGenerations):
        below(shop, run)


def test_of_many_at_once_each_is_judged_on_its_own(shop: Shop) -> None:
    parent = shop.accept()
    drafts = [
        shop.draft(draft("a"), key="good", parent=parent, parent_epoch=1),
        shop.draft(draft("a"), key="stale", parent=parent, parent_epoch=9),
        shop.draft(draft("a"), key="alone"),
    ]
    answers = intake.accept_each(shop.bot, drafts)
    assert [type(answer) for answer in answers] == [Accepted, StaleToken, Accepted]
    assert kinds(f"run:{parent}") == ["run.accepted", "child.accepted"]
