"""Work items begin when their turn has come: each as an effect of its own, in the order of its plan, called with what happened (R-J)."""

import pytest

from compensation.working import starting
from compensation.working.starting import MayHaveHappened, NobodyTries
from console import clock
from runs.models import OperationContract, Run
from tests.cancels import cancel
from tests.cast import inside
from tests.compensation.byhand import waive
from tests.compensation.undoing import SECTIONS, WHY, answer, begun, done, item_of, makes_good
from tests.compensation.working import acting, held, plan, stood
from tests.halting import of_run, paused
from tests.shop import Shop, operation
from tests.work import claim, claimed, settle, sweep

DENY = """
{apiVersion: counterfoil/v1, kind: Policy, name: backward, version: 1, description: No way back., operations: [refund],
 rules: [], otherwise: deny}
"""


def test_an_item_begins_as_an_effect_of_its_own_with_its_own_key(store: Shop) -> None:
    """R-J2: a compensation is a new effect, with a key of its own, that makes good for the first and follows from what came of it."""
    run = done(store, "charge")
    (item,) = plan(store, run, "charge")
    effect = acting(run, "charge")
    assert (item.state, item.tries, item.acting_id) == ("running", 1, effect.pk)
    assert (effect.operation_name, effect.key) == ("refund", f"compensates:{item.effect_id}:1")
    assert (effect.compensates_id, effect.cleanup, effect.required, effect.watch) == (item.effect_id, True, False, 1)
    assert effect.arguments == f'{{"amount":"20","receipt":"r-charge","why":"{WHY}"}}'
    assert item.arguments == effect.arguments
    assert item.summary == effect.summary == "Refund r-charge"


def test_where_the_contract_says_no_arguments_those_of_the_same_name_are_used(store: Shop) -> None:
    run = done(store, "lend")
    plan(store, run, "lend")
    effect = acting(run, "lend")
    assert (effect.operation_name, effect.arguments) == ("fetch", '{"amount":"20","currency":"EUR","to":"bob"}')


def test_what_must_still_be_so_is_filled_in_when_its_turn_comes(store: Shop) -> None:
    run = done(store, "book")
    (item,) = plan(store, run, "book")
    assert acting(run, "book").expects == item.expects
    assert item.expects == '[{"equals":"confirmed","path":"body.status"},{"equals":"bob","path":"body.to"}]'


def test_what_comes_after_waits_and_says_for_what(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    plan(store, run, "reserve", "charge", after={"charge": ("reserve",)})
    assert stood(run) == {"reserve": ("running", ""), "charge": ("waiting", "order")}
    assert item_of(run, "charge").state_reason == "Item 1 comes first: Make good for: Reserve 20.00 EUR to bob"
    answer(claim())
    sweep()
    assert stood(run) == {"reserve": ("done", ""), "charge": ("running", "")}


def test_items_that_do_not_depend_on_each_other_run_side_by_side(store: Shop) -> None:
    run = done(store, "reserve", "charge", "book")
    plan(store, run, "reserve", "charge", "book")
    assert {row["key"] for row in claim()} == {acting(run, key).key for key in ("reserve", "charge", "book")}


def test_what_failed_holds_back_what_comes_after_and_says_so(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    plan(store, run, "reserve", "charge", after={"charge": ("reserve",)})
    settle(claimed(), "rejected", reason="The hotel has closed.")
    sweep()
    assert stood(run)["charge"] == ("waiting", "order")
    assert item_of(run, "charge").state_reason.startswith(
        "Item 1 failed and holds it back, until somebody has seen to that"
    )


def test_a_plan_that_waits_for_approval_keeps_everything(store: Shop) -> None:
    run = done(store, "charge")
    (item,) = plan(store, run, "charge", state="proposed")
    assert (item.state, item.waits_for, item.acting_id) == ("waiting", "plan", None)
    assert claim() == []


def test_what_is_unknown_is_found_out_first(store: Shop) -> None:
    run = begun(store, "charge")
    (row,) = claim()
    settle(row, "unknown", delay=0, step="status")
    (item,) = plan(store, run, "charge")
    assert (item.state, item.waits_for) == ("waiting", "reconciliation")
    assert store.effect(run, "charge").watch == 1
    answer(claim())
    sweep()
    assert stood(run)["charge"] == ("running", "")
    assert acting(run, "charge").arguments.startswith('{"amount":"20","receipt":"r-charge"')


def test_what_turns_out_not_to_have_happened_is_dropped_and_nothing_is_done(store: Shop) -> None:
    run = begun(store, "charge")
    (row,) = claim()
    settle(row, "unknown", delay=0, step="status")
    plan(store, run, "charge")
    settle(claim(), "rejected", reason="There was no such card.")
    sweep()
    item = item_of(run, "charge")
    assert (item.state, item.state_reason) == ("dropped", "It did not happen, so there is nothing to make good for.")
    assert (item.acting_id, store.run(run).compensation) == (None, "over")


def test_what_was_done_in_part_happened(store: Shop) -> None:
    run = begun(store, "charge")
    answer(claim(), "partial")
    plan(store, run, "charge")
    assert stood(run)["charge"] == ("running", "")


def test_what_people_do_waits_for_somebody_at_once(store: Shop) -> None:
    run = done(store, "notify")
    (item,) = plan(store, run, "notify")
    assert (item.state, item.waits_for, item.kind) == ("waiting", "person", "manual")
    assert item.state_reason == "No operation makes good for it. What was read cannot be unread."
    assert item.next_alert_at is not None


def test_arguments_that_the_contract_refuses_fail_the_item_in_words_and_no_other(store: Shop) -> None:
    run = begun(store, "charge", "reserve")
    for row in claim():
        settle(row, result={} if row["key"] == "charge" else {"receipt": "r-1"})
    plan(store, run, "charge", "reserve")
    assert stood(run) == {"charge": ("failed", ""), "reserve": ("running", "")}
    assert item_of(run, "charge").state_reason == "It could not be begun: /arguments/receipt: This is missing."


def test_what_must_still_be_so_and_cannot_be_told_fails_in_words(store: Shop) -> None:
    changed = SECTIONS["book"].replace("{arguments.to}", "{result.receipt}")
    assert not [each for each in store.apply(operation("book", version=2) + f"compensation:{changed}") if each.faults]
    run = begun(store, "book")
    settle(claimed(), result={})
    (item,) = plan(store, run, "book")
    assert (item.state, item.acting_id) == ("failed", None)
    assert item.state_reason == "It could not be begun: {result.receipt} has no value."


def test_an_operation_that_is_retired_fails_in_words(store: Shop) -> None:
    run = done(store, "charge")
    store.verified = False
    with inside():
        OperationContract.objects.filter(tenant_id=store.tenant.pk, name="refund").update(retired_at=clock.now())
    (item,) = plan(store, run, "charge")
    assert (item.state, item.state_reason) == (
        "failed", "It could not be begun: the operation refund is not in force any more.",
    )  # fmt: skip


def test_what_the_policy_denies_fails_in_words(store: Shop) -> None:
    """The policy judges a compensation as any effect."""
    run = done(store, "charge")
    assert not [each for each in store.apply(DENY) if each.faults]
    (item,) = plan(store, run, "charge")
    assert (item.state, acting(run, "charge").state) == ("failed", "denied")
    assert item.state_reason.startswith("It was not allowed")


def test_a_second_beginning_changes_nothing(store: Shop) -> None:
    run = done(store, "charge", "notify")
    plan(store, run, "charge", "notify")
    with held(run) as locked:
        assert starting.begin_due(store.bot, locked, clock.now()) == []
    assert item_of(run, "charge").tries == 1


def test_many_runs_begin_together(store: Shop) -> None:
    runs = [done(store, "charge") for _ in range(3)]
    for run in runs:
        plan(store, run, "charge", begin=False)
    with inside():
        found = list(Run.objects.filter(pk__in=runs).order_by("pk").select_for_update(no_key=True))
        changed = starting.begin_all(store.bot, found, clock.now())
    assert {item.run_id for item in changed} == set(runs)
    assert [stood(run)["charge"] for run in runs] == [("running", "")] * 3


def test_another_try_takes_the_place_of_one_that_ended_in_vain(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    first = acting(run, "charge")
    settle(claimed(), "rejected", reason="Closed.")
    sweep()
    assert stood(run)["charge"] == ("escalated", "")
    item = item_of(run, "charge")
    with held(run) as locked:
        starting.try_again(store.bot, locked, item, clock.now())
    second = acting(run, "charge")
    assert (second.key, second.supersedes_id) == (f"compensates:{first.compensates_id}:2", first.pk)
    assert (stood(run)["charge"], item_of(run, "charge").tries) == (("running", ""), 2)
    answer(claim())
    sweep()
    assert stood(run)["charge"] == ("done", "")


@pytest.mark.parametrize("outcome", ["unknown", "partial", "succeeded"])
def test_what_may_have_been_done_is_not_tried_again(store: Shop, outcome: str) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    settle(claimed(), outcome)
    item = item_of(run, "charge")
    with held(run) as locked, pytest.raises(MayHaveHappened):
        starting.try_again(store.bot, locked, item, clock.now())


def test_what_people_do_is_not_tried_again(store: Shop) -> None:
    run = done(store, "notify")
    plan(store, run, "notify")
    item = item_of(run, "notify")
    with held(run) as locked, pytest.raises(NobodyTries):
        starting.try_again(store.bot, locked, item, clock.now())


def test_another_try_that_is_refused_at_once_says_why_and_needs_somebody_still(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    settle(claimed(), "rejected", reason="Closed.")
    sweep()
    store.verified = False
    with inside():
        OperationContract.objects.filter(tenant_id=store.tenant.pk, name="refund").update(retired_at=clock.now())
    item = item_of(run, "charge")
    with held(run) as locked:
        starting.try_again(store.bot, locked, item, clock.now())
    item = item_of(run, "charge")
    assert (item.state, item.tries) == ("escalated", 1)
    assert item.state_reason == "It could not be begun: the operation refund is not in force any more."
    assert item.next_alert_at is not None


def test_what_a_pause_of_its_run_held_goes_on_once_the_run_has_ended(store: Shop) -> None:
    run = done(store, "reserve", "notify")
    plan(store, run, "reserve", need="allowed")
    plan(store, run, "notify")
    paused(store, of_run(run))
    cancel(store, run)
    sweep()
    assert claim() == [], "a pause of the run holds what makes good too"
    waive(store, item_of(run, "notify"))
    assert store.state(run) == "cancelled", "what is only allowed keeps no run from its end"
    answer(claim())
    sweep()
    assert stood(run)["reserve"] == ("done", "")


def test_a_reason_longer_than_the_operation_takes_is_cut_and_keeps_nothing_from_being_made_good_for(
    store: Shop,
) -> None:
    terse = makes_good("refund", "receipt, amount").replace("version: 1", "version: 2", 1)
    assert not store.apply(
        terse.replace("why: {type: string, maxLength: 10000}", "why: {type: string, maxLength: 20}")
    )[0].faults
    run = done(store, "charge")
    plan(store, run, "charge")
    assert '"why":"The customer does n…"' in acting(run, "charge").arguments
