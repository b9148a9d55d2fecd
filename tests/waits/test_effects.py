"""Effects and waits: effects that stand back until something comes, and runs that wait until effects have ended."""

import pytest

from runs.driver import RunWaits
from runs.proposals import UnknownWait, WaitedInVain
from runs.waits.conditions import BadWait
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.pending import open_wait, signal, take_back, timer, wait, waits
from tests.permits import AGREED, begin, report, with_permits
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep


def test_an_effect_stands_back_until_its_wait_is_met(shop: Shop) -> None:
    run = shop.accept()
    receipt = open_wait(shop, run, timer(60, name="hour", parks=False))
    assert receipt["run_state"] == "running"
    shop.propose(run, draft("now"), draft("then", after_waits=["hour"]))
    assert shop.states(run) == {"now": "ready", "then": "blocked"}
    assert claimed()["key"] == "now"
    with clock.at(61):
        sweep()
        assert shop.states(run)["then"] == "ready"
        assert "then" in [row["key"] for row in claim()]
    assert (
        kinds(f"run:{run}")[4:]
        == ["attempt.dispatched", "attempt.lost", "wait.met", "effect.unblocked"] + ["attempt.dispatched"] * 2
    )


def test_it_stands_back_for_all_of_them_and_for_what_comes_before_it(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="one", parks=False), timer(90, name="two", parks=False))
    shop.propose(run, draft("first"), draft("last", after=["first"], after_waits=["one", "two"]))
    with clock.at(61):
        sweep()
        settle(claimed())
        assert shop.states(run)["last"] == "blocked"
    with clock.at(91):
        sweep()
    assert shop.states(run)["last"] == "ready"


def test_a_wait_is_named_by_its_id_too_and_one_that_was_met_holds_nothing_back(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(0, name="gone", parks=False))
    shop.propose(run, draft("a", after_waits=[str(wait(run, "gone").pk)]))
    assert shop.states(run) == {"a": "ready"}
    assert shop.effect(run, "a").after_waits == [wait(run, "gone").pk]


def test_what_a_policy_asks_about_is_asked_when_its_turn_has_come(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour", parks=False))
    shop.propose(run, draft("dear", "250", after_waits=["hour"]))
    with clock.at(61):
        sweep()
    assert shop.states(run) == {"dear": "awaiting_approval"}


def test_what_waits_in_vain_is_not_done(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour", parks=False), signal(parks=False, expires_seconds=30, on_expiry="wake"))
    shop.propose(
        run,
        draft("timed", after_waits=["hour"]),
        draft("paid", after_waits=[f"signal-{2}"]),
        draft("next", after=["paid"]),
    )
    take_back(shop, run, "hour")
    assert shop.states(run) == {"timed": "withdrawn", "paid": "blocked", "next": "blocked"}
    with clock.at(31):
        assert sweep() == {"waits expired": 1}
    assert set(shop.states(run).values()) == {"withdrawn"}
    with pytest.raises(WaitedInVain):
        shop.propose(run, draft("too late", after_waits=["hour"]))


def test_a_wait_of_another_run_holds_nothing_back(shop: Shop) -> None:
    ours, other = shop.accept(), shop.accept()
    open_wait(shop, other, timer(60, name="theirs", parks=False))
    for name in ("theirs", str(wait(other, "theirs").pk), "none"):
        with pytest.raises(UnknownWait):
            shop.propose(ours, draft("a", after_waits=[name]))


def test_a_key_stands_for_what_it_waits_for_too_and_only_where_that_was_sent(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour", parks=False))
    shop.propose(run, draft("a", after_waits=["hour"]))
    assert shop.propose(run, draft("a", after_waits=["hour"])) == [shop.effect(run, "a").pk]
    with pytest.raises(Exception, match="key") as refused:
        shop.propose(run, draft("a"))
    assert getattr(refused.value, "code", "") == "key_reused"
    assert "after_waits" not in draft("a").intent(), "so that keys that were accepted before are the same"


def test_a_run_waits_until_effects_have_ended_and_goes_on_at_once(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"))
    wanted = [str(shop.effect(run, key).pk) for key in "ab"]
    open_wait(shop, run, WaitDraft("effects", {"effects": wanted}, name="both"))
    first, second = claim()
    settle(first)
    assert shop.state(run) == "waiting"
    settle(second, "unknown", delay=0)
    assert shop.state(run) == "waiting", "what is unknown has not ended"
    settle(claimed(), "succeeded")
    assert (shop.state(run), waits(run)) == ("running", {"both": "met"})
    assert kinds(f"run:{run}")[-2:] == ["attempt.settled", "wait.met"]


def test_any_of_them_is_enough_where_that_is_asked_and_a_failure_is_an_end(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"))
    wanted = [str(shop.effect(run, key).pk) for key in "ab"]
    open_wait(shop, run, WaitDraft("effects", {"effects": wanted, "mode": "any"}, name="one"))
    settle(claim()[0], "rejected")
    met = wait(run, "one")
    assert (shop.state(run), met.state) == ("running", "met")
    assert met.result is not None
    assert '"rejected"' in met.result


def test_effects_that_have_ended_meet_their_wait_at_once(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed())
    receipt = open_wait(shop, run, WaitDraft("effects", {"effects": [str(shop.effect(run, "a").pk)]}))
    assert (receipt["state"], receipt["run_state"]) == ("met", "running")


def test_what_ends_because_nobody_allows_it_wakes_its_run_too(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    open_wait(shop, run, WaitDraft("effects", {"effects": [str(shop.effect(run, "dear").pk)]}))
    shop.deny(shop.request(run, "dear"))
    sweep()
    assert (shop.states(run), shop.state(run)) == ({"dear": "denied"}, "running")


def test_only_effects_of_the_run_are_waited_for(shop: Shop) -> None:
    run, other = shop.accept(), shop.accept(draft("a"))
    for effects in ([], ["nothing"], [str(shop.effect(other, "a").pk)]):
        with pytest.raises(BadWait):
            open_wait(shop, run, WaitDraft("effects", {"effects": [*effects]}))


def test_a_run_that_completes_itself_ends_when_what_it_waits_for_has_come(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    open_wait(shop, run, timer(60))
    settle(claimed())
    assert shop.state(run) == "waiting"
    with clock.at(61):
        sweep()
    assert shop.state(run) == "succeeded"


def test_nor_does_it_end_while_something_is_waited_for_aside(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    open_wait(shop, run, timer(60, parks=False))
    settle(claimed())
    assert shop.state(run) == "running"
    with clock.at(61):
        sweep()
    assert shop.state(run) == "succeeded"


def test_a_wait_that_holds_an_effect_back_goes_on_when_its_run_wakes_by_another(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(90, name="held", parks=False))
    shop.propose(run, draft("a", after_waits=["held"]))
    open_wait(shop, run, timer(60, name="wakes"))
    with clock.at(61):
        sweep()
    assert (waits(run), shop.states(run)) == ({"held": "open", "wakes": "met"}, {"a": "blocked"})
    with clock.at(91):
        sweep()
    assert shop.states(run) == {"a": "ready"}


def test_a_person_does_what_the_run_waits_for(shop: Shop) -> None:
    shop = with_permits(shop)
    run = shop.accept(draft("call", "10", "phone"))
    open_wait(shop, run, WaitDraft("effects", {"effects": [str(shop.effect(run, "call").pk)]}, name="called"))
    assert shop.state(run) == "waiting"
    report(shop.actor("ann"), begin(shop.actor("ann"), shop.effect(run, "call")), result=AGREED, evidence="Call 17.")
    assert (shop.state(run), waits(run)) == ("running", {"called": "met"})


def test_an_agent_whose_run_waits_has_it_go_on_before_it_begins(shop: Shop) -> None:
    shop = with_permits(shop)
    run = shop.accept(draft("mine", "10", "label"))
    open_wait(shop, run, timer(60, name="later"))
    with pytest.raises(RunWaits):
        begin(shop.bot, shop.effect(run, "mine"))
