"""Clean-up that must finish: the driver has a time for it, only what the contract names is taken, and the run waits for its end."""

import pytest

from console.exact import decode
from console.http.refusals import StaleToken
from runs.cancelling.cancel import NotClosing
from runs.cancelling.cleanup import NotCleanup
from runs.driver import RunEnded
from runs.ownership.acquiring import acquire
from tests import clock
from tests.cancels import cancel, of_run, states, stopped, tidy
from tests.limits import use
from tests.permits import AGREED, DONE, begin, report, with_permits
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep


def test_its_driver_may_clean_up_and_the_run_is_cancelled_when_that_is_done(yard: Shop) -> None:
    run = yard.accept(draft("a", "250"), run_type="tidy")
    receipt = cancel(yard, run)
    assert (receipt["state"], receipt["cancellation_state"], yard.states(run)) == (
        "closing",
        "requested",
        {"a": "withdrawn"},
    )
    yard.propose(run, draft("back", cleanup=True))
    stopped(yard, run)
    assert (yard.state(run), states(run)) == ("closing", ["resolving"])
    settle(claimed(), "succeeded")
    assert (yard.state(run), states(run), yard.run(run).attention) == ("cancelled", ["proven"], "")
    found = decode(of_run(run)[0].evidence or "")
    assert isinstance(found, dict)
    assert found["cleanup"] == [{"effect": str(yard.effect(run, "back").pk), "state": "succeeded"}]


def test_clean_up_that_was_not_done_is_left_to_a_person(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    cancel(yard, run)
    yard.propose(run, draft("back", cleanup=True))
    stopped(yard, run)
    settle(claimed(), "rejected", http=422)
    stands = yard.run(run)
    assert (stands.state, stands.attention, stands.attention_reason) == (
        "cancelled",
        "decision",
        "clean-up not done: effect 1",
    )


def test_only_what_the_contract_names_is_taken_and_only_in_time(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    with pytest.raises(NotCleanup):
        yard.propose(run, draft("post", operation="wire", cleanup=True))
    cancel(yard, run)
    with pytest.raises(NotCleanup):
        yard.propose(run, draft("post", operation="wire", cleanup=True))
    with pytest.raises(RunEnded):
        yard.propose(run, draft("more"))
    with clock.at(61), pytest.raises(RunEnded):
        yard.propose(run, draft("back", cleanup=True))


def test_when_its_time_is_up_the_run_ends_without_its_driver(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    cancel(yard, run)
    assert sweep() == {}
    with clock.at(61):
        assert sweep() == {"cancellations looked at": 1}
        assert sweep() == {}
    assert (yard.state(run), states(run)) == ("cancelled", ["proven"])


def test_immediate_leaves_no_time(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    cancel(yard, run)
    assert cancel(yard, run, mode="immediate")["state"] == "cancelled"
    assert kinds(f"run:{run}").count("cancellation.hurried") == 1
    assert states(run) == ["proven", "proven"]
    with pytest.raises(StaleToken):
        yard.propose(run, draft("back", cleanup=True), epoch=1)


def test_clean_up_that_waits_for_a_person_is_waited_for(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    cancel(yard, run)
    yard.propose(run, draft("back", "250", cleanup=True))
    with clock.at(61):
        sweep()
        assert yard.states(run) == {"back": "awaiting_approval"}
        assert yard.state(run) == "closing"
        yard.deny(yard.request(run, "back"))
        sweep()
    assert (yard.state(run), yard.run(run).attention) == ("cancelled", "decision")


def test_a_run_that_goes_on_has_nothing_to_finish(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    with pytest.raises(NotClosing):
        stopped(yard, run)


def test_clean_up_that_had_run_out_with_its_run_is_done_when_that_is_cancelled(yard: Shop) -> None:
    run = yard.accept(run_type="tidy", limits={"tokens": 5})
    yard.propose(run, draft("back", cleanup=True))
    use(yard, run, tokens=6)
    assert claim() == []  # it has no time any more, until somebody gives it one
    assert yard.effect(run, "back").next_attempt_at is None
    cancel(yard, run, mode="immediate")
    settle(claimed())
    assert (yard.state(run), yard.run(run).attention) == ("cancelled", "")


def test_clean_up_that_waited_for_a_resume_is_done_when_its_run_is_cancelled(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    yard.propose(run, draft("back", cleanup=True))
    with clock.at(61):
        acquire(yard.bot, run, holder="second", key="take")
        assert claim() == []
        cancel(yard, run, mode="immediate")
        settle(claimed())
    assert yard.state(run) == "cancelled"


def test_an_agent_and_a_person_do_their_part_of_the_clean_up(yard: Shop) -> None:
    shop = with_permits(yard)
    assert not any(applied.faults for applied in shop.apply(tidy("sweeping", cleanup="[label, phone]")))
    run = shop.accept(draft("other", "10", "phone"), run_type="sweeping")
    shop.propose(run, draft("mine", "10", "label", cleanup=True), draft("hers", "10", "phone", cleanup=True))
    other = shop.effect(run, "other")
    cancel(shop, run)
    report(shop.bot, begin(shop.bot, shop.effect(run, "mine")), result=DONE)
    report(shop.actor("ann"), begin(shop.actor("ann"), shop.effect(run, "hers")), result=AGREED, evidence="Call 17.")
    with pytest.raises(RunEnded):
        begin(shop.actor("ann"), other)
    stopped(shop, run)
    assert (shop.state(run), shop.run(run).attention) == ("cancelled", "")
