"""The way back: an operator opens a run again; nothing else leads out of its end, and late messages change nothing (R-I4)."""

import pytest

from console.http.reasons import ReasonMissing
from runs.cancelling.reopening import DeadlineNeeded, NotToReopen
from runs.cancelling.standing import NotAnOperator
from tests import clock, hearing
from tests.cancels import cancel, reopen
from tests.hearing import told_of
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep


def test_it_goes_on_under_a_new_token_and_nothing_is_begun_before_a_resume_has_decided(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    cancel(shop, run)
    before = shop.run(run).epoch
    assert reopen(shop, run)["state"] == "running"
    stands = shop.run(run)
    assert (stands.state, stands.resume_due, stands.ended_at) == ("running", True, None)
    assert stands.epoch > before
    assert claim() == []
    assert shop.states(run) == {"dear": "withdrawn"}


def test_a_run_that_failed_or_expired_is_opened_again_too(shop: Shop) -> None:
    failed, expired = shop.accept(), shop.accept(deadline_seconds=60)
    shop.fail(failed)
    reopen(shop, failed)
    with clock.at(61):
        sweep()
        with pytest.raises(DeadlineNeeded):
            reopen(shop, expired)
        reopen(shop, expired, deadline_seconds=600)
        sweep()
        assert (shop.state(failed), shop.state(expired)) == ("running", "running")


def test_what_goes_on_or_ended_well_is_not_opened(shop: Shop) -> None:
    going, done = shop.accept(), shop.accept()
    shop.complete(done)
    for run in (going, done):
        with pytest.raises(NotToReopen):
            reopen(shop, run)


@pytest.mark.parametrize("name", ["ann", "dora"])
def test_only_operators_do(shop: Shop, name: str) -> None:
    run = shop.accept()
    cancel(shop, run)
    with pytest.raises(NotAnOperator):
        reopen(shop, run, name)


def test_it_takes_a_reason(shop: Shop) -> None:
    run = shop.accept()
    cancel(shop, run)
    with pytest.raises(ReasonMissing):
        reopen(shop, run, reason="  ")


def test_a_late_message_that_it_was_done_changes_nothing_and_calls_somebody(shop: Shop) -> None:
    shop.apply(told_of("send"))
    run = shop.accept(draft("post", operation="send"))
    settle(claimed(), "unknown", http=None, delay=0, step="status")
    cancel(shop, run)
    settle(claimed(), "rejected")
    assert shop.state(run) == "cancelled"
    with hearing.agreed():
        hearing.tell(hearing.message(shop.effect(run, "post").pk, "committed"), slug=shop.tenant.slug)
    stands = shop.run(run)
    assert (stands.state, shop.states(run), stands.attention) == ("cancelled", {"post": "rejected"}, "late")
    assert kinds(f"run:{run}")[-2:] == ["callback.late", "run.late"]
