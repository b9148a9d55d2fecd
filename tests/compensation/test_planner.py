"""Plans as they are written down: in the record, with the items' order, and the run saying that it compensates."""

from compensation.plans.order import FEW
from tests.compensation.undoing import answer, begun, done, item_of, items_of, planned, plans_of
from tests.record import kinds, told
from tests.shop import Shop
from tests.work import claim, settle, sweep


def test_a_plan_and_its_items_are_written_down_and_the_run_says_so(store: Shop) -> None:
    """R-J1: what is planned stands in the record, whole."""
    run = done(store, "reserve", "charge")
    made = planned(store, run, "reserve", "charge")
    assert made is not None
    assert (made.number, made.state, made.cause, made.asked_by) == (1, "in_force", "asked", str(store.office))
    assert [(each.number, each.operation, each.need) for each in items_of(run)] == [
        (1, "release", "required"),
        (2, "refund", "required"),
    ]
    assert kinds(f"plan:{made.pk}")[:3] == ["plan.made", "item.planned", "item.planned"]
    assert store.run(run).compensation == "open"
    assert ("run.compensating", {"to": "open"}) in told(f"run:{run}")


def test_what_comes_first_by_contract_is_named_by_its_item(store: Shop) -> None:
    run = done(store, "reserve", "charge", "reserve")
    planned(store, run)
    charge = item_of(run, "charge")
    assert set(charge.after) == {item_of(run, "reserve").pk, item_of(run, "reserve-2").pk}
    assert (charge.state, charge.waits_for) == ("waiting", "order")


def test_many_that_come_after_many_name_their_step_and_wait_for_all_of_it(store: Shop) -> None:
    """Planning is linear in effects: no item holds what comes before it one by one, and none begins before all of that is over."""
    run = done(store, *["reserve"] * 12, "charge", "charge")
    planned(store, run)
    charges = [each for each in items_of(run) if each.step == "charge"]
    assert {(each.after_count, len(each.after), *each.after_steps) for each in charges} == {(12, FEW, "reserve")}
    *first, last = claim()
    answer(first)
    sweep()
    assert {(each.state, each.waits_for) for each in items_of(run) if each.step == "charge"} == {("waiting", "order")}
    answer([last])
    sweep()
    assert {each.state for each in items_of(run) if each.step == "charge"} == {"running"}


def test_what_was_over_when_a_plan_was_made_holds_nothing_of_it_back(store: Shop) -> None:
    """Steps of plans before count while they are open: what is planned once they are over begins at once, and so its page says."""
    run = done(store, "reserve", "charge")
    planned(store, run, "reserve")
    answer(claim())
    sweep()
    planned(store, run, "charge")
    charge = item_of(run, "charge")
    assert (charge.state, charge.after_earlier, charge.after_count) == ("running", [], 0)


def test_planning_again_finds_nothing_to_do(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    assert planned(store, run) is not None
    assert planned(store, run) is None
    assert (len(plans_of(run)), len(items_of(run))) == (1, 2)


def test_what_was_left_out_comes_in_a_plan_of_its_own_and_waits_for_what_is_open(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    planned(store, run, "reserve")
    second = planned(store, run, "charge")
    assert second is not None
    assert (second.number, [each.number for each in items_of(run)]) == (2, [1, 2])
    charge = item_of(run, "charge")
    assert (charge.after, charge.after_earlier, charge.after_steps) == ([item_of(run, "reserve").pk], ["reserve"], [])


def test_where_nothing_happened_there_is_no_plan_and_the_run_says_nothing(store: Shop) -> None:
    run = begun(store, "reserve")
    settle(claim(), "rejected")
    assert planned(store, run) is None
    assert store.run(run).compensation == ""


def test_by_its_cause_only_that_is_planned_whose_contract_says_so(store: Shop) -> None:
    run = done(store, "reserve", "lend", "book")
    planned(store, run, cause="failed", reason="It failed.")
    assert [each.operation for each in items_of(run)] == ["release"]


def test_a_plan_that_somebody_approves_first_begins_nothing(store: Shop) -> None:
    run = done(store, "reserve", "lend")
    made = planned(store, run)
    assert made is not None
    assert made.state == "proposed"
    assert {(each.state, each.waits_for) for each in items_of(run)} == {("waiting", "plan")}
    assert store.run(run).compensation == "open"
    other = done(store, "reserve")
    asked = planned(store, other, plan_first=True)
    assert asked is not None
    assert asked.state == "proposed"


def test_what_may_have_happened_is_listened_to(store: Shop) -> None:
    run = begun(store, "reserve")
    settle(claim(), "unknown", http=None)
    planned(store, run)
    item = item_of(run, "reserve")
    assert (item.state, item.waits_for, item.arguments) == ("waiting", "reconciliation", "")
    assert store.effect(run, "reserve").watch == 1


def test_what_nobody_can_undo_is_a_persons_work_with_instructions(store: Shop) -> None:
    run = done(store, "notify")
    planned(store, run)
    item = item_of(run, "notify")
    assert (item.kind, item.operation, item.state, item.waits_for) == ("manual", "", "waiting", "person")
    assert item.instructions.startswith(
        "No operation makes good for it. What was read cannot be unread.\n\nCall the customer"
    )
    assert (item.owner_group, item.need) == ("support", "allowed")
    assert "Write down what was said." in item.checklist
