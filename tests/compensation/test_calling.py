"""What calls for compensation by itself is planned by the clock, once: runs that close, and effects that must be undone."""

from uuid import UUID

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from compensation.plans import calling
from console.database import alias
from runs import finishing
from runs import sweep as passing
from runs.driving import CompensationOpen
from runs.models import Effect
from runs.sweep import CLOCK
from tests import clock
from tests.approvals.lending import ONE, approve, lending, loan
from tests.cancels import cancel
from tests.cast import inside
from tests.compensation.undoing import WHY, answer, begun, done, item_of, items_of, planned, plans_of, undone_by
from tests.shop import Shop, draft
from tests.unsure import confirm, find
from tests.work import claim, claimed, follow, settle, sweep


def closing(shop: Shop, run: UUID, toward: str = "cancelled") -> None:
    """Have a run close: cancelled by an operator, or given up by its driver."""
    if toward == "failed":
        shop.fail(run, WHY)
    else:
        cancel(shop, run, reason=WHY)
    assert (shop.state(run), shop.run(run).compensation) == ("closing", "due")


def test_a_run_that_closes_is_planned_for_by_what_it_closes_toward(store: Shop) -> None:
    run = done(store, "reserve", "charge", "book")
    closing(store, run, "failed")
    assert sweep()["compensation planned"] == 1
    (plan,) = plans_of(run)
    assert (plan.cause, plan.reason, plan.asked_by) == ("failed", WHY, "system:clock")
    assert [each.operation for each in items_of(run)] == ["release", "refund"]
    assert store.run(run).compensation == "open"
    assert "compensation planned" not in sweep()


def test_a_run_that_has_nothing_to_make_good_for_after_all_comes_to_its_end(store: Shop) -> None:
    run = begun(store, "reserve")
    row = claimed()
    closing(store, run)
    settle(row, "rejected")
    assert sweep()["compensation planned"] == 1
    assert (store.state(run), store.run(run).compensation, plans_of(run)) == ("cancelled", "over", [])


def test_a_run_in_which_somebody_asked_before_goes_on_with_that_until_it_is_over(store: Shop) -> None:
    run = done(store, "reserve")
    planned(store, run)
    closing(store, run)
    sweep()
    assert (store.state(run), store.run(run).compensation, len(plans_of(run))) == ("closing", "open", 1)
    answer(claim())
    sweep()
    assert (store.state(run), store.run(run).compensation) == ("cancelled", "over")


def test_one_pass_plans_for_all_runs_batch_by_batch(store: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "MOST_RUNS", 2)
    monkeypatch.setitem(passing.FULL, "compensation planned", 2)
    runs = [done(store, "reserve") for _ in range(5)]
    for run in runs:
        closing(store, run)
    assert sweep()["compensation planned"] == 5
    assert {len(items_of(run)) for run in runs} == {1}


def test_many_runs_are_planned_for_at_once(store: Shop) -> None:
    runs = [done(store, "reserve", "charge") for _ in range(5)]
    for run in runs:
        closing(store, run)
    with inside():
        assert calling.plan_closing(CLOCK, 3) == 3
    with inside():
        assert calling.plan_closing(CLOCK, 3) == 2
    assert {len(items_of(run)) for run in runs} == {2}


def test_many_runs_take_as_many_statements_as_few(store: Shop) -> None:
    assert _statements(store, 12) == _statements(store, 3)


def _statements(shop: Shop, runs: int) -> int:
    """Count what planning for so many runs takes, each with two effects in an order."""
    for _ in range(runs):
        closing(shop, done(shop, "reserve", "charge"))
    with inside(), CaptureQueriesContext(connections[alias()]) as captured:
        assert calling.plan_closing(CLOCK, 100) == runs
    return len(captured)


def test_what_a_person_found_must_be_undone_is_planned_for_whatever_its_contract_says(store: Shop) -> None:
    run = begun(store, "lend")
    settle(claim(), "unknown", http=None)
    found = find(store, store.effect(run, "lend"), "must_be_undone", result={"receipt": "r-1"})
    if found["needs_second"]:
        confirm(store, found, "ben")
    assert sweep()["compensation called for"] == 1
    (plan,) = plans_of(run)
    assert (plan.cause, plan.state) == ("must_be_undone", "proposed")
    assert item_of(run, "lend").operation == "fetch"
    assert "compensation called for" not in sweep()


def test_what_was_done_in_part_is_planned_for_where_the_contract_says_so(store: Shop) -> None:
    run = begun(store, "charge", "reserve")
    answer(claim(), "partial", http=207)
    assert sweep()["compensation called for"] == 1
    (plan,) = plans_of(run)
    assert plan.cause == "partial"
    assert [each.operation for each in items_of(run)] == ["refund"]
    assert "compensation called for" not in sweep()


@pytest.mark.parametrize("outcome", ["succeeded", "rejected"])
def test_what_overran_its_approval_is_planned_for_once_it_happened(shop: Shop, outcome: str) -> None:
    """The policy says `finish_then: compensate`; whether there is anything to make good for is known when it is over."""
    lending(shop, ONE, ", finish: {within_seconds: 60, then: compensate}")
    run, request = loan(shop)
    approve(shop, request)
    follow()
    row = claim(lease=300)[0]
    with clock.at(61):
        assert sweep()["compensation called for"] == 1
        item = item_of(run, "loan")
        assert (plans_of(run)[0].cause, item.state, item.waits_for) == ("overran", "waiting", "reconciliation")
        settle(row, outcome)
    assert shop.effect(run, "loan").watch == 2


def test_what_overran_is_planned_for_although_a_person_found_first_that_it_happened(shop: Shop) -> None:
    lending(shop, ONE, ", finish: {within_seconds: 60, then: compensate}")
    run, request = loan(shop)
    approve(shop, request)
    follow()
    settle(claim(lease=300)[0], "unknown", http=None)
    with clock.at(61):
        with inside():
            assert finishing.follow_due(CLOCK, 10) == 1
        found = find(shop, shop.effect(run, "loan"))
        if found["needs_second"]:
            confirm(shop, found, "ben")
        assert sweep()["compensation called for"] == 1
    assert [plan.cause for plan in plans_of(run)] == ["overran"]


def test_a_plan_for_one_effect_does_not_stand_for_the_plan_of_the_run_that_closes(store: Shop) -> None:
    run = begun(store, "charge", "reserve")
    first, second = claim()
    answer([first], "partial", http=207)
    answer([second])
    closing(store, run)
    with inside():
        assert calling.plan_called_for(CLOCK, 10) == 1
    assert store.run(run).compensation == "due"
    with inside():
        assert calling.plan_closing(CLOCK, 10) == 1
    assert [each.operation for each in items_of(run)] == ["refund", "release"]
    assert [plan.cause for plan in plans_of(run)] == ["partial", "cancelled"]


PARTLY = "  operation: null\n  why_none: Nobody takes half a parcel back.\n  instructions: Fetch it.\n  on: [partial]\n"


def test_a_run_does_not_end_before_what_a_person_found_must_be_undone_is_planned(store: Shop) -> None:
    run = begun(store, "lend")  # whose contract plans nothing by itself
    settle(claimed(), "unknown", http=None)
    cancel(store, run, reason=WHY)
    find(store, store.effect(run, "lend"), "must_be_undone")
    assert store.state(run) == "closing"
    sweep()
    assert (store.state(run), store.run(run).compensation, len(items_of(run))) == ("closing", "open", 1)


def test_a_run_that_was_given_up_does_not_end_before_what_was_done_in_part_is_planned(store: Shop) -> None:
    assert not store.apply(undone_by("parcel", PARTLY))[0].faults
    run = begun(store, "parcel")
    row = claimed()
    store.fail(run)
    answer([row], "partial", http=207)
    assert store.state(run) == "closing"
    sweep()
    assert (store.state(run), store.run(run).compensation) == ("closing", "open")


def test_where_nothing_comes_of_it_the_run_that_waited_for_it_ends(store: Shop) -> None:
    run = begun(store, "reserve")
    settle(claimed(), "unknown", http=None)
    with inside():
        Effect.objects.filter(run=run).update(undo_due=True)  # its approval gave it less time than it took
    store.fail(run)
    planned(store, run, "reserve")
    find(store, store.effect(run, "reserve"), "did_not_happen", "give_up")
    sweep()
    assert (store.state(run), store.run(run).compensation) == ("failed", "over")


def test_a_run_is_not_completed_before_what_calls_for_compensation_is_planned(store: Shop) -> None:
    assert not store.apply(undone_by("parcel", PARTLY))[0].faults
    run = store.accept(draft("a", "20", "parcel", required=False))
    answer(claim(), "partial", http=207)
    with pytest.raises(CompensationOpen) as refused:
        store.complete(run)
    assert refused.value.facts["compensation"] == "due"
