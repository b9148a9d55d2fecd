"""A plan that waits for somebody's word: approved or declined once, and where two are needed not by whoever asked for it (R-J1)."""

from typing import Any

import pytest

from compensation.deeds.plans import PlanDecided
from compensation.models import Plan
from compensation.queries.desk import count_needing
from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound
from runs.unknowns.seconding import SecondPerson
from runs.unknowns.standing import NotAnOperator
from tests.cancels import cancel
from tests.cast import inside
from tests.compensation.byhand import approve, retry, stored, turn_down, waive
from tests.compensation.test_asking import ask
from tests.compensation.undoing import SECTIONS, answer, begun, done, items_of, plans_of, undone_by
from tests.compensation.working import acting, plan, stood
from tests.record import kinds
from tests.shop import Shop
from tests.work import claim, claimed, settle, sweep


def proposed(shop: Shop, *operations: str, **more: Any) -> Plan:
    """Have a plan that waits for somebody's word."""
    run = done(shop, *operations)
    plan(shop, run, *operations, state="proposed", **more)
    return plans_of(run)[0]


def plan_first(shop: Shop) -> None:
    """Have plans that give reservations back wait for somebody's word."""
    shop.apply(undone_by("reserve", SECTIONS["reserve"].strip("\n") + "\n  plan_first: true\n", version=2))


def test_nothing_runs_before_and_everything_begins_with_the_word(store: Shop) -> None:
    waits = proposed(store, "reserve", "notify")
    assert stood(waits.run_id) == {"reserve": ("waiting", "plan"), "notify": ("waiting", "plan")}
    assert approve(store, waits)["state"] == "in_force"
    assert stood(waits.run_id) == {"reserve": ("running", ""), "notify": ("waiting", "person")}
    assert acting(waits.run_id, "reserve").state == "ready"
    (decided,) = plans_of(waits.run_id)
    assert (decided.decided_by_id, decided.decided_at is not None) == (store.members["oscar"].pk, True)
    assert "plan.approved" in kinds(f"plan:{waits.pk}")


def test_declined_it_leaves_everything_as_it_is(store: Shop) -> None:
    waits = proposed(store, "reserve", "notify")
    with pytest.raises(ReasonMissing):
        turn_down(store, waits, reason=" ")
    assert turn_down(store, waits)["state"] == "declined"
    assert stood(waits.run_id) == {"reserve": ("dropped", ""), "notify": ("dropped", "")}
    assert store.run(waits.run_id).compensation == "over"
    assert len(plan(store, waits.run_id, "reserve")) == 3, "another plan may cover it later"


def test_declined_while_its_run_closes_it_leaves_what_the_closing_calls_for(store: Shop) -> None:
    """R-J1: as where the no came before the closing; that somebody had planned it first is no reason to let it be."""
    run = done(store, "reserve", "notify")
    ask(store, run, "reserve", plan_first=True)
    cancel(store, run)
    sweep()
    turn_down(store, plans_of(run)[0])
    sweep()
    assert [(each.cause, each.state) for each in plans_of(run)][-1] == ("cancelled", "in_force")
    assert [each.state for each in items_of(run) if each.operation == "release"] == ["dropped", "running"]
    assert (store.state(run), store.run(run).compensation) == ("closing", "open")
    answer(claim())
    sweep()
    assert store.state(run) == "cancelled"


def test_a_no_to_the_plan_of_the_closing_itself_waives_nothing(store: Shop) -> None:
    """R-J2: nothing of it begins by itself, and each required item is tried, ended by hand or waived, by as many as that needs."""
    plan_first(store)
    run = done(store, "reserve")
    cancel(store, run)
    sweep()
    turn_down(store, plans_of(run)[0])
    sweep()
    assert (store.state(run), len(plans_of(run)), stood(run)) == ("closing", 1, {"reserve": ("waiting", "person")})
    assert "Its plan was declined" in items_of(run)[0].state_reason
    assert claim() == []
    retry(store, items_of(run)[0])
    answer(claim())
    sweep()
    assert (store.state(run), stood(run)) == ("cancelled", {"reserve": ("done", "")})


def test_what_was_left_by_a_declined_plan_is_waived_by_name(store: Shop) -> None:
    plan_first(store)
    run = done(store, "reserve")
    cancel(store, run)
    sweep()
    turn_down(store, plans_of(run)[0])
    waive(store, items_of(run)[0])
    assert (store.state(run), stood(run)) == ("cancelled", {"reserve": ("waived", "")})
    assert "Waived" in store.run(run).residue


def test_what_is_not_known_yet_is_left_to_people_once_it_is(store: Shop) -> None:
    plan_first(store)
    run = begun(store, "reserve", "reserve")
    first, second = claim()
    cancel(store, run)
    sweep()
    turn_down(store, plans_of(run)[0])
    assert stood(run) == {"reserve": ("waiting", "reconciliation"), "reserve-2": ("waiting", "reconciliation")}
    settle(first)
    settle(second, "rejected")
    sweep()
    assert stood(run) == {"reserve": ("waiting", "person"), "reserve-2": ("dropped", "")}
    assert store.state(run) == "closing"


def test_it_is_decided_once_and_says_by_whom(store: Shop) -> None:
    waits = proposed(store, "reserve")
    turn_down(store, waits)
    for deed in (approve, turn_down):
        with pytest.raises(PlanDecided) as refused:
            deed(store, waits, "dora")
        facts = refused.value.facts
        assert (facts["state"], facts["by"], facts["reason"]) == ("declined", "Oscar Wren", "Let it be.")


def test_only_who_operates_decides(store: Shop, rival: Shop) -> None:
    waits = proposed(store, "reserve")
    for deed in (approve, turn_down):
        with pytest.raises(NotAnOperator):
            deed(store, waits, "ann")
        with pytest.raises(NotFound):
            deed(rival, waits)
    assert plans_of(waits.run_id)[0].state == "proposed"


def test_where_an_item_needs_two_whoever_answers_for_the_agent_that_asked_does_not_approve(store: Shop) -> None:
    store.change("ben", roles=["operator"])
    waits = proposed(store, "charge", needs_second=True)  # the bot asked, and ben answers for it
    with pytest.raises(SecondPerson):
        approve(store, waits, "ben")
    approve(store, waits)
    assert stored(plan(store, waits.run_id)[0]).state == "running"


def test_where_one_is_enough_whoever_answers_for_the_agent_approves(store: Shop) -> None:
    store.change("ben", roles=["operator"])
    waits = proposed(store, "reserve")
    assert approve(store, waits, "ben")["state"] == "in_force"


def test_a_run_that_waited_only_for_the_word_ends_with_it(store: Shop) -> None:
    run = done(store, "notify")
    plan(store, run, "notify", state="proposed", need="allowed")
    cancel(store, run)
    sweep()
    assert (store.state(run), store.run(run).compensation) == ("closing", "open"), "a plan waits for its word"
    approve(store, plans_of(run)[0])
    assert (store.state(run), store.run(run).compensation) == ("cancelled", "over"), (
        "what is only allowed keeps nothing"
    )
    assert stood(run) == {"notify": ("waiting", "person")}


def test_a_plan_of_which_nothing_is_left_to_do_waits_for_nobody(store: Shop) -> None:
    run = begun(store, "reserve")
    row = claimed()
    plan(store, run, "reserve", state="proposed")
    cancel(store, run)
    sweep()
    assert store.state(run) == "closing"
    settle(row, "rejected")
    sweep()
    (emptied,) = plans_of(run)
    assert (emptied.state, emptied.decided_by_id, kinds(f"plan:{emptied.pk}")[-1]) == ("in_force", None, "plan.emptied")
    assert stood(run) == {"reserve": ("dropped", "")}
    assert (store.state(run), store.run(run).compensation) == ("cancelled", "over")
    with inside():
        assert count_needing(emptied.tenant_id, 10) == 0, "nobody is asked for a word about nothing"


def test_a_plan_whose_items_people_ended_meanwhile_waits_for_nobody(store: Shop) -> None:
    waits = proposed(store, "reserve", "notify")
    for item in items_of(waits.run_id):
        assert plans_of(waits.run_id)[0].state == "proposed"
        waive(store, item)
    assert plans_of(waits.run_id)[0].state == "in_force"
    assert store.run(waits.run_id).compensation == "over"
    with pytest.raises(PlanDecided):
        approve(store, waits)
