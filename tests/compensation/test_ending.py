"""A run's compensation is over when no required item is open; what is kept from its end by it then ends, and says what remains (R-J1)."""

from uuid import UUID

from uuid_utils.compat import uuid7

from compensation.deeds import plans
from compensation.lists import listed
from compensation.models import Ending
from compensation.states import IN_FORCE, WAIVE
from compensation.working import ending
from compensation.writing import add, changed, write
from console import clock
from console.notices.models import Notice
from runs.cancelling import cancel
from tests.cast import inside
from tests.compensation.undoing import answer, begun, done, item_of, key
from tests.compensation.working import held, plan, stood
from tests.record import told
from tests.shop import Shop
from tests.work import claim, claimed, follow, settle, sweep

ASKS = """
{apiVersion: counterfoil/v1, kind: Policy, name: forward, version: 1, description: Charging is asked about., operations: [charge],
 rules: [{name: always, then: ask, ask: {groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}],
 otherwise: deny}
"""
FEE = "The hotel keeps its fee for booking."
STATEMENT = "The charge and the refund stand in the customer's statement."


def waive(store: Shop, run: UUID, effect: str, reason: str = "It is not worth it.") -> None:
    """Let an item be, as a person with authority does, and see what follows."""
    item = item_of(run, effect)
    with held(run) as locked:
        now, by = clock.now(), store.actor("oscar")
        made = Ending(
            id=uuid7(), tenant_id=item.tenant_id, plan_id=item.plan_id, item=item, number=1, ending=WAIVE, reason=reason,
            authority="The head of finance", needs_second=False, state=IN_FORCE, proposed_by=store.members["oscar"], proposed_at=now,
            decided_at=now,
        )  # fmt: skip
        add(by, [made], "ending.proposed", now)
        write(by, [changed(item, "item.waived", state="waived", waits_for="", ended_at=now, next_alert_at=None)], now)
        ending.look(by, [locked], now)


def residue(store: Shop, run: UUID) -> list[str]:
    """Give what remains of a run."""
    return [*listed(store.run(run).residue)]


def test_it_is_over_when_all_that_is_required_is_done_and_the_residue_is_named(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    plan(store, run, "reserve", "charge")
    assert store.run(run).compensation == "open"
    answer(claim())
    sweep()
    assert (store.run(run).compensation, residue(store, run)) == ("over", [FEE, STATEMENT])
    assert store.state(run) == "running", "what makes good for something ends no run that goes on"
    assert told(f"run:{run}")[-1] == ("run.compensating", {"to": "over", "residue": f'["{FEE}","{STATEMENT}"]'})


def test_a_required_item_that_failed_keeps_it_open(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    plan(store, run, "reserve", "charge")
    first, second = claim()
    answer([first])
    settle(second, "rejected")
    sweep()
    assert store.run(run).compensation == "open"
    with held(run) as locked:
        assert ending.look(store.office, [locked], clock.now()) == []


def test_what_was_let_be_is_named_with_its_reason(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    settle(claimed(), "rejected")
    sweep()
    waive(store, run, "charge")
    assert store.run(run).compensation == "over"
    assert residue(store, run) == ["Waived: Refund r-charge (It is not worth it)"]


def test_what_stays_because_its_plan_was_declined_is_named_with_the_reason(store: Shop) -> None:
    run = done(store, "charge")
    (item,) = plan(store, run, "charge", state="proposed")
    plans.decline_plan(store.actor("oscar"), item.plan_id, reason="The customer keeps it.", key=key())
    assert store.run(run).compensation == "over"
    assert residue(store, run) == [
        "Not made good for: Make good for: Charge 20.00 EUR to bob (its plan was declined: The customer keeps it)"
    ]


def test_what_is_only_allowed_keeps_nothing_open_and_is_named_as_unresolved(store: Shop) -> None:
    run = done(store, "charge", "notify")
    plan(store, run, "charge", "notify", need="allowed")
    row = claimed()
    settle(row, "rejected", reason="Closed.")
    sweep()
    assert store.run(run).compensation == "over"
    assert residue(store, run) == [
        "Not made good for: Refund r-charge (The other side refused it: Closed)",
        "Not made good for: Make good for: Notify 20.00 EUR to bob (No operation makes good for it. What was read cannot be unread)",
    ]


def test_what_is_done_after_it_was_over_changes_what_remains(store: Shop) -> None:
    run = done(store, "charge", "reserve")
    plan(store, run, "charge", need="allowed")
    sweep()
    with held(run) as locked:
        ending.look(store.office, [locked], clock.now())
    assert residue(store, run) == ["Under way: Refund r-charge"]
    answer(claim())
    sweep()
    assert (store.run(run).compensation, residue(store, run)) == ("over", [STATEMENT])


def test_a_plan_that_waits_for_approval_keeps_it_open(store: Shop) -> None:
    run = done(store, "notify")
    plan(store, run, "notify", state="proposed", need="allowed")
    with held(run) as locked:
        assert ending.look(store.office, [locked], clock.now()) == []
    assert store.run(run).compensation == "open"


def test_looking_again_says_nothing_more(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    answer(claim())
    sweep()
    seen = store.run(run).ledger_seq
    with held(run) as locked:
        assert ending.look(store.office, [locked], clock.now()) == []
    assert store.run(run).ledger_seq == seen


def test_whoever_approved_the_original_is_told_that_it_was_made_good_for(store: Shop) -> None:
    assert not [each.faults for each in store.apply(ASKS) if each.faults]
    run = begun(store, "charge")
    store.approve(store.request(run, "charge"))
    follow()
    answer(claim())
    sweep()
    plan(store, run, "charge")
    answer(claim())
    sweep()
    about = store.request(run, "charge")
    with inside():
        notices = list(Notice.objects.filter(about=about.pk, kind="approval.outcome").order_by("posted_at"))
    assert [each.state for each in notices] == ["succeeded", "compensated"]
    assert store.request(run, "charge").outcome_told == "compensated"
    sweep()
    with held(run) as locked:
        ending.look(store.office, [locked], clock.now())
    with inside():
        assert Notice.objects.filter(about=about.pk, kind="approval.outcome").count() == 2


def test_a_cancelled_run_ends_only_when_what_was_done_is_made_good_for(store: Shop) -> None:
    """Issue 7: closing → cancelled only when every required item is done, resolved or waived."""
    run = done(store, "reserve", "charge")
    cancel.cancel_run(store.actor("oscar"), run, reason="The customer left.", key=key())
    sweep()
    assert (store.state(run), store.run(run).compensation) == ("closing", "open")
    answer(claim())
    sweep()
    assert store.state(run) == "closing"
    assert stood(run) == {"reserve": ("done", ""), "charge": ("running", "")}
    answer(claim())
    sweep()
    assert (store.state(run), store.run(run).compensation) == ("cancelled", "over")
    assert residue(store, run) == [FEE, STATEMENT]
