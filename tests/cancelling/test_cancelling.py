"""Cancelling a run or an effect: who may, what is withdrawn, what is waited for, and what proves that it is over (R-I3)."""

import pytest

from console.exact import decode
from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, StaleToken
from runs.cancelling.cancel import AlreadyOver, BadCancellation
from runs.cancelling.standing import MayNotCancel
from runs.driver import RunEnded
from tests import clock
from tests.cancels import WHY, cancel, cancel_effect, of_run, states
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import WORKER, claim, claimed, end_leases, settle, sweep


def test_can_02_a_run_that_waits_for_a_person_is_cancelled_within_the_request_with_no_worker_there(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"), draft("after", after=["dear"]))
    receipt = cancel(shop, run)
    assert (receipt["state"], receipt["cancellation_state"]) == ("cancelled", "proven")
    assert shop.states(run) == {"dear": "withdrawn", "after": "withdrawn"}
    assert shop.request(run, "dear").state == "withdrawn"
    assert kinds(f"run:{run}")[-2:] == ["cancellation.proven", "run.ended"]


def test_what_proves_it_is_kept_with_it(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"), draft("done"))
    settle(claimed(), "rejected", http=422)
    cancel(shop, run)
    found = of_run(run)[0]
    assert found.evidence is not None
    assert decode(found.evidence) == {
        "children": {}, "cleanup": [], "effects": {"rejected": 1, "withdrawn": 1}, "in_flight": 0, "unknown": 0,
    }  # fmt: skip
    assert (found.scope, found.mode, found.reason, found.proven_at) == ("tree", "graceful", WHY, shop.run(run).ended_at)


def test_can_01_a_run_whose_call_is_in_flight_is_being_cancelled_until_the_answer_is_there(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    receipt = cancel(shop, run)
    assert (receipt["state"], receipt["cancellation_state"], shop.state(run)) == ("closing", "resolving", "closing")
    with clock.at(10):
        assert settle(row, "succeeded") == []
    stands = shop.run(run)
    assert (stands.state, states(run)) == ("cancelled", ["proven"])
    assert (stands.attention, stands.attention_reason) == ("late", "committed after cancel: effect 1")
    assert shop.states(run) == {"a": "succeeded"}
    assert sweep() == {}
    assert shop.state(run) == "cancelled"


def test_an_unknown_keeps_it_from_being_cancelled_until_it_is_found_out(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel(shop, run)
    settle(row, "unknown", http=None, delay=0, step="status")
    assert (shop.state(run), states(run)) == ("closing", ["resolving"])
    settle(claimed(), "rejected")
    assert (shop.state(run), states(run), shop.run(run).attention) == ("cancelled", ["proven"], "")


def test_what_comes_after_the_end_changes_nothing_and_somebody_sees_to_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    lost = claimed()
    cancel(shop, run)
    end_leases(WORKER)
    settle(claimed(), "rejected")
    assert shop.state(run) == "cancelled"
    assert settle(lost, "succeeded") == [lost["attempt_id"]]
    stands = shop.run(run)
    assert (stands.state, shop.states(run)) == ("cancelled", {"a": "rejected"})
    assert (stands.attention, stands.attention_reason) == ("late", "committed after cancel: effect 1")
    assert kinds(f"run:{run}")[-2:] == ["attempt.late", "run.late"]


def test_what_was_to_be_tried_again_is_not(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel(shop, run)
    settle(row, "overload", http=503, delay=0)
    assert (shop.states(run), shop.state(run)) == ({"a": "withdrawn"}, "cancelled")


def test_its_driver_cancels_with_its_token_and_no_other(shop: Shop) -> None:
    run = shop.accept(draft("a", "250"))
    with pytest.raises(StaleToken):
        cancel(shop, run, shop.bot, epoch=7)
    assert cancel(shop, run, shop.bot)["state"] == "cancelled"


@pytest.mark.parametrize("name", ["ann", "dora"])
def test_a_member_whose_role_the_contract_does_not_name_may_not(yard: Shop, name: str) -> None:
    run = yard.accept(draft("a", "250"), run_type="tidy")
    with pytest.raises(MayNotCancel):
        cancel(yard, run, name)
    assert yard.state(run) == "running"


def test_immediate_takes_the_driver_its_token(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claimed()
    before = shop.run(run).epoch
    assert cancel(shop, run, mode="immediate")["state"] == "closing"
    assert shop.run(run).epoch > before
    with pytest.raises(StaleToken):
        shop.fail(run)


def test_a_wish_that_stands_is_joined_and_a_harder_one_is_taken_beside_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    first = cancel(shop, run)
    again = cancel(shop, run, "dora")
    assert (again["cancellation"], again["joined"]) == (first["cancellation"], True)
    assert cancel(shop, run, mode="immediate")["number"] == 2
    settle(row, "rejected", http=422)
    assert (shop.state(run), states(run)) == ("cancelled", ["proven", "proven"])


def test_the_same_request_sent_again_gives_the_same_answer(shop: Shop) -> None:
    run = shop.accept(draft("a", "250"))
    first = cancel(shop, run, key="once")
    assert cancel(shop, run, key="once")["cancellation"] == first["cancellation"]
    with pytest.raises(KeyReused):
        cancel(shop, run, key="once", reason="Another reason.")
    assert kinds(f"run:{run}").count("cancellation.requested") == 1


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [({"reason": " "}, ReasonMissing), ({"scope": "world"}, BadCancellation), ({"mode": "gently"}, BadCancellation)],
)
def test_it_is_asked_for_with_a_reason_and_in_the_words_that_there_are(
    shop: Shop, asked: dict[str, str], refusal: type[Exception]
) -> None:
    run = shop.accept(draft("a", "250"))
    with pytest.raises(refusal):
        cancel(shop, run, **asked)


def test_what_has_ended_or_ends_otherwise_is_not_cancelled(shop: Shop) -> None:
    done, failing = shop.accept(), shop.accept(draft("a"))
    shop.complete(done)
    claimed()
    shop.fail(failing)
    for run in (done, failing):
        with pytest.raises(RunEnded):
            cancel(shop, run)


def test_an_effect_that_has_not_begun_is_withdrawn_with_what_waits_for_it(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"), draft("after", after=["dear"]), draft("other"))
    receipt = cancel_effect(shop, shop.effect(run, "dear"))
    assert (receipt["effect_state"], receipt["cancellation_state"], receipt["state"]) == (
        "withdrawn",
        "proven",
        "running",
    )
    assert shop.states(run) == {"dear": "withdrawn", "after": "withdrawn", "other": "ready"}


def test_an_effect_that_is_under_way_is_not_begun_again(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    receipt = cancel_effect(shop, shop.effect(run, "a"), shop.bot)
    assert (receipt["effect_state"], receipt["cancellation_state"]) == ("dispatched", "resolving")
    settle(row, "overload", http=503, delay=0)
    assert (shop.states(run), states(run), shop.state(run)) == ({"a": "withdrawn"}, ["proven"], "running")
    assert claim() == []


def test_an_effect_that_was_done_after_all_overtakes_its_cancellation(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel_effect(shop, shop.effect(run, "a"))
    settle(row, "succeeded")
    assert (shop.states(run), states(run), shop.state(run)) == ({"a": "succeeded"}, ["overtaken"], "running")
    with pytest.raises(AlreadyOver):
        cancel_effect(shop, shop.effect(run, "a"))
