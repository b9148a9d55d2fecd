"""What is planned from what happened, purely: as the contracts say, and the same however often and in whatever order it is asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as some

from compensation.plans.order import FEW
from compensation.plans.planning import (
    COVERED,
    DID_NOT_HAPPEN,
    NOT_BY_ITSELF,
    OF_COMPENSATION,
    ONLY_READS,
    Case,
    Known,
    Planned,
    Planning,
    plan,
    weight,
)
from compensation.states import (
    ASKED,
    CANCELLED,
    EFFECT,
    FOR_ORDER,
    FOR_PERSON,
    FOR_RECONCILIATION,
    MANUAL,
    MUST_BE_UNDONE,
    PARTIAL,
)
from runs.contracts.undoing import Undoing, undoing
from runs.states import EFFECT_STATES, IN_FLIGHT, SUCCEEDED, UNKNOWN

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TAKES = {"release": ["receipt"], "refund": ["receipt", "amount"], "fetch": ["to"]}
ON = frozenset({"cancelled", "failed", "expired", "partial"})
ITEM = UUID(int=9000)


def effect(
    number: int, operation: str = "reserve", state: str = SUCCEEDED, says: Undoing | None = None, **more: Any
) -> Known:
    says = says or Undoing(operation="release", on=ON)
    given: dict[str, Any] = {"arguments": {"to": "bob", "amount": "20"}, "result": {"receipt": f"r-{number}"}} | more
    return Known(
        id=UUID(int=number),
        number=number,
        operation=operation,
        undoing=says,
        state=state,
        summary=f"Effect {number}",
        **given,
    )


def planned(
    *effects: Known, cause: str = CANCELLED, named: list[Known] | None = None, reason: str = "Not wanted."
) -> Planning:
    asked = None if named is None else frozenset(each.id for each in named)
    return plan(effects, Case(cause=cause, reason=reason, now=NOW, takes=TAKES, named=asked))


def why_not(*effects: Known, **more: Any) -> list[str]:
    found = planned(*effects, **more)
    assert found.items == ()
    return [each.why for each in found.left]


def one(found: Planning) -> Planned:
    (item,) = found.items
    return item


def said(**section: Any) -> Undoing:
    return undoing({"operation": "release"} | section, consequential=False)


def test_an_item_has_all_that_the_contract_says_of_it() -> None:
    """R-J1."""
    says = said(
        arguments={"receipt": "{result.receipt}", "why": "{reason}", "id": "{effect.id}"}, deadline_seconds=3600, authority="Finance.",
        residue=["A fee."], verification="The statement.", second_person=True, owner="finance", checklist=["Ring."], on=["cancelled"],
        unchanged=[{"path": "body.status", "equals": "held"}], ladder=[{"after_seconds": 60, "to": "support"}], need="allowed",
    )  # fmt: skip
    item = one(planned(effect(1, says=says, target="room:7")))
    assert (item.kind, item.operation, item.need, item.target) == (EFFECT, "release", "allowed", "room:7")
    assert item.arguments == f'{{"id":"{UUID(int=1)}","receipt":"r-1","why":"Not wanted."}}'
    assert item.expects == '[{"equals":"held","path":"body.status"}]'
    assert (item.deadline_at, item.authority, item.residue) == (NOW + timedelta(hours=1), "Finance.", '["A fee."]')
    assert (item.verification, item.needs_second, item.owner_group) == ("The statement.", True, "finance")
    assert item.ladder == '[{"after_seconds":60,"to":"support"}]'
    assert item.checklist == '[{"done_at":null,"done_by":null,"text":"Ring."}]'
    assert (item.waits_for, item.summary) == ("", "Compensate: Effect 1")


def test_without_arguments_those_of_the_same_name_are_taken() -> None:
    assert one(planned(effect(1, says=said(operation="fetch", on=["cancelled"])))).arguments == '{"to":"bob"}'


def test_hostile_values_are_filled_in_as_data() -> None:
    says = said(arguments={"receipt": "{result.receipt}", "why": "{reason}"}, on=["cancelled"])
    item = one(planned(effect(1, says=says, result={"receipt": "{secret.bank-token}"}), reason="{arguments.amount}"))
    assert item.arguments == '{"receipt":"{secret.bank-token}","why":"{arguments.amount}"}'


def test_what_the_answer_does_not_give_is_left_to_whoever_begins_it() -> None:
    says = said(arguments={"receipt": "no. {result.receipt}"}, on=["cancelled"])
    item = one(planned(effect(1, says=says, result={})))
    assert (item.kind, item.arguments) == (EFFECT, "")


@pytest.mark.parametrize("state", sorted(set(EFFECT_STATES) - IN_FLIGHT - {UNKNOWN, SUCCEEDED, "partial"}))
def test_what_did_not_happen_is_not_made_good_for(state: str) -> None:
    assert why_not(effect(1, state=state)) == [DID_NOT_HAPPEN]


@pytest.mark.parametrize("state", sorted(IN_FLIGHT | {UNKNOWN}))
def test_what_may_have_happened_waits_until_that_is_known(state: str) -> None:
    item = one(planned(effect(1, state=state)))
    assert (item.waits_for, item.arguments, item.expects) == (FOR_RECONCILIATION, "", "")


def test_what_only_reads_is_not_made_good_for() -> None:
    assert why_not(effect(1, reads=True), cause=ASKED) == [ONLY_READS]


def test_by_itself_only_that_is_planned_whose_contract_says_so() -> None:
    silent, speaking = effect(1, says=Undoing(operation="release")), effect(2)
    found = planned(silent, speaking)
    assert [each.effect for each in found.items] == [speaking.id]
    assert [each.why for each in found.left] == [NOT_BY_ITSELF]


def test_who_asks_gets_also_what_is_not_planned_by_itself() -> None:
    silent = effect(1, says=Undoing(operation="release"))
    assert one(planned(silent, effect(2), cause=ASKED, named=[silent])).effect == silent.id


@pytest.mark.parametrize(
    ("more", "says", "why"),
    [
        ({"irreversible": True}, Undoing(why_none="Sent is sent.", on=ON), "It cannot be undone. Sent is sent."),
        ({}, Undoing(why_none="Read is read.", on=ON), "No operation makes good for it. Read is read."),
        ({}, Undoing(operation="gone", on=ON), "The contract of gone, which would make good for it, is not in force."),
    ],
)
def test_what_no_operation_makes_good_for_is_a_persons_work_and_says_so(more: Any, says: Undoing, why: str) -> None:
    item = one(planned(effect(1, says=replace(says, instructions="Call them."), **more)))
    assert (item.kind, item.operation, item.waits_for, item.state_reason) == (MANUAL, "", FOR_PERSON, why)
    assert item.instructions == f"{why}\n\nCall them."


def test_what_makes_good_for_something_is_not_made_good_for_itself() -> None:
    first = effect(1)
    assert why_not(effect(2, compensates=first.id), cause=ASKED) == [OF_COMPENSATION]


def test_a_person_who_finds_that_it_must_be_undone_all_the_same_gets_a_work_item_for_people() -> None:
    again = effect(2, compensates=UUID(int=1))
    item = one(planned(again, cause=MUST_BE_UNDONE, named=[again]))
    assert (item.kind, item.waits_for) == (MANUAL, FOR_PERSON)
    assert item.state_reason.startswith("It makes good for something itself")


def test_unless_its_contract_says_so_and_somebody_names_it() -> None:
    again = effect(2, compensates=UUID(int=1), says=Undoing(operation="release", of_compensation=True, on=ON))
    assert one(planned(again, cause=ASKED, named=[again])).effect == again.id
    assert why_not(again, cause=ASKED) == [OF_COMPENSATION]
    assert why_not(again, cause=CANCELLED) == [OF_COMPENSATION]


def test_what_is_covered_is_not_planned_again_and_the_item_is_named() -> None:
    found = planned(effect(1, item=ITEM), cause=ASKED)
    assert [(each.why, each.item) for each in found.left] == [(COVERED, ITEM)]


def test_order_is_as_contracts_say_and_not_simply_backwards() -> None:
    """R-J1: `charge` was done last and is made good for last, because its contract says so; the others run side by side."""
    last = Undoing(operation="refund", on=ON, after=("reserve",))
    found = planned(effect(1), effect(2, "post"), effect(3), effect(4, "charge", says=last))
    assert [each.turn.few for each in found.items] == [(), (), (), (UUID(int=1), UUID(int=3))]
    assert [each.turn.steps for each in found.items] == [(), (), (), ("reserve",)]
    assert [each.waits_for for each in found.items] == ["", "", "", FOR_ORDER]


def test_it_waits_for_items_that_stand_already_while_they_are_open() -> None:
    last = Undoing(operation="refund", on=ON, after=("reserve",))
    earlier, over = effect(1, item=ITEM, item_open=True), effect(2, item=ITEM)
    turn = one(planned(earlier, over, effect(3, "charge", says=last))).turn
    assert (turn.steps, turn.earlier, turn.count, turn.few) == ((), ("reserve",), 1, (earlier.id,))


def test_a_circle_of_contracts_of_different_versions_ends_at_what_was_done_last() -> None:
    one_, two = Undoing(operation="release", on=ON, after=("b",)), Undoing(operation="release", on=ON, after=("a",))
    found = planned(effect(1, "a", says=one_), effect(2, "b", says=two))
    assert [each.turn.few for each in found.items] == [(UUID(int=2),), ()]


def test_a_plan_is_approved_first_where_one_contract_says_so() -> None:
    careful = effect(1, says=Undoing(operation="release", on=ON, plan_first=True))
    assert planned(careful, effect(2)).approve_first
    assert not planned(replace(careful, state="failed"), effect(2)).approve_first


def test_weight_goes_from_nothing_to_nine() -> None:
    assert weight(effect(1, tier="low")) == 0
    assert weight(effect(1)) == 2
    assert weight(effect(1, tier="high", consequential=True, irreversible=True)) == 9


def test_only_what_was_done_in_part_is_planned_for_that() -> None:
    assert one(planned(effect(1, state="partial"), cause=PARTIAL)).effect == UUID(int=1)


OPERATIONS = ["reserve", "charge", "post", "note"]
EFFECTS = some.lists(
    some.builds(
        lambda operation, state, after, **more: (operation, state, after, more),
        some.sampled_from(OPERATIONS), some.sampled_from(EFFECT_STATES), some.lists(some.sampled_from(OPERATIONS), unique=True),
        irreversible=some.booleans(), reads=some.booleans(),
    ),
    max_size=30,
).map(
    lambda drawn: [
        effect(number, operation, state, Undoing(operation="release", on=ON, after=tuple(after)), **more)
        for number, (operation, state, after, more) in enumerate(drawn, 1)
    ]
)  # fmt: skip


@given(EFFECTS, some.randoms())
def test_the_same_facts_give_the_same_plan_in_whatever_order_they_come(effects: list[Known], chance: Any) -> None:
    mixed = effects.copy()
    chance.shuffle(mixed)
    assert planned(*effects) == planned(*mixed)


@given(EFFECTS)
def test_planning_again_adds_nothing(effects: list[Known]) -> None:
    """Idempotent: once its items stand, the same cause finds nothing to do."""
    covered = {each.effect for each in planned(*effects).items}
    again = [replace(each, item=ITEM, item_open=True) if each.id in covered else each for each in effects]
    assert planned(*again).items == ()


@given(EFFECTS)
def test_whatever_happened_or_may_have_has_one_item_and_nothing_else_has(effects: list[Known]) -> None:
    happened = {
        each.id for each in effects if each.state in {SUCCEEDED, "partial", UNKNOWN, *IN_FLIGHT} and not each.reads
    }
    found = [each.effect for each in planned(*effects).items]
    assert len(found) == len(set(found))
    assert set(found) == happened


@given(EFFECTS)
def test_nothing_waits_for_itself_however_contracts_contradict_each_other(effects: list[Known]) -> None:
    items = planned(*effects).items
    waiting = {each.effect: {other.effect for other in items if other.step in each.turn.steps} for each in items}
    while waiting:
        free = [name for name, names in waiting.items() if not names & waiting.keys()]
        assert free, waiting
        for name in free:
            del waiting[name]


@given(EFFECTS, some.sets(some.integers(1, 30)))
def test_the_steps_that_come_first_are_just_the_effects_that_contracts_name(
    effects: list[Known], standing: set[int]
) -> None:
    """Of contracts that make no circle: nothing that comes first is lost, and nothing is added, in the plan or of what stands already."""
    known = [_in_no_circle(each, standing=each.number in standing) for each in effects]
    items = planned(*known).items
    chosen = {each.effect for each in items}
    for item in items:
        named = known[item.effect.int - 1].undoing.after
        first = {each.id for each in known if each.operation in named and (each.item_open or each.id in chosen)}
        mine = {each.effect for each in items if each.step in item.turn.steps}
        theirs = {each.id for each in known if each.item_open and each.operation in item.turn.earlier}
        assert (mine | theirs, item.turn.count) == (first, len(first))
        assert {*item.turn.few} <= first
        assert len(item.turn.few) == min(len(first), FEW)


def _in_no_circle(each: Known, *, standing: bool) -> Known:
    after = tuple(name for name in each.undoing.after if OPERATIONS.index(name) < OPERATIONS.index(each.operation))
    item: dict[str, Any] = {"item": ITEM, "item_open": True} if standing else {}
    return replace(each, undoing=replace(each.undoing, after=after), **item)


def test_planning_is_linear_in_effects() -> None:
    """Of many that come after many each names the step, and a few: what is planned grows with the effects, not with their pairs."""
    last = Undoing(operation="refund", on=ON, after=("reserve",))
    many = [*(effect(n) for n in range(1, 501)), *(effect(n, "charge", says=last) for n in range(501, 1001))]
    turns = [each.turn for each in planned(*many).items if each.operation == "refund"]
    assert {(turn.steps, turn.count, len(turn.few)) for turn in turns} == {(("reserve",), 500, FEW)}
    assert len(turns) == 500


@pytest.mark.parametrize("cause", ["cancelled", "failed", "expired"])
def test_what_cleaned_up_is_not_undone_by_the_closing_but_where_somebody_asks(cause: str) -> None:
    cleaned = effect(1, cleanup=True)
    assert why_not(cleaned, cause=cause) == [NOT_BY_ITSELF]
    assert one(planned(cleaned, cause=ASKED)).effect == cleaned.id
