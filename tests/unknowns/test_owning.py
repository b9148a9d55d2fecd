"""Looking after what is not confirmed: claimed by one, let go, handed over, and found by whom it was handed to (R-A4, R-F3)."""

from typing import Any

import pytest

from console.http.refusals import InvalidContent, NotFound, ReasonTooLong
from console.identity import people
from console.identity.groups import ROLE_OF
from console.identity.models import Member
from console.identity.owning import AlreadyClaimed, BadHandOver, NotClaimed, NotYours
from console.notices.audience import owners
from console.notices.models import Copy
from runs.models import Effect
from runs.unknowns import owning, queue
from runs.unknowns.queue import Wanted
from runs.unknowns.resolving import ExitNotAllowed
from runs.unknowns.standing import NotAnOperator, NotUnknown, document_of, may_act
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop
from tests.unsure import claim_it, find, key, partial, stored, unknown


def let_go(shop: Shop, effect: Effect, by: str = "oscar", reason: str = "My shift ends.") -> dict[str, Any]:
    """Let it go."""
    return owning.release(shop.actor(by), effect.pk, reason=reason, key=key())


def hand_over(
    shop: Shop, effect: Effect, by: str = "oscar", *, to: str = "", group: str = "", reason: str = "Yours."
) -> dict[str, Any]:
    """Hand it over."""
    member = shop.members[to].pk if to else None
    return owning.hand_over(shop.actor(by), effect.pk, to_member=member, to_group=group, reason=reason, key=key())


def seen(shop: Shop, name: str, owner: str) -> list[Effect]:
    """Read what a member finds in the queue."""
    with inside():
        return queue.unknowns(shop.members[name], Wanted(owner=owner), None, 50)


def test_who_claims_it_owns_it_and_nobody_else_does(shop: Shop) -> None:
    shop.change("amir", roles=["operator"])
    effect = unknown(shop)
    assert claim_it(shop, effect)["owner"] == str(shop.members["oscar"].pk)
    with pytest.raises(AlreadyClaimed) as refused:
        claim_it(shop, effect, "amir")
    assert (refused.value.facts["by"], refused.value.facts["state"]) == ("Oscar Wren", "unknown")
    with pytest.raises(AlreadyClaimed):
        claim_it(shop, effect)
    assert seen(shop, "oscar", "mine") == [effect]
    assert seen(shop, "amir", "mine") == seen(shop, "amir", "nobody") == []
    assert kinds(f"run:{effect.run_id}").count("unknown.claimed") == 1


def test_what_a_member_owned_who_is_gone_is_claimed_by_another(shop: Shop) -> None:
    shop.change("amir", roles=["operator"])
    effect = unknown(shop)
    claim_it(shop, effect)
    shop.change("oscar", active=False)
    claim_it(shop, effect, "amir")
    assert stored(effect).owner == shop.members["amir"]


def test_it_is_let_go_by_its_owner_or_by_an_operator(shop: Shop) -> None:
    effect = unknown(shop)
    with pytest.raises(NotClaimed):
        let_go(shop, effect)
    hand_over(shop, effect, group="finance")
    claim_it(shop, effect, "ann")
    with pytest.raises(NotYours):
        let_go(shop, effect, "amir")  # of finance too, and no operator
    with pytest.raises(InvalidContent):
        let_go(shop, effect, "ann", reason=" ")
    with pytest.raises(ReasonTooLong):
        let_go(shop, effect, "ann", reason="x" * 2001)
    let_go(shop, effect, "ann")
    claim_it(shop, effect, "ann")
    let_go(shop, effect, "oscar")
    assert (stored(effect).owner_id, stored(effect).owned_at, stored(effect).owner_group) == (None, None, "finance")


def test_what_is_handed_to_a_group_is_found_and_settled_by_its_members(shop: Shop) -> None:
    effect = unknown(shop)
    with pytest.raises(NotAnOperator):
        claim_it(shop, effect, "ann")
    receipt = hand_over(shop, effect, group="finance")
    assert (receipt["owner"], receipt["owner_group"]) == (None, "finance")
    assert seen(shop, "ann", "group") == seen(shop, "amir", "group") == [effect]
    assert seen(shop, "oscar", "group") == []
    claim_it(shop, effect, "ann")
    find(shop, effect, by="ann")
    assert stored(effect).state == "succeeded"


def test_what_is_handed_to_a_member_is_theirs(shop: Shop) -> None:
    effect = unknown(shop)
    hand_over(shop, effect, group="finance")
    hand_over(shop, effect, to="ann")
    assert seen(shop, "ann", "mine") == [effect]
    hand_over(shop, effect, "ann", to="oscar")
    assert seen(shop, "oscar", "mine") == [effect]


def test_it_is_handed_to_nobody_who_could_not_act_on_it_of_their_own(shop: Shop) -> None:
    effect = unknown(shop)
    for name in ("ann", "dora"):
        with pytest.raises(BadHandOver):
            hand_over(shop, effect, to=name)
    assert stored(effect).owner_id is None


def test_it_is_handed_to_somebody(shop: Shop, rival: Shop) -> None:
    effect = unknown(shop)
    shop.change("amir", active=False)
    for wrong in ({"to": "ann", "group": "finance"}, {}, {"group": "astronauts"}, {"to": "amir"}):
        with pytest.raises(BadHandOver):
            hand_over(shop, effect, **wrong)
    with pytest.raises(BadHandOver):
        owning.hand_over(shop.actor("oscar"), effect.pk, to_member=rival.members["oscar"].pk, reason="x", key=key())
    hand_over(shop, effect, group="operators")  # a role in the plural
    assert stored(effect).owner_group == "operators"


def test_strangers_find_nothing_and_what_is_settled_is_nobodys(shop: Shop, rival: Shop) -> None:
    effect = unknown(shop)
    with pytest.raises(NotFound):
        claim_it(rival, effect)
    find(shop, effect)
    for act in (claim_it, let_go):
        with pytest.raises(NotUnknown):
            act(shop, effect)
    with pytest.raises(NotUnknown):
        hand_over(shop, effect, to="ann")


def test_the_same_key_changes_nothing_again(shop: Shop) -> None:
    effect = unknown(shop)
    first = claim_it(shop, effect, key="once")
    let_go(shop, effect)
    assert claim_it(shop, effect, key="once") == {**first, "replayed": True}
    assert stored(effect).owner_id is None


class TestInPart:
    """What was done in part is looked after until somebody settles its rest (R-A4)."""

    def test_it_is_listed_owned_and_holds_up_its_run(self, shop: Shop) -> None:
        effect = partial(shop)
        with inside():
            found = queue.unknowns(
                shop.members["oscar"], Wanted(state="partial", owner="nobody", operation="pay"), None, 5
            )
            assert (found, queue.count(shop.members["oscar"], Wanted(state="partial"), 10)) == ([effect], 1)
        claim_it(shop, effect)
        assert stored(effect).owner == shop.members["oscar"]
        with pytest.raises(Exception, match="cannot be completed"):
            shop.complete(effect.run_id)

    def test_its_rest_is_settled_with_evidence_and_its_run_completes(self, shop: Shop) -> None:
        effect = partial(shop)
        receipt = find(shop, effect, "rest_settled")
        assert (receipt["state"], stored(effect).reconciled_at is not None) == ("partial", True)
        with inside():
            assert queue.unknowns(shop.members["oscar"], Wanted(state="partial"), None, 5) == []
        with pytest.raises(NotUnknown):
            find(shop, effect, "rest_settled")
        assert shop.complete(effect.run_id)["state"] == "succeeded"

    def test_a_run_that_completes_itself_ends_with_it(self, shop: Shop) -> None:
        effect = partial(shop, completes_itself=True)
        assert shop.state(effect.run_id) == "running"
        find(shop, effect, "rest_settled")
        assert shop.state(effect.run_id) == "succeeded"

    def test_it_has_no_other_way_out(self, shop: Shop) -> None:
        effect = partial(shop)
        for exit_, then in (("happened", ""), ("did_not_happen", "retry"), ("cannot_tell", "")):
            with pytest.raises(ExitNotAllowed):
                find(shop, effect, exit_, then)
        with pytest.raises(ExitNotAllowed):
            find(shop, unknown(shop), "rest_settled")


ROLES = {"operators": "oscar", "admins": "dora", "approvers": "ann"}


@pytest.mark.parametrize("group", ROLES)
def test_whoever_has_the_role_finds_may_act_on_and_is_told_of_what_was_handed_to_it(shop: Shop, group: str) -> None:
    effect = unknown(shop)
    hand_over(shop, effect, group=group)
    handed = stored(effect)
    with inside(shop.tenant.pk):
        told = set(Copy.objects.filter(notice__kind="effect.handed_over").values_list("member", flat=True))
    for name, member in shop.members.items():
        has_it = ROLE_OF[group] in member.roles
        assert (effect in seen(shop, name, "group")) == has_it
        nobody_else = (
            group == "operators" and name == "dora"
        )  # oscar alone operates, and whoever hands over is not told
        assert (member.pk in told) == ((has_it and name != "oscar") or nobody_else)
        with inside(shop.tenant.pk):
            may = may_act(member, handed, document_of(handed))
        assert may == (has_it or name == "oscar")


@pytest.mark.parametrize("group", ["operator", "admin", "approver", "auditors", "auditor"])
def test_what_is_no_role_in_the_plural_of_those_that_act_opens_no_door(shop: Shop, group: str) -> None:
    effect = unknown(shop)
    with pytest.raises(BadHandOver):
        hand_over(shop, effect, group=group)
    anybody = Member(active=True, roles=["admin", "approver", "auditor"], groups=[])
    with inside(shop.tenant.pk):
        assert not may_act(anybody, Effect(owner_group=group), document_of(effect))
    assert owners(group) == ((), (group,))
    assert set(ROLE_OF.values()) <= set(people.ROLES)
