"""Trying again by hand: what failed, what was found changed, what only waits for its time; nothing is done twice by that (R-J2, CMP-01)."""

from typing import Any

import pytest

from compensation.deeds.ending import EndingWaits
from compensation.deeds.standing import ItemAtWork, ItemOver
from compensation.deeds.trying import DifferenceChanged, NothingToRetry, NothingToRun, difference_digest, now_expected
from compensation.models import WorkItem
from console.exact import decode
from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound
from console.pages.compensation import receipts
from runs.checking import expected
from runs.unknowns.standing import NotAnOperator
from tests.compensation.byhand import accept, added, endings_of, resolve, retry, run_now, stored, waive
from tests.compensation.undoing import SECTIONS, answer, done, item_of, makes_good, undone_by
from tests.compensation.working import acting, plan
from tests.record import kinds, told
from tests.shop import Shop
from tests.unsure import find as found
from tests.work import claim, claimed, settle, sweep

CHANGED: list[Any] = [{"path": "body.status", "expected": "confirmed", "found": "moved"}]


def failed(shop: Shop, operation: str = "reserve", outcome: str = "rejected") -> WorkItem:
    """Have a work item whose effect came to nothing."""
    run = done(shop, operation)
    plan(shop, run, operation)
    settle(claimed(), outcome, reason="The hotel has closed.")
    sweep()
    return item_of(run, operation)


def differing(shop: Shop) -> WorkItem:
    """Have a work item that stopped because somebody changed what it would change."""
    run = done(shop, "book")
    plan(shop, run, "book")
    find(CHANGED)
    sweep()
    return item_of(run, "book")


def find(difference: list[Any]) -> None:
    """Have the check that is due find this difference."""
    row = claimed()
    assert row["kind"] == "check"
    settle(
        row, "conflict", to="withdrawn", result=difference, reason="What it would change is not as the effect left it."
    )


def test_whoever_tries_again_what_no_effect_can_be_made_for_is_told_so(store: Shop) -> None:
    """The item keeps the effect that came to nothing, which is no new try."""
    item = failed(store)
    said = SECTIONS["reserve"].replace('"{result.receipt}"}', '"{result.receipt}", why: "{reason}"}').strip("\n")
    store.apply("\n---\n".join([
        undone_by("reserve", said, version=2), makes_good("release", "receipt, why").replace("version: 1", "version: 2", 1),
    ]))  # fmt: skip
    receipt = retry(store, item)
    assert (receipt["begun"], receipt["tries"], receipt["acting"]) == (False, 1, str(item.acting_id))
    assert receipts.told(receipt)["sentence"] == "It could not be begun; see why below."
    assert "could not be begun" in stored(item).state_reason


def test_what_failed_is_tried_again_by_an_effect_of_its_own(store: Shop) -> None:
    """CMP-01: the try that failed keeps its own record; the next one has its own key and says what it takes the place of."""
    item = failed(store)
    first = acting(item.run_id, "reserve")
    receipt = retry(store, item)
    again = acting(item.run_id, "reserve")
    assert (receipt["tries"], receipt["acting"], stored(item).state) == (2, str(again.pk), "running")
    assert receipt["begun"] is True
    assert (again.key, again.supersedes_id) == (f"compensates:{item.effect_id}:2", first.pk)
    assert [facts["reason"] for kind, facts in told(f"plan:{item.plan_id}") if kind == "item.asked_again"] == [
        "It has to be done today."
    ]
    answer(claim())
    sweep()
    assert stored(item).state == "done"
    assert store.run(item.run_id).compensation == "over"


def test_it_is_tried_again_once_however_often_it_is_pressed(store: Shop) -> None:
    item = failed(store)
    first = retry(store, item, key="k-1")
    assert retry(store, item, key="k-1") == {**first, "replayed": True}
    with pytest.raises(NothingToRetry) as refused:
        retry(store, item, "dora")
    assert refused.value.facts["state"] == "running"
    assert stored(item).tries == 2


def test_what_goes_on_or_may_have_happened_is_neither_tried_again_nor_ended(store: Shop) -> None:
    run = done(store, "reserve")
    (item,) = plan(store, run, "reserve")
    row = claimed()
    for deed in (retry, resolve, waive, run_now):
        with pytest.raises(ItemAtWork, match="being tried at this moment") as refused:
            deed(store, item)
        assert refused.value.facts["acting_state"] == "dispatched"
    settle(row, "unknown", http=None)
    for deed in (retry, resolve, waive, run_now):
        with pytest.raises(ItemAtWork, match="find out") as refused:
            deed(store, item)
        assert refused.value.facts["acting"] == str(acting(run, "reserve").pk)
    assert endings_of(item) == []


def test_what_is_being_looked_at_before_it_acts_is_under_way(store: Shop) -> None:
    run = done(store, "book")
    (item,) = plan(store, run, "book")
    assert claimed()["kind"] == "check"
    for deed in (retry, resolve, waive, run_now):
        with pytest.raises(ItemAtWork, match="being tried at this moment"):
            deed(store, item)


def test_what_was_done_is_not_ended_by_hand_before_the_clock_has_told_it(store: Shop) -> None:
    run = done(store, "reserve")
    (item,) = plan(store, run, "reserve")
    answer(claim())
    assert item_of(run, "reserve").state == "running"
    for deed in (retry, waive):
        with pytest.raises(ItemAtWork, match="It was done"):
            deed(store, item)


def test_what_was_done_in_part_is_not_done_again_and_may_be_resolved(store: Shop) -> None:
    item = failed(store, outcome="partial")
    with pytest.raises(NothingToRetry, match="done in part"):
        retry(store, item)
    before = decode(item.left.encode())
    resolve(store, item, left=["The fee."])
    assert (stored(item).state, decode(stored(item).left.encode())) == ("resolved", [*before, "The fee."])  # type: ignore[misc]


def test_people_s_items_and_what_waits_for_its_turn_are_not_tried(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    _, second = plan(store, run, "reserve", "charge", after={"charge": ("reserve",)})
    for item, why in ((second, "order"), (added(store, run), "people do it")):
        with pytest.raises(NothingToRetry) as refused:
            retry(store, item)
        assert why in refused.value.facts["why"]
        with pytest.raises(NothingToRun):
            run_now(store, item)


def test_only_members_who_may_act_try_it_and_say_why(store: Shop, rival: Shop) -> None:
    item = failed(store)
    with pytest.raises(ReasonMissing):
        retry(store, item, reason=" ")
    with pytest.raises(NotAnOperator):
        retry(store, item, "ann")
    with pytest.raises(NotFound):
        retry(rival, item)
    assert stored(item).tries == 1


def test_what_waits_for_a_second_person_is_not_tried_meanwhile(store: Shop) -> None:
    item = failed(store, "charge")
    resolve(store, item)
    with pytest.raises(EndingWaits):
        retry(store, item)


def test_what_waits_for_its_time_is_put_forward_and_its_turn_is_not(store: Shop) -> None:
    run = done(store, "reserve")
    (item,) = plan(store, run, "reserve")
    settle(claimed(), "overload", delay=60, http=503)
    assert claim() == []
    run_now(store, item)
    run_now(store, item)  # it is due already
    assert kinds(f"plan:{item.plan_id}").count("item.hurried") == 1
    answer(claim())
    sweep()
    assert stored(item).state == "done"
    with pytest.raises(ItemOver):
        run_now(store, item)


def test_what_waits_for_people_is_not_put_forward(store: Shop) -> None:
    with pytest.raises(NothingToRun, match="try it again"):
        run_now(store, failed(store))
    item = differing(store)
    with pytest.raises(NothingToRun, match="look at it first"):
        run_now(store, item)


def test_what_has_not_begun_is_taken_back_when_somebody_ends_it_by_hand(store: Shop) -> None:
    run = done(store, "reserve")
    (item,) = plan(store, run, "reserve")
    resolve(store, item, left=["The fee."])
    effect = acting(run, "reserve")
    assert (stored(item).state, effect.state, claim()) == ("resolved", "withdrawn", [])
    assert effect.state_reason == "A person ended its work item by hand."
    sweep()
    assert (stored(item).state, store.run(run).compensation) == ("resolved", "over"), (
        "what follows changes nothing of it"
    )
    assert decode(store.run(run).residue.encode()) == ["The fee."]


def test_what_waited_for_it_begins_when_somebody_ended_it_by_hand(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    first, second = plan(store, run, "reserve", "charge", after={"charge": ("reserve",)})
    waive(store, first)
    assert (stored(second).state, acting(run, "charge").state) == ("running", "ready")


def test_who_saw_the_difference_says_go_on_and_what_is_expected_is_what_was_found(store: Shop) -> None:
    item = differing(store)
    assert (item.state, item.waits_for, decode(item.difference.encode())) == ("waiting", "person", CHANGED)
    accept(store, item)
    effect = acting(item.run_id, "book")
    assert [(".".join(each.path), each.equals) for each in expected(effect.expects)] == [
        ("body.status", "moved"), ("body.to", "bob"),
    ]  # fmt: skip
    assert stored(item).difference == ""


def test_a_third_change_is_found_again(store: Shop) -> None:
    item = differing(store)
    accept(store, item)
    find([{"path": "body.status", "expected": "moved", "found": "paid"}])
    sweep()
    assert (stored(item).waits_for, stored(item).tries) == ("person", 2)
    with pytest.raises(DifferenceChanged) as refused:
        accept(store, item, seen=difference_digest(item))
    assert (refused.value.status, refused.value.facts["seen_digest"]) == (412, difference_digest(stored(item)))
    accept(store, item)
    assert stored(item).tries == 3


def test_who_put_the_world_right_has_it_tried_as_it_was_meant(store: Shop) -> None:
    item = differing(store)
    retry(store, item)
    assert acting(item.run_id, "book").expects == item.expects


def test_where_nothing_differs_there_is_nothing_to_accept(store: Shop) -> None:
    item = failed(store)
    with pytest.raises(NothingToRetry, match="Nothing was found else"):
        accept(store, item, seen="")


def test_what_is_gone_is_expected_to_be_gone_and_comes_as_a_difference_when_it_is_back() -> None:
    text = now_expected('[{"equals":"12","path":"room"}]', '[{"expected":"12","found":null,"path":"room"}]')
    (one,) = expected(text)
    assert one.difference({}) is None
    assert one.difference({"room": None}) is None
    assert one.difference({"room": "12"}) == {"path": "room", "expected": None, "found": "12"}


def test_what_an_answer_that_came_late_says_was_done_is_not_tried_again(store: Shop) -> None:
    """A person found that it did not happen and gave it up; the answer that says otherwise came after that (CMP-03)."""
    run = done(store, "reserve")
    plan(store, run, "reserve")
    row = claimed()
    settle(row, "unknown", http=None)
    found(store, acting(run, "reserve"), "did_not_happen", "give_up")
    sweep()
    settle(row, "succeeded", result={"receipt": "r-1"})
    sweep()
    item = item_of(run, "reserve")
    assert "came late" in item.state_reason
    with pytest.raises(NothingToRetry, match="not done twice"):
        retry(store, item)
    assert claim() == []
    assert resolve(store, item)["state"] == "resolved"
