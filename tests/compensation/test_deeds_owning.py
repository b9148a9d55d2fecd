"""Looking after work items: claimed, let go, handed over, escalated; one owner at a time, and each change recorded (R-J2, R-N4)."""

from uuid import UUID

import pytest

from compensation.deeds import owning
from compensation.deeds.escalating import NeedsNobody, TopOfLadder
from compensation.deeds.standing import ItemOver
from console.exact import decode
from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, NotFound
from console.identity.owning import AlreadyClaimed, BadHandOver, NotClaimed, NotYours
from console.notices.models import Copy
from runs.unknowns.standing import NotAnOperator
from tests.cast import inside
from tests.compensation.byhand import added, claim_it, escalate, hand, let_go, stored, waive
from tests.compensation.undoing import done
from tests.record import told
from tests.shop import Shop


def told_to(item: UUID) -> list[tuple[str, list[str]]]:
    """Give the notices about an item: how they begin, and whom they told."""
    with inside():
        copies = Copy.objects.filter(notice__about=item).select_related("notice", "member__user")
        found: dict[str, list[str]] = {}
        for copy in copies.order_by("posted_at", "member__user__name"):
            found.setdefault(copy.notice.title.partition(":")[0], []).append(copy.member.user.name)
        return list(found.items())


def test_an_operator_claims_it_and_somebody_else_sees_by_whom(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    receipt = claim_it(store, item)
    assert (receipt["owner"], stored(item).owner_id) == (str(store.members["oscar"].pk), store.members["oscar"].pk)
    with pytest.raises(AlreadyClaimed) as refused:
        claim_it(store, item, "dora")
    assert (refused.value.facts["by"], refused.value.facts["state"]) == ("Oscar Wren", "waiting")


def test_the_owner_lets_it_go_and_an_operator_may_take_it_from_them(store: Shop) -> None:
    item = added(store, done(store, "reserve"), owner_group="finance")
    with pytest.raises(NotClaimed):
        let_go(store, item)
    claim_it(store, item, "ann")
    with pytest.raises(NotYours):
        let_go(store, item, "amir")
    let_go(store, item, "dora")
    assert stored(item).owner_id is None
    claim_it(store, item, "ann")
    let_go(store, item, "ann")
    assert told(f"plan:{item.plan_id}")[-1][1]["reason"] == "It has to be done today."


def test_it_is_handed_to_a_group_whose_members_act_on_it_from_then_on(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    with pytest.raises(NotAnOperator):
        claim_it(store, item, "ann")
    hand(store, item, to_group="finance")
    assert claim_it(store, item, "ann")["owner_group"] == "finance"
    assert ("Handed to you", ["Amir Saleh", "Ann Okafor", "Ben Osei"]) in told_to(item.pk)


def test_it_is_handed_to_one_member_who_may_act_on_it(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    hand(store, item, to_member=store.members["dora"].pk)
    assert (stored(item).owner_id, stored(item).owner_group) == (store.members["dora"].pk, "operators")
    with pytest.raises(BadHandOver):
        hand(store, item, to_member=store.members["ann"].pk)
    with pytest.raises(BadHandOver):
        hand(store, item, to_group="astronauts")
    with pytest.raises(BadHandOver):
        hand(store, item)
    with pytest.raises(BadHandOver):
        hand(store, item, to_group="finance", to_member=store.members["dora"].pk)


def test_nobody_is_handed_it_or_lets_it_go_without_a_reason(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    for deed in (lambda: hand(store, item, to_group="finance", reason=" "), lambda: escalate(store, item, reason="")):
        with pytest.raises(ReasonMissing):
            deed()


def test_who_escalates_by_hand_takes_it_a_rung_up_and_tells_them(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    assert [rung["to"] for rung in decode(item.ladder.encode())] == ["operators", "admins"]  # type: ignore[union-attr, index]
    receipt = escalate(store, item, reason="Oscar is on holiday.")
    after = stored(item)
    assert (receipt["to"], after.level, after.owner_group, after.state) == ("admins", 2, "admins", "waiting")
    assert told_to(item.pk) == [("Yours now", ["Dora Lindqvist"])], "operators have it already"
    assert told(f"plan:{item.plan_id}")[-1][1]["reason"] == "Oscar is on holiday."
    with pytest.raises(TopOfLadder):
        escalate(store, item)


def test_what_waits_for_something_else_than_a_person_is_not_escalated(store: Shop) -> None:
    run = done(store, "reserve")
    later = added(store, run, after=[added(store, run).pk])
    with pytest.raises(NeedsNobody) as refused:
        escalate(store, later)
    assert refused.value.facts["waits_for"] == "order"


def test_neither_strangers_nor_agents_nor_others_act_on_it(store: Shop, rival: Shop) -> None:
    item = added(store, done(store, "reserve"))
    for actor, refusal in (
        (rival.actor("oscar"), NotFound),
        (store.bot, NotAnOperator),
        (store.actor("ann"), NotAnOperator),
    ):
        with pytest.raises(refusal):
            owning.claim(actor, item.pk, key="k")
    store.change("oscar", active=False)
    with pytest.raises(NotAnOperator):
        claim_it(store, item)


def test_what_is_over_is_not_claimed_any_more_and_says_how_it_ended(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    waive(store, item)
    with pytest.raises(ItemOver) as refused:
        claim_it(store, item)
    assert (refused.value.facts["state"], refused.value.facts["ended_at"] is not None) == ("waived", True)


def test_the_same_key_gives_the_same_receipt_and_another_content_is_refused(store: Shop) -> None:
    run = done(store, "reserve")
    item = added(store, run)
    first = claim_it(store, item, key="k-1")
    assert claim_it(store, item, key="k-1") == {**first, "replayed": True}
    with pytest.raises(KeyReused):
        claim_it(store, added(store, run), key="k-1")
