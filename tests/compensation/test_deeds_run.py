"""What people do by hand in runs that close: the run is kept from its end by what is required, and ends with the last of it (R-J1)."""

from uuid import UUID

import pytest

from compensation.models import WorkItem
from console.exact import decode
from tests.cancels import cancel
from tests.compensation.byhand import added, confirm, resolve, retry, stored, tick, waive
from tests.compensation.undoing import WHY, answer, done, item_of, items_of
from tests.shop import Shop
from tests.work import claim, claimed, settle, sweep


def failing(shop: Shop, *operations: str) -> UUID:
    """Have a run that was cancelled, and whose first compensation is refused."""
    run = done(shop, *operations)
    cancel(shop, run, reason=WHY)
    sweep()
    settle(claimed(), "rejected", reason="The hotel has closed.")
    sweep()
    return run


def ended(shop: Shop, run: UUID) -> tuple[str, str]:
    """Give how the run stands, and how its compensation does."""
    return shop.state(run), shop.run(run).compensation


def test_a_cancelled_run_ends_when_its_last_item_is_resolved_by_hand_and_names_what_is_left(store: Shop) -> None:
    """CMP-01: what could not be made good for by itself keeps the run from its end until a person has seen to it."""
    run = failing(store, "reserve")
    item = item_of(run, "reserve")
    assert (item.state in {"failed", "escalated"}, ended(store, run)) == (True, ("closing", "open"))
    resolve(store, item, left=["The hotel keeps 3 EUR."])
    assert ended(store, run) == ("cancelled", "over")
    assert decode(store.run(run).residue.encode()) == ["The hotel keeps 3 EUR."]


def test_what_was_let_be_is_named_too_and_what_waited_for_it_goes_on(store: Shop) -> None:
    run = failing(store, "reserve", "charge")
    assert item_of(run, "charge").waits_for == "order"
    waive(store, item_of(run, "reserve"))
    assert ended(store, run) == ("closing", "open")
    answer(claim())
    sweep()
    assert (item_of(run, "charge").state, ended(store, run)) == ("done", ("cancelled", "over"))
    residue = decode(store.run(run).residue.encode())
    assert "Waived: " in str(residue)


def test_what_takes_two_ends_the_run_with_the_second_word(store: Shop) -> None:
    run = failing(store, "charge")
    said = waive(store, item_of(run, "charge"))
    assert ended(store, run) == ("closing", "open")
    confirm(store, said)
    assert ended(store, run) == ("cancelled", "over")


def test_an_item_added_by_hand_keeps_it_from_its_end_as_well(store: Shop) -> None:
    run = failing(store, "reserve")
    extra = added(store, run, checklist=["Call."])
    retry(store, item_of(run, "reserve"))
    answer(claim())
    sweep()
    assert ended(store, run) == ("closing", "open")
    tick(store, extra, 0)
    resolve(store, extra)
    assert ended(store, run) == ("cancelled", "over")


@pytest.mark.parametrize("before", ["due", "over"])
def test_an_item_added_before_planning_or_after_the_end_takes_nothing_from_either(store: Shop, before: str) -> None:
    run = done(store, "reserve")
    cancel(store, run, reason=WHY)
    if before == "over":
        sweep()
        answer(claim())
        sweep()
    extra = added(store, run)
    assert store.run(run).compensation == ("open" if before == "over" else "due")
    sweep()
    answer(claim())
    sweep()
    assert [_of(item) for item in items_of(run)] == (
        [("reserve", "done"), ("", "waiting")] if before == "over" else [("", "waiting"), ("reserve", "done")]
    )
    resolve(store, extra)
    assert (stored(extra).state, ended(store, run)) == ("resolved", ("cancelled", "over"))


def _of(item: WorkItem) -> tuple[str, str]:
    return item.effect.key if item.effect else "", item.state
