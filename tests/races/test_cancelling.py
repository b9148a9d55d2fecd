"""Cancelling and everything else at once: what was cancelled is never begun afterwards, and every child is told once (R-I3)."""

from functools import partial
from typing import Any

from tests.cancels import cancel, cancel_effect, of_run, started, states
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, follow, settle, sweep

CASES = 100


def test_can_05_approving_and_cancelling_at_once_a_hundred_times(shop: Shop) -> None:
    seen = set()
    for number in range(CASES):
        run = shop.accept(draft("dear", "250"))
        request = shop.request(run, "dear")
        approve, call_off = partial(shop.approve, request), partial(cancel, shop, run)
        became = at_once(approve, call_off) if number % 2 else at_once(call_off, approve)[::-1]
        refused = refusals(became)
        seen.add(tuple(refused))
        assert refused in ([], ["withdrawn"]), refused
        assert became[1]["state"] == "cancelled"
        follow()
        assert claim() == []
        assert (shop.state(run), shop.states(run)) == ("cancelled", {"dear": "withdrawn"})
        assert shop.request(run, "dear").state == "withdrawn"
        assert shop.attempts(run, "dear") == []
    assert seen <= {(), ("withdrawn",)}


def test_a_claim_and_cancelling_at_once(shop: Shop) -> None:
    for _ in range(25):
        run = shop.accept(draft("a"))
        rows, receipt = answers(at_once(claim, partial(cancel, shop, run)))
        if rows:
            assert (receipt["state"], shop.states(run)) == ("closing", {"a": "dispatched"})
            settle(rows, "rejected", http=422)
        else:
            assert (receipt["state"], shop.states(run)) == ("cancelled", {"a": "withdrawn"})
        assert (shop.state(run), states(run)) == ("cancelled", ["proven"])
        assert claim() == []


def test_an_answer_and_cancelling_at_once(shop: Shop) -> None:
    for _ in range(25):
        run = shop.accept(draft("a"))
        row = claimed()
        answers(at_once(partial(settle, row, "succeeded"), partial(cancel, shop, run)))
        assert (shop.state(run), shop.states(run), states(run)) == ("cancelled", {"a": "succeeded"}, ["proven"])
        assert kinds(f"run:{run}").count("run.ended") == 1


def test_completing_and_cancelling_at_once_end_it_one_way(shop: Shop) -> None:
    for _ in range(25):
        run = shop.accept()
        became = at_once(partial(shop.complete, run), partial(cancel, shop, run))
        refused = refusals(became)
        assert refused == ["run_ended"]
        assert shop.state(run) == ("cancelled" if isinstance(became[0], Exception) else "succeeded")


def test_the_same_wish_twice_at_once_is_one(shop: Shop) -> None:
    for _ in range(10):
        run = shop.accept(draft("a"))
        row = claimed()
        first, second = answers(at_once(partial(cancel, shop, run), partial(cancel, shop, run, "dora")))
        assert first["cancellation"] == second["cancellation"]
        settle(row, "rejected", http=422)
        assert states(run) == ["proven"]


def test_an_answer_and_cancelling_its_effect_at_once(shop: Shop) -> None:
    for _ in range(15):
        run = shop.accept(draft("a"))
        row, effect = claimed(), shop.effect(run, "a")
        became = at_once(partial(settle, row, "overload", http=503, delay=0), partial(cancel_effect, shop, effect))
        assert refusals(became) == []
        assert (shop.states(run), states(run), claim()) == ({"a": "withdrawn"}, ["proven"], [])


def test_a_child_that_ends_and_its_parent_that_is_cancelled_at_once(shop: Shop) -> None:
    """However they meet, the parent is not kept waiting for a child that is over."""
    for _ in range(20):
        parent = shop.accept(draft("dear", "250"))
        child = started(shop, parent, draft("a"))
        row = claimed()
        answers(at_once(partial(settle, row, "rejected", http=422), partial(cancel, shop, parent)))
        sweep()
        assert shop.state(child) in {"cancelled", "failed"}
        assert (shop.state(parent), states(parent)) == ("cancelled", ["proven"])


def test_two_who_cancel_a_tree_at_once_tell_each_child_once(shop: Shop) -> None:
    for _ in range(8):
        parent = shop.accept(draft("dear", "250"))
        children = [started(shop, parent) for _ in range(3)]
        calls: list[Any] = [partial(cancel, shop, parent), partial(cancel, shop, parent, "dora"), sweep]
        answers(at_once(*calls))
        sweep()
        assert [shop.state(run) for run in (parent, *children)] == ["cancelled"] * 4
        assert [len(of_run(run)) for run in children] == [1, 1, 1]
        assert [kinds(f"run:{run}").count("cancellation.requested") for run in children] == [1, 1, 1]
