"""Ending a work item by hand: resolved with evidence or waived with authority, by two people where the item wants two (R-J2, CMP-01)."""

from typing import Any

import pytest

from compensation.deeds import seconding
from compensation.deeds.checklist import ChecklistOpen
from compensation.deeds.ending import EndingWaits
from compensation.deeds.grounds import BadEnding
from compensation.deeds.overtaking import overtake_due
from compensation.deeds.seconding import EndingDecided, EndingOutdated, NotYourEnding
from compensation.deeds.standing import ItemAtWork, ItemOver
from console.exact import decode
from console.http.evidence import BadEvidence
from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, NotFound, ReasonTooLong
from console.ledger.models import Refusal as KeptRefusal
from console.notices.models import Copy
from runs.unknowns.seconding import SecondPerson
from runs.unknowns.standing import NotAnOperator
from tests import clock
from tests.cast import inside
from tests.compensation.byhand import (
    RULE,
    SEEN,
    WHY,
    added,
    confirm,
    decline,
    endings_of,
    hand,
    resolve,
    stored,
    take_back,
    tick,
    waive,
)
from tests.compensation.undoing import answer, done, key
from tests.compensation.working import plan
from tests.record import forger, kinds
from tests.shop import Shop
from tests.work import claimed, settle, sweep


def test_one_person_resolves_it_with_evidence_and_what_is_left_is_named(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    receipt = resolve(store, item, link="https://bank.example/77", left=["The fee of 3 EUR.", " "])
    after, (said,) = stored(item), endings_of(item)
    assert (receipt["stands"], receipt["state"], after.verified_by) == ("in_force", "resolved", "person")
    assert (decode(after.left.encode()), after.ended_at is not None) == (["The fee of 3 EUR."], True)
    assert (said.evidence, said.link, said.proposed_by_id) == (
        SEEN,
        "https://bank.example/77",
        store.members["oscar"].pk,
    )
    assert kinds(f"plan:{item.plan_id}")[-2:] == ["ending.proposed", "item.resolved"]


def test_one_person_lets_it_be_with_a_reason_and_by_an_authority(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    waive(store, item)
    (said,) = endings_of(item)
    assert (stored(item).state, said.reason, said.authority, stored(item).verified_by) == ("waived", WHY, RULE, "")


@pytest.mark.parametrize(
    ("deed", "said", "refusal"),
    [
        (resolve, {"evidence": " "}, BadEvidence), (resolve, {"evidence": "x" * 4001}, BadEvidence),
        (resolve, {"link": "javascript:alert(1)"}, BadEvidence), (resolve, {"link": "https://bank.example@evil.example/"}, BadEvidence),
        (resolve, {"reason": "x" * 2001}, ReasonTooLong),
        (resolve, {"left": ["x"] * 21}, BadEnding), (resolve, {"left": ["x" * 501]}, BadEnding),
        (waive, {"reason": " "}, ReasonMissing), (waive, {"authority": " "}, BadEnding), (waive, {"authority": "x" * 501}, BadEnding),
    ],
)  # fmt: skip
def test_without_grounds_nothing_ends(store: Shop, deed: Any, said: dict[str, Any], refusal: type[Exception]) -> None:
    item = added(store, done(store, "reserve"))
    with pytest.raises(refusal):
        deed(store, item, **said)
    assert (stored(item).state, endings_of(item)) == ("waiting", [])


def test_what_is_over_is_not_ended_again_and_the_refusal_is_kept(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    resolve(store, item)
    with pytest.raises(ItemOver) as refused:
        waive(store, item)
    assert refused.value.facts["state"] == "resolved"
    with inside():
        assert list(KeptRefusal.objects.values_list("type", "verb")) == [("item_over", "waive item")]


def test_the_same_key_ends_it_once_and_stands_for_nothing_else(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    first = resolve(store, item, key="k-1")
    assert resolve(store, item, key="k-1") == {**first, "replayed": True}
    with pytest.raises(KeyReused):
        resolve(store, item, key="k-1", evidence="Something else.")


def test_neither_strangers_nor_agents_end_it(store: Shop, rival: Shop) -> None:
    item = added(store, done(store, "reserve"))
    with pytest.raises(NotFound):
        resolve(rival, item)
    with pytest.raises(NotAnOperator):
        waive(store, item, "ann")
    hand(store, item, to_group="finance")
    waive(store, item, "ann")
    assert stored(item).state == "waived"


class TestASecondPerson:
    """Where the item needs two, the first one's word waits for another's."""

    def test_another_member_s_word_ends_it(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item, left=["The fee."])
        assert (said["stands"], stored(item).state, said["needs_second"]) == ("proposed", "waiting", True)
        with inside():
            asked = Copy.objects.filter(notice__kind="work_item.second_person").values_list(
                "member__user__name", flat=True
            )
            assert sorted(asked) == ["Dora Lindqvist"], "not whoever said it"
        assert confirm(store, said, reason="I saw it too.")["state"] == "resolved"
        (ending,) = endings_of(item)
        assert (ending.state, ending.decided_by_id) == ("in_force", store.members["dora"].pk)
        assert decode(stored(item).left.encode()) == ["The fee."]

    @pytest.mark.parametrize("via", ["page", "api"])
    def test_nobody_says_both_words_by_whatever_door(self, store: Shop, via: str) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = waive(store, item)
        with pytest.raises(SecondPerson):
            seconding.confirm(store.actor("oscar", via), said["ending"], key=key())
        with pytest.raises(SecondPerson):
            decline(store, said, "oscar")
        assert endings_of(item)[0].state == "proposed"

    def test_the_row_itself_refuses_one_person_s_word_for_both(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item)
        store.verified = False
        by_one = "update compensation_ending set state = 'in_force', decided_by_id = proposed_by_id where id = %s"
        with forger() as hand_, pytest.raises(Exception, match="compensation_ending_by_two"):
            hand_.execute(by_one, [said["ending"]])

    def test_whom_the_first_person_handed_it_to_is_no_second_person(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = waive(store, item)
        hand(store, item, to_group="finance")
        with pytest.raises(NotAnOperator):
            confirm(store, said, "ann")

    def test_who_is_on_its_ladder_says_the_second_word_wherever_it_was_handed(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True, owner_group="finance")
        hand(store, item, to_group="operators")
        with pytest.raises(NotAnOperator):
            resolve(store, item, "ann")
        assert confirm(store, resolve(store, item), "ann")["state"] == "resolved"

    def test_it_is_declined_with_a_reason_and_stays_open(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item)
        with pytest.raises(ReasonMissing):
            decline(store, said, reason=" ")
        assert decline(store, said)["stands"] == "declined"
        assert stored(item).state == "waiting"
        with pytest.raises(EndingDecided) as refused:
            confirm(store, said)
        assert (refused.value.facts["stands"], refused.value.facts["by"]) == ("declined", "Dora Lindqvist")

    def test_only_whoever_said_it_takes_it_back(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item)
        with pytest.raises(NotYourEnding):
            take_back(store, said, "dora")
        assert take_back(store, said)["stands"] == "withdrawn"
        assert resolve(store, item)["stands"] == "proposed", "and says it anew"
        assert [each.number for each in endings_of(item)] == [1, 2]

    def test_it_does_not_count_while_a_point_of_the_checklist_is_open_again(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True, checklist=["Call."])
        tick(store, item, 0)
        said = resolve(store, item)
        tick(store, item, 0, done=False)
        with pytest.raises(ChecklistOpen):
            confirm(store, said)
        tick(store, item, 0)
        assert confirm(store, said)["state"] == "resolved"

    def test_one_waits_at_a_time(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item)
        with pytest.raises(EndingWaits) as refused:
            waive(store, item, "dora")
        assert (refused.value.facts["ending"], refused.value.facts["by"]) == (said["ending"], "Oscar Wren")

    def test_it_does_not_count_when_whoever_said_it_may_not_act_any_more(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        said = resolve(store, item)
        store.change("oscar", active=False)
        with pytest.raises(EndingOutdated):
            confirm(store, said)
        assert stored(item).state == "waiting"

    def test_a_stranger_finds_nothing_to_confirm(self, store: Shop, rival: Shop) -> None:
        said = resolve(store, added(store, done(store, "reserve"), needs_second=True))
        for word in (confirm, decline, take_back):
            with pytest.raises(NotFound):
                word(rival, said)

    def test_the_clock_overtakes_nothing_that_still_waits(self, store: Shop) -> None:
        item = added(store, done(store, "reserve"), needs_second=True)
        resolve(store, item)
        with inside():
            assert overtake_due(store.office, 10) == 0
        assert endings_of(item)[0].state == "proposed"

    def test_it_is_overtaken_when_the_item_is_tried_again_by_itself(self, store: Shop) -> None:
        run = done(store, "charge")
        (item,) = plan(store, run, "charge")
        settle(claimed(), "overload", delay=5, http=503)
        said = resolve(store, item)
        assert said["stands"] == "proposed"
        with clock.at(6):
            row = claimed()
            with pytest.raises(ItemAtWork):
                confirm(store, said)
            assert sweep()["endings overtaken"] == 1
            with pytest.raises(EndingDecided):
                confirm(store, said)
            answer([row])
            sweep()
        assert (stored(item).state, endings_of(item)[0].state) == ("done", "overtaken")
        assert "ending.overtaken" in kinds(f"plan:{item.plan_id}")

    def test_whoever_confirms_what_was_overtaken_is_told_and_it_is_marked(self, store: Shop) -> None:
        run = done(store, "charge")
        (item,) = plan(store, run, "charge")
        settle(claimed(), "overload", delay=5, http=503)
        said = resolve(store, item)
        with clock.at(6):
            settle(claimed(), "rejected")
            with pytest.raises(EndingOutdated):
                confirm(store, said)
        assert endings_of(item)[0].state == "overtaken"
