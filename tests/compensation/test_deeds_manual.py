"""Work items that people add by hand: to any run, with instructions and a checklist that is ticked off first (R-J2)."""

from typing import Any

import pytest

from compensation.checklists import points
from compensation.deeds.checklist import ChecklistOpen, NoSuchPoint
from compensation.deeds.standing import ItemOver
from compensation.deeds.wanted import BadItem
from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound
from runs.unknowns.standing import NotAnOperator
from tests.compensation.byhand import added, resolve, stored, tick, waive
from tests.compensation.undoing import done, plans_of
from tests.record import kinds
from tests.shop import Shop

POINTS = ["Call.", "Write down what was said."]


@pytest.mark.parametrize("ended", [False, True])
def test_somebody_adds_one_to_a_run_that_goes_on_or_ended(store: Shop, ended: bool) -> None:
    run = done(store, "reserve")
    if ended:
        store.complete(run)
    item = added(store, run, instructions="Ask for Ms Sato.", checklist=POINTS, deadline_seconds=3600)
    (plan,) = plans_of(run)
    assert (plan.cause, plan.state, plan.reason) == ("by_hand", "in_force", "It has to be done today.")
    assert (item.kind, item.state, item.waits_for, item.need, item.number) == (
        "manual",
        "waiting",
        "person",
        "required",
        1,
    )
    assert item.deadline_at is not None
    assert [point["text"] for point in points(item.checklist)] == POINTS
    assert kinds(f"plan:{plan.pk}")[:2] == ["plan.made", "item.planned"]
    assert store.run(run).compensation == "open"
    assert store.state(run) == ("succeeded" if ended else "running"), "an item opens no run again"


def test_one_that_is_only_allowed_keeps_nothing_open(store: Shop) -> None:
    run = done(store, "reserve")
    item = added(store, run, need="allowed")
    assert (store.run(run).compensation, item.state) == ("over", "waiting")
    assert "Call the hotel" in store.run(run).residue
    resolve(store, item)
    assert "Call the hotel" not in store.run(run).residue


def test_one_comes_after_others_of_its_run_only(store: Shop) -> None:
    run = done(store, "reserve")
    first = added(store, run)
    then = added(store, run, after=[first.pk])
    assert (then.number, then.state, then.waits_for, then.after) == (2, "waiting", "order", [first.pk])
    with pytest.raises(BadItem):
        added(store, done(store, "reserve"), after=[first.pk])
    resolve(store, first)
    assert (stored(then).state, stored(then).waits_for) == ("waiting", "person"), "its turn has come"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("summary", " "), ("summary", "x" * 501), ("instructions", "x" * 10_001), ("checklist", ["x"] * 51), ("checklist", ["x" * 501]),
        ("need", "perhaps"), ("deadline_seconds", 0), ("deadline_seconds", 367 * 86_400), ("owner_group", "astronauts"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_nothing_is_added(store: Shop, part: str, value: Any) -> None:
    run = done(store, "reserve")
    with pytest.raises(BadItem) as refused:
        added(store, run, **{part: value})
    assert (refused.value.facts["path"], plans_of(run)) == (f"/{part}", [])


def test_only_who_operates_adds_one_and_says_why(store: Shop, rival: Shop) -> None:
    run = done(store, "reserve")
    with pytest.raises(NotAnOperator):
        added(store, run, by="ann")
    with pytest.raises(NotFound):
        added(rival, run)
    with pytest.raises(ReasonMissing):
        added(store, run, reason="")
    assert plans_of(run) == []


def test_the_same_key_adds_one_item(store: Shop) -> None:
    run = done(store, "reserve")
    assert added(store, run, key="k-1").pk == added(store, run, key="k-1").pk
    assert len(plans_of(run)) == 1


def test_who_ticked_a_point_off_is_kept_and_it_can_be_opened_again(store: Shop) -> None:
    item = added(store, done(store, "reserve"), checklist=POINTS)
    (receipt,) = tick(store, item, 1)
    assert receipt["open"] == ["Call."]
    (first, second) = points(stored(item).checklist)
    assert (first["done_by"], second["done_by"]) == (None, str(store.members["oscar"].pk))
    assert second["done_at"] is not None
    tick(store, item, 1, by="dora")
    assert points(stored(item).checklist)[1] == second, "who ticked it off first stays named"
    tick(store, item, 1, done=False)
    assert points(stored(item).checklist)[1] == {"text": POINTS[1], "done_by": None, "done_at": None}
    for place in (2, -1):
        with pytest.raises(NoSuchPoint):
            tick(store, item, place)


def test_it_is_resolved_only_when_its_checklist_is_done(store: Shop) -> None:
    item = added(store, done(store, "reserve"), checklist=POINTS)
    tick(store, item, 0)
    with pytest.raises(ChecklistOpen) as refused:
        resolve(store, item)
    assert refused.value.facts["open"] == ["Write down what was said."]
    tick(store, item, 1)
    resolve(store, item)
    assert stored(item).state == "resolved"
    with pytest.raises(ItemOver):
        tick(store, item, 0, done=False)


def test_it_may_be_waived_with_its_checklist_open(store: Shop) -> None:
    item = added(store, done(store, "reserve"), checklist=POINTS)
    waive(store, item)
    assert stored(item).state == "waived"


def test_what_came_after_another_item_does_not_say_so_any_more_once_that_is_over(store: Shop) -> None:
    run = done(store, "pay")
    first = added(store, run)
    second = added(store, run, summary="Call the guest", after=[first.pk])
    assert "comes first" in stored(second).state_reason
    waive(store, first)
    after = stored(second)
    assert (after.state, after.waits_for, after.state_reason) == ("waiting", "person", "")
