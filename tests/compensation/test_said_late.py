"""What ended in vain and is said to be done by what comes late: nothing is settled by that; a person finds out what is so (R-A6, R-F2)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from compensation.deeds.trying import NothingToRetry
from compensation.plans.refusing import NotCompensable
from runs.compensating.late import SAYS_DONE, TELLS
from runs.states import IN_VAIN
from tests import clock, hearing, unsure
from tests.cancels import cancel
from tests.compensation import byhand
from tests.compensation.test_asking import ask
from tests.compensation.undoing import answer, begun, item_of, items_of, key, plans_of, section
from tests.compensation.working import acting, plan
from tests.record import kinds
from tests.runs.test_said_twice import listed
from tests.shop import Shop, draft
from tests.work import WORKER, Row, claim, claimed, end_leases, settle, sweep

Tell = Callable[[Shop, UUID, Row], None]
SAID = "It ended as failed, and may have been done all the same. "


def given_up(store: Shop, **run: Any) -> tuple[UUID, Row]:
    """Have a charge that was not answered, and of which a person found that it did not happen; gives the run, and the attempt."""
    accepted = store.accept(draft("charge", "20", "charge"), **run)
    row = claimed()
    end_leases(WORKER)
    unsure.find(store, store.effect(accepted, "charge"), "did_not_happen", "give_up")
    return accepted, row


def by_answer(_: Shop, run: UUID, row: Row) -> None:
    assert settle(row, "succeeded", says="late") == [row["attempt_id"]]


def by_message(store: Shop, run: UUID, row: Row) -> None:
    told = hearing.tell(hearing.message(row["effect_id"]), slug=store.tenant.slug, operation="charge")
    assert told.status_code == 202


@pytest.fixture(params=[by_answer, by_message], ids=["answer", "message"])
def comes_late(request: pytest.FixtureRequest, store: Shop, monkeypatch: pytest.MonkeyPatch) -> Tell:
    """What says late that something was done: the answer to an attempt that was given up, or a signed message."""
    monkeypatch.setenv(hearing.VARIABLE, hearing.SECRET)
    refused = [
        each.faults for each in store.apply(hearing.told_of("charge", version=2) + section("charge")) if each.faults
    ]
    assert not refused, refused
    found: Tell = request.param
    return found


def ends(store: Shop, run: UUID, how: str) -> None:
    """Have a run end: given up, cancelled, or because its time was up."""
    if how == "failed":
        store.fail(run)
    elif how == "cancelled":
        cancel(store, run)
    else:
        sweep()
    assert (store.state(run), items_of(run)) == (how, [])


@pytest.mark.parametrize("end", ["failed", "cancelled", "expired"])
def test_a_run_that_ended_gets_a_work_item_for_people_and_is_seen_to(store: Shop, comes_late: Tell, end: str) -> None:
    """What its contract has made good for when a run ends like this: it may have happened, so nothing is done about it unseen."""
    run, row = given_up(store, deadline_seconds=60)
    with clock.at(61 if end == "expired" else 0):
        ends(store, run, end)
        comes_late(store, run, row)
        sweep()
    item = item_of(run, "charge")
    assert (item.kind, item.operation, item.state, item.waits_for, item.need) == (
        "manual",
        "",
        "waiting",
        "person",
        "required",
    )
    assert item.state_reason.startswith(f"{SAID}A")
    assert item.next_alert_at is not None
    (made,) = plans_of(run)
    assert (made.cause, made.reason) == (end, "What came late says that it was done.")
    assert (store.state(run), store.states(run), store.run(run).compensation) == (end, {"charge": "failed"}, "open")
    assert store.run(run).attention == "late"
    assert claim() == []


def test_nothing_settles_an_effect_that_ended_and_it_is_said_once(store: Shop, comes_late: Tell) -> None:
    """R-A6: what comes late is evidence; whatever comes again finds the work item, and makes no second."""
    run, row = given_up(store)
    store.fail(run)
    for _ in range(2):
        comes_late(store, run, row)
        sweep()
    assert len(items_of(run)) == 1
    assert kinds(f"run:{run}").count("run.late") == 1
    assert store.effect(run, "charge").undo_due is False


def test_it_may_be_asked_for_and_is_peoples_work(store: Shop, comes_late: Tell) -> None:
    run, row = given_up(store)
    with pytest.raises(NotCompensable) as refused:
        ask(store, run, "charge")
    assert refused.value.facts["effects"][0]["why"] == "it did not happen"
    comes_late(store, run, row)
    sweep()
    assert items_of(run) == [], "its run goes on: its driver, or its end, asks for it"
    ask(store, run, "charge")
    item = item_of(run, "charge")
    assert (item.kind, item.waits_for, item.acting_id) == ("manual", "person", None)
    assert claim() == []
    byhand.confirm(store, byhand.resolve(store, item))
    assert item_of(run, "charge").state == "resolved"


def test_a_run_that_closes_afterwards_waits_until_somebody_has_found_out(store: Shop, comes_late: Tell) -> None:
    run, row = given_up(store)
    comes_late(store, run, row)
    store.fail(run)
    assert (store.state(run), store.run(run).compensation) == ("closing", "due")
    sweep()
    assert (store.state(run), item_of(run, "charge").waits_for) == ("closing", "person")


def test_what_somebody_had_in_sight_when_it_was_given_up_is_no_news(store: Shop, comes_late: Tell) -> None:
    """R-F4: whoever found that it did not happen had that answer before them; the finding is the newer word."""
    run = begun(store, "charge")
    row = claimed()
    end_leases(WORKER)
    by_answer(store, run, row)
    unsure.find(store, store.effect(run, "charge"), "did_not_happen", "give_up")
    with pytest.raises(NotCompensable):
        ask(store, run, "charge")
    store.fail(run)
    sweep()
    assert (store.state(run), items_of(run)) == ("failed", [])


def test_an_item_that_is_dropped_in_the_same_breath_stands_in_the_way_of_no_other(
    store: Shop, comes_late: Tell
) -> None:
    run = begun(store, "charge")
    row = claimed()
    store.fail(run)
    end_leases(WORKER)
    sweep()
    assert item_of(run, "charge").waits_for == "reconciliation"
    unsure.find(store, store.effect(run, "charge"), "did_not_happen", "give_up")
    comes_late(store, run, row)
    sweep()
    sweep()
    dropped, made = items_of(run)
    assert (dropped.state, made.kind, made.state, made.waits_for) == ("dropped", "manual", "waiting", "person")
    assert store.state(run) == "closing"


def test_a_message_about_a_try_to_make_good_is_told_as_an_answer_is(
    store: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late message marks its work item, and nothing is tried in its place: money would go back twice."""
    monkeypatch.setenv(hearing.VARIABLE, hearing.SECRET)
    refused = [each.faults for each in store.apply(hearing.told_of("fetch", version=2)) if each.faults]
    assert not refused, refused
    run = begun(store, "lend")
    answer(claim())
    plan(store, run, "lend")
    claimed()
    end_leases(WORKER)
    unsure.find(store, acting(run, "lend"), "did_not_happen", "give_up")
    sweep()
    told = hearing.tell(hearing.message(acting(run, "lend").pk), slug=store.tenant.slug, operation="fetch")
    assert told.status_code == 202
    sweep()
    item = item_of(run, "lend")
    assert "A message came late: effect 2 had ended, and the other side says succeeded of it." in item.state_reason
    assert acting(run, "lend").state == "failed"
    with pytest.raises(NothingToRetry, match="answer came late"):
        byhand.retry(store, item, key=key())


def test_what_says_late_that_it_was_done_is_the_same_for_the_database_and_for_people() -> None:
    said = listed(r"late_outcome in \(([^)]*)\)", "finish.sql") + listed(r"c\.outcome in \(([^)]*)\)", "finish.sql")
    assert said == [frozenset(SAYS_DONE)] * 2
    assert listed(r"state \|\| '' in \(([^)]*)\) and runs_said_done", "finish.sql") == [IN_VAIN]
    assert set(listed(r"e\.state \|\| '' in \(('rejected'[^)]*)\)", "cancelling.sql")) == {IN_VAIN}
    assert {"check", "cancel"}.isdisjoint(TELLS)
