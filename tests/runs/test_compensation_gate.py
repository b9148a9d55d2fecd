"""The gate of a run that closes: it ends only when what it did was made good for, or somebody answered for it (R-J2, CMP-05)."""

import json
from uuid import UUID

import pytest

from console import clock as database_clock
from console.database import rows
from console.exact import Value
from runs import driving
from runs.compensating.standing import stands
from runs.limits.intake import RunExhausted
from runs.models import Run
from runs.states import UNDONE
from runs.sweep import CLOCK, expire_runs
from tests import clock
from tests.cancels import cancel, of_run, started, stopped, tidy
from tests.cast import inside
from tests.compensation.test_asking import ask
from tests.compensation.undoing import begun, done, with_undoing
from tests.invariants import check
from tests.limits import limited
from tests.record import kinds, told
from tests.runs.making_good import compensate
from tests.shop import Shop, draft
from tests.work import WORKER, claim, claimed, end_leases, settle, sweep

RELEASE: dict[str, Value] = {"receipt": "r-reserve"}


@pytest.fixture
def store(shop: Shop) -> Shop:
    return with_undoing(shop)


def standing(shop: Shop, run: UUID) -> tuple[str, str]:
    """Give where a run stands, and where with its compensation."""
    found = shop.run(run)
    return found.state, found.compensation


def over(shop: Shop, run: UUID, *residue: str) -> None:
    """Let a run's compensation be over, as the room above says it is."""
    with inside():
        held = Run.objects.select_for_update(no_key=True).get(pk=run)
        now = database_clock.now()
        stands(CLOCK, [held], UNDONE, now, residue)
        rows("select runs_finish(%s::uuid[], %s, %s)", [[run], str(CLOCK), now])


def test_a_cancelled_run_that_did_something_is_kept_from_its_end(store: Shop) -> None:
    run = done(store, "reserve")
    cancel(store, run)
    assert standing(store, run) == ("closing", "due")
    assert told(f"run:{run}")[-2] == ("run.compensating", {"to": "due"})
    over(store, run, "The hotel keeps its fee.")
    assert standing(store, run) == ("cancelled", "over")
    assert store.run(run).residue == '["The hotel keeps its fee."]'
    check()


@pytest.mark.parametrize("operation", ["pay", "lend"])
def test_a_run_whose_contracts_ask_for_nothing_ends_at_once(store: Shop, operation: str) -> None:
    run = done(store, operation)
    cancel(store, run)
    assert standing(store, run) == ("cancelled", "")


def test_what_never_began_or_did_not_happen_is_no_reason(store: Shop) -> None:
    waits = begun(store, "reserve")
    cancel(store, waits)
    assert standing(store, waits) == ("cancelled", "")
    refused = begun(store, "reserve")
    settle(claimed(), "rejected", http=422)
    cancel(store, refused)
    assert standing(store, refused) == ("cancelled", "")


def test_what_is_in_flight_or_unknown_may_have_happened(store: Shop) -> None:
    for unknown in (False, True):
        run = begun(store, "reserve")
        row = claimed()
        if unknown:
            end_leases(WORKER)
        cancel(store, run)
        assert standing(store, run) == ("closing", "due")
        settle(claimed() if unknown else row, "rejected", to="rejected")
        assert standing(store, run) == ("closing", "due")


@pytest.mark.parametrize("toward", ["cancelled", "failed", "expired"])
def test_each_contract_says_for_which_end(store: Shop, toward: str) -> None:
    booked, reserved = done(store, "book"), done(store, "reserve")  # a booking is undone only when it is cancelled
    for run in (booked, reserved):
        if toward == "cancelled":
            cancel(store, run)
        elif toward == "failed":
            store.fail(run)
    if toward == "expired":
        with clock.at(8000), inside():
            assert expire_runs(CLOCK, 100) == 2
    assert standing(store, reserved) == ("closing", "due")
    assert standing(store, booked) == (("closing", "due") if toward == "cancelled" else (toward, ""))


def test_a_run_that_completes_itself_and_failed_closes_first(store: Shop) -> None:
    run = done(store, "reserve", completes_itself=False)
    assert standing(store, run) == ("running", "")
    failing = store.accept(draft("reserve", "20", "reserve"), draft("a", "20"), completes_itself=True)
    settle([row for row in claim() if row["key"] == "reserve"])
    end_leases(WORKER)
    settle(claimed(), "rejected", to="rejected")
    assert standing(store, failing) == ("closing", "due")
    assert kinds(f"run:{failing}")[-2:] == ["run.closing", "run.compensating"]
    assert store.run(failing).closing_toward == "failed"
    over(store, failing)
    assert standing(store, failing) == ("failed", "over")
    check()


def test_a_run_that_did_what_it_was_for_ends_as_ever(store: Shop) -> None:
    run = begun(store, "reserve", completes_itself=True)
    settle(claimed())
    assert standing(store, run) == ("succeeded", "")


def test_a_run_that_ran_out_and_is_cancelled_is_made_good_for(store: Shop) -> None:
    frugal = limited(store, limits="{attempts: 1}")
    run = done(store, "reserve", run_type=frugal)
    with pytest.raises(RunExhausted):
        store.propose(run, draft("b"))
    assert store.state(run) == "exhausted"
    cancel(store, run)
    assert standing(store, run) == ("closing", "due")


def test_a_tree_ends_after_each_of_its_runs(store: Shop) -> None:
    parent = done(store, "reserve")
    child = started(store, parent, draft("reserve", "20", "reserve"))
    settle(claimed())
    cancel(store, parent, scope="tree")
    assert standing(store, parent) == standing(store, child) == ("closing", "due")
    over(store, parent)
    assert store.state(parent) == "closing"
    over(store, child)
    assert store.state(child) == "cancelled"


def test_many_runs_are_marked_at_once_and_none_twice(store: Shop) -> None:
    made = [done(store, "reserve") for _ in range(20)] + [done(store, "pay") for _ in range(20)]
    with inside():
        held = list(Run.objects.filter(pk__in=made).order_by("pk").select_for_update(no_key=True))
        driving.close(CLOCK, held, toward="failed", reason="Nobody wants them.", now=database_clock.now())
    assert [standing(store, run) for run in made] == [("closing", "due")] * 20 + [("failed", "")] * 20
    assert {kinds(f"run:{run}").count("run.compensating") for run in made[:20]} == {1}


def test_what_is_made_good_for_already_is_no_reason_that_the_rest_is_not(store: Shop) -> None:
    run = done(store, "reserve", "book")
    over(store, run)
    assert standing(store, run) == ("running", "over")
    cancel(store, run)
    assert standing(store, run) == ("closing", "due")
    assert kinds(f"run:{run}").count("run.compensating") == 2


def test_cmp_05_a_second_cancel_changes_nothing(store: Shop) -> None:
    run = done(store, "reserve")
    cancel(store, run)
    key = compensate(store, run, "reserve", "release", arguments=RELEASE)
    row, before = claimed(), store.run(run)
    receipt = cancel(store, run)
    assert (receipt["joined"], store.run(run).ledger_seq) == (True, before.ledger_seq)
    settle(row)
    assert (store.effect(run, key).state, standing(store, run)) == ("succeeded", ("closing", "due"))


def test_what_makes_good_and_is_not_waited_for_goes_on_after_the_end(store: Shop) -> None:
    """Whether the run's end waits for it is what its compensation says, not what of it is open."""
    run = done(store, "reserve")
    cancel(store, run)
    key = compensate(store, run, "reserve", "release", arguments=RELEASE)
    row = claimed()
    over(store, run)
    assert standing(store, run) == ("cancelled", "over")
    found = json.loads(of_run(run)[0].evidence or "")
    assert (found["in_flight"], [each["state"] for each in found["compensation"]]) == (0, ["dispatched"])
    settle(row)
    assert (store.effect(run, key).state, store.state(run), store.run(run).attention) == ("succeeded", "cancelled", "")
    check()


def test_a_driver_completes_its_run_beside_what_makes_good_and_is_not_waited_for(store: Shop) -> None:
    run = done(store, "reserve")
    compensate(store, run, "reserve", "release", arguments=RELEASE)
    store.complete(run)
    assert store.state(run) == "succeeded"
    settle(claimed())
    check()


def test_a_run_that_completes_itself_waits_for_what_it_makes_good_for(store: Shop) -> None:
    run = begun(store, "reserve", "pay", completes_itself=True)
    first, second = claim()
    settle(first, result={"receipt": "r-reserve"})
    ask(store, run, "reserve")
    settle(second)
    assert standing(store, run) == ("running", "open")
    settle(claimed())
    sweep()
    assert standing(store, run) == ("succeeded", "over")


def test_the_proof_of_the_cancellation_names_what_made_good_and_nothing_is_late(store: Shop) -> None:
    run = begun(store, "reserve")
    row = claimed()
    cancel(store, run)
    settle(row, result={"receipt": "r-reserve"})
    key = compensate(store, run, "reserve", "release", arguments=RELEASE)
    settle(claimed())
    over(store, run)
    found = json.loads(of_run(run)[0].evidence or "")
    original, acting = store.effect(run, "reserve"), store.effect(run, key)
    assert found["compensation"] == [{"effect": str(acting.pk), "of": str(original.pk), "state": "succeeded"}]
    assert (found["cleanup"], found["effects"]) == ([], {"succeeded": 1})
    assert (store.run(run).attention, store.state(run)) == ("", "cancelled")


def test_what_somebody_answered_for_is_no_loose_end_though_nothing_made_good_for_it(store: Shop) -> None:
    run = begun(store, "reserve")
    row = claimed()
    cancel(store, run)
    settle(row)
    key = compensate(store, run, "reserve", "release", arguments=RELEASE)
    settle(claimed(), "rejected", http=422)
    over(store, run)
    assert (store.effect(run, key).state, store.state(run), store.run(run).attention) == ("rejected", "cancelled", "")


def test_what_no_contract_makes_good_for_is_late_as_ever(store: Shop) -> None:
    run = begun(store, "pay")
    row = claimed()
    cancel(store, run)
    settle(row)
    assert (store.state(run), store.run(run).attention) == ("cancelled", "late")


def test_what_cleans_up_while_a_run_is_cancelled_is_not_undone_by_that(store: Shop) -> None:
    assert not any(applied.faults for applied in store.apply(tidy(cleanup="[reserve]")))
    run = store.accept(run_type="tidy")
    cancel(store, run)
    store.propose(run, draft("kept", "20", "reserve", cleanup=True))
    stopped(store, run)
    settle(claimed(), "succeeded")
    assert standing(store, run) == ("cancelled", "")
