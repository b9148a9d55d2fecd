"""What is being cancelled and is not proven yet, over all runs, on one page: an operator finds what still keeps it (R-I3, CAN-06)."""

from django.db import connections
from django.test.utils import CaptureQueriesContext

from tests.cancels import cancel, cancel_effect, started, with_stops
from tests.cast import signed_in
from tests.pages.browsing import text
from tests.shop import Shop, draft, one_role, rival, shop
from tests.work import claimed, settle, sweep

__all__ = ["one_role", "rival", "shop"]


def read(of: Shop, address: str = "/cancellations", name: str = "oscar") -> str:
    """Read the page as its words."""
    answer = signed_in(of.members[name]).get(address)
    assert answer.status_code == 200, answer.status_code
    return text(answer)


def test_nothing_is_being_cancelled_to_begin_with(shop: Shop) -> None:
    assert "Nothing is being cancelled." in read(shop)
    assert "Being cancelled" in read(shop, "/runs")


def test_each_says_what_it_waits_for_until_it_is_proven(shop: Shop) -> None:
    parent = shop.accept(goal="The whole order")
    child = started(shop, parent, draft("a"), goal="A part of it")
    row = claimed()
    cancel(shop, parent, reason="Nobody wants it.")
    page = read(shop)
    assert "2 not proven yet." in page
    assert "The whole order" in page
    assert "The run with all that it started, in order Nobody wants it. 1 run that it started" in page
    assert "because the run that started it is 1 effect in flight" in page
    assert "Oscar Wren" in page
    settle(row, "unknown", http=None, delay=0, step="status")
    assert "1 effect not confirmed" in read(shop)
    settle(claimed(), "rejected")
    sweep()
    assert (shop.state(child), shop.state(parent)) == ("cancelled", "cancelled")
    assert "Nothing is being cancelled." in read(shop)


def test_a_drivers_time_and_its_clean_up_are_named_and_a_single_effect_too(shop: Shop) -> None:
    with_stops(shop)
    tidy, other = shop.accept(run_type="tidy"), shop.accept(draft("a"))
    claimed()
    cancel(shop, tidy)
    shop.propose(tidy, draft("back", "250", cleanup=True))
    cancel_effect(shop, shop.effect(other, "a"))
    page = read(shop)
    assert "1 effect of clean-up, its driver, which may clean up until" in page
    assert "Effect 1, " in page


def test_it_asks_as_much_of_the_database_for_many_as_for_one(shop: Shop) -> None:
    asked = []
    for more in (1, 5):
        for number in range(more):
            run = shop.accept(draft(f"a{more}{number}"))
            claimed()
            cancel(shop, run)
        with CaptureQueriesContext(connections["default"]) as found:
            read(shop)
        asked.append(len(found))
    assert asked[0] == asked[1]


def test_another_tenants_are_not_shown(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("a"), goal="Ours alone")
    claimed()
    cancel(shop, run)
    assert "Ours alone" not in read(rival, name=next(iter(rival.members)))
