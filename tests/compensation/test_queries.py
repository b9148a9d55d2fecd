"""The desk at ten thousand items: the same few statements as at a hundred, each along an index, and pages that are the whole in order."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from compensation.models import WorkItem
from compensation.queries import desk, items, of_run, plans, trail
from compensation.queries.desk import GROUPS, OWNERS, Place, Wanted
from compensation.queries.seen import Item
from compensation.states import ITEM_OPEN, ITEM_OVER
from compensation.writing import changed, write
from console import clock
from console.database import alias, rows
from tests.cast import inside
from tests.compensation.desk import CLOCK, fill, planned
from tests.compensation.undoing import answer, done, item_of
from tests.compensation.undoing import planned as planned_by_contracts
from tests.record import forger
from tests.shop import Shop
from tests.work import claim, sweep

MANY, FEW, PAGE = 10_000, 100, 50
FILTERS = [
    Wanted(group=group, owner=owner, operation=operation, need=need, overdue=overdue)
    for group, owner, operation, need, overdue in product(
        GROUPS, ("", *OWNERS), ("", "release"), ("", "allowed"), (False, True)
    )
]


@pytest.fixture
def like(store: Shop) -> WorkItem:
    """A work item, written as moves write it."""
    run = done(store, "reserve")
    return planned(store, run, {"effect_id": store.effect(run, "reserve").pk})[1][0]


@pytest.fixture
def at_ten_thousand(store: Shop, like: WorkItem) -> Iterator[Shop]:
    """The shop with a long desk."""
    fill(store, like, MANY)
    yield store
    with forger() as hand:
        hand.execute("analyze compensation_workitem")


def read(
    shop: Shop, wanted: Wanted, after: Place | None = None, limit: int = PAGE + 1, name: str = "oscar"
) -> list[Item]:
    """Read a page as a member."""
    with inside(shop.tenant.pk):
        return desk.desk(shop.members[name], wanted, after, limit)


def asked(shop: Shop, act: Callable[[], object]) -> list[str]:
    """Give the statements that an act asks of the database."""
    with inside(shop.tenant.pk), CaptureQueriesContext(connections[alias()]) as captured:
        act()
    return [query["sql"] for query in captured.captured_queries]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give a plan's nodes."""
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def carried_out(shop: Shop, statements: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Tell how PostgreSQL carries out each statement about work items."""
    with inside(shop.tenant.pk):
        for sql in statements:
            if "compensation_workitem" in sql:
                plan = rows("explain (analyze, buffers, format json) " + sql.replace("%", "%%"))[0]["QUERY PLAN"]
                yield sql, (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]


def beyond(shop: Shop, wanted: Wanted) -> Place | None:
    """Give a place in the middle of what is asked for."""
    found = read(shop, wanted, limit=200)
    return desk.place_of(wanted, found[-1]) if found else None


@pytest.mark.timeout(300)
def test_every_filter_reads_along_indexes_from_the_start_and_from_the_middle(at_ten_thousand: Shop) -> None:
    oscar = at_ten_thousand.members["oscar"]
    for wanted in FILTERS:
        after = beyond(at_ten_thousand, wanted)
        for place in {None, after}:
            statements = asked(at_ten_thousand, partial(desk.desk, oscar, wanted, place, PAGE + 1))
            assert len(statements) <= 3, (wanted, statements)
            for sql, plan in carried_out(at_ten_thousand, statements):
                scanned = [node for node in nodes(plan) if node.get("Relation Name") == "compensation_workitem"]
                assert not [node for node in scanned if node["Node Type"] == "Seq Scan"], (wanted, sql)
            if wanted == Wanted():
                touched = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
                assert touched < 1_500, (place, touched)


def test_all_counts_of_the_desk_are_one_statement_that_agrees_with_its_pages(store: Shop, like: WorkItem) -> None:
    fill(store, like, 600)
    statements = asked(store, lambda: desk.counts(store.members["oscar"]))
    assert len(statements) == 1
    with inside(store.tenant.pk):
        counts = desk.counts(store.members["oscar"])
    for name, wanted in {
        "open": Wanted(), "needs_somebody": Wanted(group="needs_somebody"), "waiting": Wanted(group="waiting"),
        "at_work": Wanted(group="at_work"), "mine": Wanted(owner="mine"), "group": Wanted(owner="group"), "nobody": Wanted(owner="nobody"),
        "required": Wanted(need="required"), "overdue": Wanted(overdue=True),
    }.items():  # fmt: skip
        assert getattr(counts, name) == len(read(store, wanted, limit=1_000)) > 0, name


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(), Wanted(group="over"), Wanted(group="needs_somebody"), Wanted(owner="mine"), Wanted(owner="nobody", overdue=True),
        Wanted(owner="group", operation="refund"), Wanted(need="allowed", group="waiting"),
    ],
)  # fmt: skip
def test_the_pages_together_are_the_whole_in_order(store: Shop, like: WorkItem, wanted: Wanted) -> None:
    fill(store, like, 700)
    found: list[Item] = []
    while True:
        after = desk.place_of(wanted, found[-1]) if found else None
        page = read(store, wanted, after, 40, "ann" if wanted.owner == "group" else "oscar")
        found += page
        if len(page) < 40:
            break
    assert [item.id for item in found] == expected(store, wanted)
    assert len(found) > 40 or wanted.owner in {"mine", "group"}


def expected(shop: Shop, wanted: Wanted) -> list[UUID]:
    """Sort and filter everything by hand."""
    with inside():
        now = rows("select cf_now() as now")[0]["now"]
        every = list(WorkItem.objects.filter(tenant_id=shop.tenant.pk))
    owners: dict[str, Callable[[WorkItem], bool]] = {
        "": lambda item: True, "mine": lambda item: item.owner_id == shop.members["oscar"].pk,
        "nobody": lambda item: item.owner_id is None, "group": lambda item: item.owner_group == "finance",
    }  # fmt: skip
    groups: dict[str, Callable[[WorkItem], bool]] = {
        "open": lambda item: item.state in ITEM_OPEN, "over": lambda item: item.state in ITEM_OVER,
        "needs_somebody": lambda item: item.state in {"failed", "escalated"} or (item.state == "waiting" and item.waits_for == "person"),
        "waiting": lambda item: item.state in {"planned", "waiting"} and item.waits_for != "person",
    }  # fmt: skip
    kept = [
        item for item in every
        if groups[wanted.group](item) and owners[wanted.owner](item) and wanted.operation in {"", item.operation}
        and wanted.need in {"", item.need} and (not wanted.overdue or (item.deadline_at is not None and item.deadline_at <= now))
    ]  # fmt: skip

    def order(item: WorkItem) -> tuple[Any, ...]:
        if item.ended_at is not None:
            return (-item.ended_at.timestamp(), -item.pk.int)
        return (item.deadline_at is None, item.deadline_at or 0, -item.weight, item.pk.int)

    return [item.pk for item in sorted(kept, key=order)]


def test_an_item_a_plan_and_a_run_are_read_in_a_constant_number_of_statements(store: Shop) -> None:
    run = done(store, "reserve", "charge", "reserve")
    effects = [store.effect(run, key) for key in ("reserve", "charge", "reserve-2")]
    plan, made = planned(store, run, *({"effect_id": each.pk} for each in effects))
    reads: list[Callable[[], object]] = [
        lambda: items.item(store.tenant.pk, made[0].pk), lambda: plans.plan(store.tenant.pk, plan.pk),
        lambda: of_run.of_run(store.tenant.pk, run, limit=2), lambda: of_run.unresolved(run, 2),
        lambda: trail.trail(store.tenant.pk, plan.pk),
        lambda: trail.trail(store.tenant.pk, plan.pk, item_id=made[1].pk),
    ]  # fmt: skip
    few = [len(asked(store, read)) for read in reads]
    planned(store, run, *({} for _ in range(20)))
    fill(store, made[0], 200)
    assert [len(asked(store, read)) for read in reads] == few
    assert max(few) <= 14, few


def test_the_chain_goes_from_the_original_to_what_waits_for_it(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    reserve, charge = store.effect(run, "reserve"), store.effect(run, "charge")
    _, (first, second) = planned(
        store,
        run,
        {"effect_id": reserve.pk},
        {"residue": '["The hotel keeps its fee."]', "checklist": '[{"text":"Call."}]'},
    )
    with forger() as hand:
        hand.execute("update compensation_workitem set after = array[%s]::uuid[] where id = %s", [first.pk, second.pk])
    store.verified = False
    with inside(store.tenant.pk):
        chain, behind = items.item(store.tenant.pk, first.pk), items.item(store.tenant.pk, second.pk)
    assert chain is not None
    assert behind is not None
    assert chain.original == reserve
    assert chain.original is not None
    assert [attempt.outcome for attempt in chain.original.attempts.all()] == ["succeeded"]
    assert ([item.id for item in chain.behind], chain.before) == ([second.pk], ())
    assert ([item.id for item in behind.before], behind.original) == ([first.pk], None)
    assert behind.item.residue == ("The hotel keeps its fee.",)
    assert (chain.plan.asked_by_name, chain.plan.reason) == (store.bot.name, "The guest is ill.")
    assert charge.pk not in {effect.pk for effect in chain.tries}


def test_what_waits_for_a_step_is_told_with_how_many_and_the_first_few(store: Shop) -> None:
    run = done(store, "reserve", *["charge"] * 12)
    planned_by_contracts(store, run)
    reserved, charged = item_of(run, "reserve"), item_of(run, "charge-12")
    with inside(store.tenant.pk):
        reserve, last = items.item(store.tenant.pk, reserved.pk), items.item(store.tenant.pk, charged.pk)
    assert reserve is not None
    assert last is not None
    assert ([each.number for each in reserve.behind], reserve.behind_count) == ([*range(2, 12)], 12)
    assert ([each.number for each in last.before], last.item.after_count, last.behind) == ([1], 1, ())


def test_what_was_planned_after_an_item_was_over_does_not_wait_for_it(store: Shop) -> None:
    run = done(store, "reserve", "charge", "reserve", "charge")
    planned_by_contracts(store, run, "reserve")
    planned_by_contracts(store, run, "charge")
    answer(claim())
    sweep()
    planned_by_contracts(store, run, "reserve-2")
    planned_by_contracts(store, run, "charge-2")
    before, after = item_of(run, "reserve"), item_of(run, "reserve-2")
    with inside(store.tenant.pk):
        first, second = items.item(store.tenant.pk, before.pk), items.item(store.tenant.pk, after.pk)
    assert first is not None
    assert second is not None
    assert [each.id for each in first.behind] == [item_of(run, "charge").pk]
    assert [each.id for each in second.behind] == [item_of(run, "charge-2").pk]


def test_what_is_another_tenants_is_not_there(store: Shop, rival: Shop) -> None:
    run = done(store, "reserve")
    plan, (item,) = planned(store, run)
    with inside():
        assert items.item(rival.tenant.pk, item.pk) is None
        assert items.one(rival.tenant.pk, item.pk) is None
        assert plans.plan(rival.tenant.pk, plan.pk) is None
        assert of_run.of_run(rival.tenant.pk, run, limit=2) is None
        assert desk.desk(rival.members["oscar"], Wanted(), None, 10) == []


def test_a_page_of_a_runs_items_is_a_range_of_an_index_however_many_there_are(store: Shop, like: WorkItem) -> None:
    fill(store, like, 3_000)
    run = like.run_id
    statements = asked(store, lambda: of_run.of_run(store.tenant.pk, run, after=1_500, limit=PAGE))
    read = [plan for sql, plan in carried_out(store, statements) if "limit" in sql.lower()]
    assert len(read) == 1
    assert not [node for node in nodes(read[0]) if node["Node Type"] == "Sort"], read
    scanned = [node for node in nodes(read[0]) if node.get("Relation Name") == "compensation_workitem"]
    assert scanned, read
    assert not [node for node in scanned if node["Node Type"] == "Seq Scan"], read  # what it joins is a row or two
    with inside(store.tenant.pk):
        found = of_run.of_run(store.tenant.pk, run, after=1_500, limit=PAGE)
        every = list(WorkItem.objects.filter(run=run).order_by("number"))
    assert found is not None
    assert [item.number for item in found.items] == [item.number for item in every if item.number > 1_500][:PAGE]
    assert found.after == found.items[-1].number
    needing = [item for item in every if item.state in {"failed", "escalated"} or item.waits_for == "person"]
    assert found.tally.total == len(every)
    assert found.tally.over == sum(item.state == "done" for item in every)
    assert (found.tally.unresolved, found.tally.needing) == (len(every) - found.tally.over, len(needing))


def test_the_trail_says_each_entry_as_a_sentence_and_of_an_item_only_its_own(store: Shop) -> None:
    run = done(store, "reserve")
    plan, made = planned(store, run, {"effect_id": store.effect(run, "reserve").pk}, {"summary": "Call the guest"})
    with inside(store.tenant.pk):
        whole = trail.trail(store.tenant.pk, plan.pk)
        of_one = trail.trail(store.tenant.pk, plan.pk, item_id=made[1].pk)
    assert [line.sentence for line in whole.lines] == [
        "Planned what is to be made good for, because somebody asked for it: The guest is ill.",
        "Planned work item 1, which must be done: “Make it good, 1”.",
        "Planned work item 2, which must be done: “Call the guest”.",
    ]
    assert [line.sentence for line in of_one.lines] == ["Planned work item 2, which must be done: “Call the guest”."]
    assert {line.actor_name for line in whole.lines} == {"the clock"}


def test_the_trail_of_an_item_is_none_of_an_item_that_only_names_it(store: Shop) -> None:
    run = done(store, "reserve")
    plan, (first, second) = planned(
        store, run, {"effect_id": store.effect(run, "reserve").pk}, {"summary": "Call the guest"}
    )
    with inside(store.tenant.pk):
        write(CLOCK, [changed(second, "item.waits", state="waiting", waits_for="order", after=[first.pk])], clock.now())
        of_first = trail.trail(store.tenant.pk, plan.pk, item_id=first.pk, limit=1)
        news = trail.news(store.tenant.pk, plan.pk, 3, item_id=second.pk)
    assert [line.sentence for line in of_first.lines] == ["Planned work item 1, which must be done: “Make it good, 1”."]
    assert of_first.earlier is None
    assert [line.sentence for line in news] == ["Work item 2 waits for what comes before it."]
