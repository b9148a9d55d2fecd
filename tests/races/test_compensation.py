"""People, agents, answers and the clock at once, about what is to be made good for: it is made good for once, and ended one way (R-J2)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from compensation.models import WorkItem
from console.http.refusals import Refusal
from tests.cancels import cancel
from tests.compensation import byhand
from tests.compensation.test_asking import ask
from tests.compensation.undoing import done, items_of, plans_of, with_undoing
from tests.races.at_once import REPEATED, answers, at_once, refusals
from tests.record import kinds, told
from tests.shop import Shop, draft
from tests.work import WORKER, claim, claimed, end_leases, settle, sweep

ROUNDS = 8


@pytest.fixture
def store(shop: Shop) -> Shop:
    """The shop, with what can be made good for."""
    return with_undoing(shop)


def test_cmp_03_two_people_and_an_agent_ask_at_once_and_it_is_called_for_once(store: Shop) -> None:
    for _ in range(REPEATED):
        run = done(store, "reserve")
        became = at_once(*[partial(ask, store, run, "reserve", by=by) for by in ("oscar", "dora", store.bot)])
        assert refusals(became) == ["already_compensated"] * 2
        (receipt,) = answers(became)
        (item,) = items_of(run)
        assert {each.facts["item"] for each in became if isinstance(each, Exception)} == {str(item.pk)}  # type: ignore[attr-defined]
        assert receipt["items"][0]["item"] == str(item.pk)
        calls = claim()
        assert [row["effect_id"] for row in calls] == [item.acting_id], "one call of the other side"
        settle(calls, result={"receipt": "r-back"})
        sweep()
        assert claim() == []
        assert [each.state for each in items_of(run)] == ["done"]


def test_two_ask_for_different_effects_that_wait_for_each_other(store: Shop) -> None:
    """Whoever is quicker, what comes first by contract comes first."""
    for _ in range(ROUNDS):
        run = done(store, "reserve", "charge")
        became = at_once(*[partial(ask, store, run, each) for each in ("reserve", "charge")])
        assert refusals(became) == []
        assert sorted(each.number for each in items_of(run)) == [1, 2]
        assert {plan.number for plan in plans_of(run)} == {1, 2}


def test_asking_and_the_run_that_closes(store: Shop) -> None:
    """What somebody asked for is not planned again because the run is cancelled, and what is planned already is named."""
    for _ in range(ROUNDS):
        run = done(store, "reserve", "charge")
        became = at_once(partial(ask, store, run, "reserve"), partial(cancel, store, run))
        assert refusals(became) == []
        sweep()
        assert sorted(each.effect.key for each in items_of(run) if each.effect) == ["charge", "reserve"]
        assert store.state(run) == "closing"


def test_two_clocks_plan_once(store: Shop) -> None:
    for _ in range(ROUNDS):
        runs = [done(store, "reserve", "book") for _ in range(3)]
        for run in runs:
            cancel(store, run)
        at_once(sweep, sweep)
        sweep()
        for run in runs:
            assert len(plans_of(run)) == 1
            assert len(items_of(run)) == len({each.acting_id for each in items_of(run)}) == 2
            stood = [said["to"] for kind, said in told(f"run:{run}") if kind == "run.compensating"]
            assert stood == ["due", "open"]


@pytest.mark.parametrize("outcome", ["succeeded", "rejected"])
def test_what_may_have_happened_is_found_out_while_it_is_planned(store: Shop, outcome: str) -> None:
    """It is made good for if it happened, and dropped if it did not, whichever is written down first."""
    for _ in range(ROUNDS):
        run = store.accept(draft("reserve", "20", "reserve"))
        settle(claimed(), "unknown", http=None, delay=0)
        cancel(store, run)
        look = claimed()
        answers(at_once(sweep, partial(settle, look, outcome, result={"receipt": "r-reserve"})))
        sweep()
        sweep()
        if outcome == "succeeded":
            (item,) = items_of(run)
            assert (item.state, item.acting is not None, store.state(run)) == ("running", True, "closing")
            settle(claim(), result={"receipt": "r-back"})
        else:
            assert [each.state for each in items_of(run)] in ([], ["dropped"])
            assert store.state(run) == "cancelled"


def test_cancelling_again_while_it_compensates_changes_nothing(store: Shop) -> None:
    """CMP-05"""
    for _ in range(ROUNDS):
        run = done(store, "reserve")
        first = cancel(store, run)
        sweep()
        calls = claim()
        became = at_once(partial(settle, calls, result={"receipt": "r-back"}), partial(cancel, store, run))
        assert not isinstance(became[0], Exception), became[0]
        assert set(refusals(became[1:])) <= {"run_ended"}
        assert all(each["cancellation"] == first["cancellation"] for each in answers(became[1:]))
        sweep()
        assert (store.state(run), [each.state for each in items_of(run)]) == ("cancelled", ["done"])
        assert kinds(f"run:{run}").count("run.ended") == 1


def failed(store: Shop) -> WorkItem:
    """Have a work item whose compensation was refused."""
    run = done(store, "charge")
    cancel(store, run)
    sweep()
    settle(claim(), "rejected", http=422, reason="The account is closed.")
    sweep()
    (item,) = items_of(run)
    assert item.state == "escalated"
    return item


def test_waiving_and_trying_again_end_one_way(store: Shop) -> None:
    """What waits to be let be is not tried again; and what is tried again after all is done, and nobody confirms that it is let be."""
    seen = set()
    for _ in range(ROUNDS):
        item = failed(store)
        waived, retried = at_once(partial(byhand.waive, store, item), partial(byhand.retry, store, item))
        refused = refusals([waived, retried])
        seen.add(tuple(refused))
        settle_all()
        sweep()
        (ending,) = byhand.endings_of(item)
        if refused:
            assert (byhand.stored(item).state, ending.state) == ("escalated", "proposed")
        else:
            assert (byhand.stored(item).state, ending.state) == ("done", "overtaken")
            assert refusals([attempt(partial(byhand.confirm, store, waived))]) == ["ending_decided"]
    assert seen <= {(), ("ending_waits",)}


def test_resolving_and_a_success_that_comes_in(store: Shop) -> None:
    """Nobody says how it ended while it is being done; and what was done is not asked of people any more."""
    for _ in range(ROUNDS):
        item = failed(store)
        byhand.retry(store, item)
        calls = claim()
        became = at_once(partial(settle, calls, result={"receipt": "r-back"}), partial(byhand.resolve, store, item))
        assert not isinstance(became[0], Exception), became[0]
        assert refusals(became) in (["item_at_work"], ["item_over"])
        sweep()
        assert (byhand.stored(item).state, byhand.endings_of(item)) == ("done", [])
        assert store.state(item.run_id) == "cancelled"


def test_confirming_and_declining(store: Shop) -> None:
    for _ in range(ROUNDS):
        item = failed(store)
        said = byhand.resolve(store, item)
        became = at_once(partial(byhand.confirm, store, said), partial(byhand.decline, store, said))
        assert refusals(became) in (["ending_decided"], ["item_over"])
        (ending,) = byhand.endings_of(item)
        stands = (ending.state, byhand.stored(item).state, store.state(item.run_id))
        assert stands in {("in_force", "resolved", "cancelled"), ("declined", "escalated", "closing")}


def test_confirming_and_trying_again(store: Shop) -> None:
    for _ in range(ROUNDS):
        item = failed(store)
        said = byhand.resolve(store, item)
        became = at_once(partial(byhand.confirm, store, said), partial(byhand.retry, store, item))
        assert refusals(became) in (["ending_waits"], ["item_over"])
        assert (byhand.stored(item).state, store.state(item.run_id)) == ("resolved", "cancelled")
        assert claim() == []


def test_two_press_try_again(store: Shop) -> None:
    for _ in range(ROUNDS):
        item = failed(store)
        became = at_once(*[partial(byhand.retry, store, item, by) for by in ("oscar", "dora")])
        assert refusals(became) in (["item_at_work"], ["nothing_to_retry"])
        assert (byhand.stored(item).tries, len(claim())) == (2, 1)
        settle_all()


def settle_all() -> None:
    """Have nothing left to do for the next round."""
    end_leases(WORKER)
    while rows := claim():
        settle(rows, result={"receipt": "r-back"})


def attempt(act: Callable[[], Any]) -> Any:
    """Give what it gives, or the refusal."""
    try:
        return act()
    except Refusal as refused:
        return refused
