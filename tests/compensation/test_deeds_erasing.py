"""Erasing a run takes what people wrote about its work items, and their files; nothing is erased of what is open (R-M1)."""

from datetime import timedelta

import pytest

from compensation.deeds.standing import ItemOver
from compensation.models import Ending, EvidenceFile, Plan, WorkItem
from compensation.queries import items
from console.database import crossing_tenants
from console.http.evidence import Upload
from console.http.refusals import KeyExpired
from console.ledger.models import Entry
from console.notices.models import Notice
from runs import erasing, retention
from runs.erasing import NotToErase
from runs.models import Run
from tests import clock
from tests.cast import inside
from tests.compensation.byhand import added, claim_it, confirm, hand, put, resolve, tick, waive
from tests.compensation.undoing import answer, done, item_of
from tests.compensation.working import plan
from tests.record import findings
from tests.shop import Shop
from tests.work import claim, sweep

LATER = 60 * clock.DAY
SECRET = "Ana Lindqvist"


def erase(shop: Shop, run: object) -> None:
    """Erase it, as the command does for an admin."""
    with crossing_tenants():
        erasing.erase(shop.actor("dora"), run, reason="She asked for it.")  # type: ignore[arg-type]  # a run's id


def due_to_go(shop: Shop) -> int:
    """Count the runs that retention would let go."""
    with crossing_tenants():
        return next(retention.due({retention.RUNS: timedelta(days=30)}, [shop.tenant])).count


def everything(shop: Shop) -> str:
    """Give all that is kept of plans, as text."""
    with inside():
        rows = [row for model in (Plan, WorkItem, Ending, EvidenceFile) for row in model._default_manager.values()]
        entries = Entry.objects.filter(stream__startswith="plan:").values_list("payload__body", flat=True)
        notices = Notice.objects.values_list("title", "text")
        return repr([*rows, *entries, *notices, *Run.objects.values_list("residue", flat=True)])


def test_what_was_said_and_sent_is_erased_and_what_remains_is_verified(store: Shop) -> None:
    run = done(store, "reserve")
    store.complete(run)
    item = added(
        store, run, summary=f"Call {SECRET}", instructions=f"Ask for {SECRET}.", checklist=[f"Call {SECRET}."], reason=f"{SECRET} asked.",
        needs_second=True,
    )  # fmt: skip
    hand(store, item, to_group="finance", reason=f"{SECRET} said so.")
    tick(store, item, 0)
    put(store, item, Upload(f"{SECRET}.txt", "text/plain", SECRET.encode()))
    said = resolve(
        store,
        item,
        evidence=f"{SECRET} said so.",
        link="https://bank.example/Ana",
        left=[f"{SECRET} paid."],
        key="said",
    )
    confirm(store, said, reason=f"{SECRET} told me too.")
    assert SECRET in everything(store)
    with clock.at(LATER):
        erase(store, run)
        with pytest.raises(KeyExpired):
            resolve(
                store,
                item,
                evidence=f"{SECRET} said so.",
                link="https://bank.example/Ana",
                left=[f"{SECRET} paid."],
                key="said",
            )
        with pytest.raises(ItemOver, match="erased"):
            claim_it(store, item)
    assert SECRET not in everything(store)
    assert SECRET.encode().hex() not in everything(store)
    with inside():
        kept, left = WorkItem.objects.get(), EvidenceFile.objects.get()
        assert (kept.state, kept.summary, kept.checklist, kept.left) == ("resolved", "[erased]", "", "")
        assert (left.name, left.content, left.size) == ("[erased]", None, len(SECRET.encode()))
        assert Ending.objects.get().decided_by_id == store.members["dora"].pk
        assert items.file(store.tenant.pk, left.pk) is not None
    assert findings() == []


def test_what_an_effect_made_good_for_is_erased_with_it(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    answer(claim())
    sweep()
    store.complete(run)
    assert item_of(run, "charge").arguments
    with clock.at(LATER):
        assert due_to_go(store) == 1
        erase(store, run)
    item = item_of(run, "charge")
    assert (item.state, item.arguments, item.expects, item.residue) == ("done", "", "", "")
    assert store.run(run).residue == ""
    assert findings() == []


@pytest.mark.parametrize("need", ["required", "allowed"])
def test_a_run_is_not_erased_while_a_work_item_is_open(store: Shop, need: str) -> None:
    run = done(store, "reserve")
    store.complete(run)
    item = added(store, run, need=need)
    with clock.at(LATER):
        with pytest.raises(NotToErase) as refused:
            erase(store, run)
        assert str(item.pk) in refused.value.facts["open"]
        assert due_to_go(store) == 0
        waive(store, item)
        assert due_to_go(store) == 1
        erase(store, run)
    assert findings() == []
