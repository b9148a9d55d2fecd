"""The queue at ten thousand unknowns: the same few queries as at a hundred, each along an index, for all filters, both orders (R-N3)."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from console.database import alias, rows
from runs.models import Effect
from runs.unknowns import queue
from runs.unknowns.queue import Place, Wanted
from tests.cast import inside
from tests.record import forger
from tests.shop import Shop
from tests.unsure import claim_it, unknown
from tests.work import claim, settle

MANY, FEW, PAGE = 10_000, 100, 50
# A page reads at most four lanes of 51 entries, each with its row: so many pages of 8 kB, however long the queue is.
MOST_BUFFERS = 1_200
# Effects like one that the product's own moves made; what differs is what the queue sorts and filters by.
COPY = """
insert into runs_effect select x.* from runs_effect e, generate_series(1, %(all)s) i, jsonb_populate_record(e, jsonb_build_object(
    'id', gen_random_uuid(), 'number', 100 + i, 'key', 'copy-' || i,
    'state', case when i <= %(unknown)s then 'unknown' else 'succeeded' end,
    'ended_at', case when i > %(unknown)s then cf_now() end,
    'unknown_since', cf_now() - make_interval(secs => 100 + i),
    'irreversible', i %% 50 = 0, 'consequential', i %% 3 = 0,
    'operation_name', case when i %% 4 = 0 then 'wire' else 'pay' end,
    'dependency_name', case when i %% 5 = 0 then 'mill' else 'bank' end,
    'owner_id', case when i %% 20 = 0 then %(owner)s::uuid end, 'owned_at', null,
    'owner_group', case when i %% 40 = 1 then 'finance' else '' end,
    'objective_at', cf_now() + make_interval(secs => 3600 * (i - %(overdue)s) - 1800))) x
where e.id = %(like)s
"""
FILTERS = [
    Wanted(owner=owner, operation=operation, dependency=dependency, overdue=overdue, sort=sort)
    for owner, operation, dependency, overdue, sort in product(
        ("", "mine", "nobody", "group"), ("", "wire"), ("", "mill"), (False, True), ("age", "consequence")
    )
]


def fill(shop: Shop, like: Effect, unknowns: int, *, overdue: int) -> None:
    """Have so many more like it, and half as many again that are settled; their ages, weights and owners differ."""
    shop.verified = False  # no move made them, and the record knows nothing of them
    terms = {
        "unknown": unknowns,
        "all": unknowns * 3 // 2,
        "like": like.pk,
        "owner": shop.members["oscar"].pk,
        "overdue": overdue,
    }
    with forger() as hand:
        hand.execute(COPY.encode(), terms)
        hand.execute("analyze runs_effect")


@pytest.fixture
def like(shop: Shop) -> Effect:
    """An unknown effect of the product's own making, which oscar looks after."""
    effect = unknown(shop, delay=3600)
    claim_it(shop, effect)
    return effect


@pytest.fixture
def at_ten_thousand(shop: Shop, like: Effect) -> Iterator[Shop]:
    """The shop with a long queue, of which a good half is overdue."""
    fill(shop, like, MANY, overdue=5_000)
    yield shop
    with forger() as hand:
        hand.execute("analyze runs_effect")


def read(shop: Shop, name: str, wanted: Wanted, after: Place | None = None, limit: int = PAGE + 1) -> list[Effect]:
    """Read a page as a member."""
    with inside(shop.tenant.pk):
        return queue.unknowns(shop.members[name], wanted, after, limit)


def statements(shop: Shop, name: str, wanted: Wanted) -> list[tuple[str, dict[str, Any]]]:
    """Read a page and a count as a member, and give how PostgreSQL carried out each statement about effects, by table or index."""
    with inside(shop.tenant.pk), CaptureQueriesContext(connections[alias()]) as captured:
        queue.unknowns(shop.members[name], wanted, None, PAGE + 1)
        queue.count(shop.members[name], wanted, PAGE)
    carried = []
    with inside(shop.tenant.pk):
        for query in captured.captured_queries:
            sql = query["sql"]
            if "runs_effect" in sql:
                plan = rows("explain (analyze, buffers, format json) " + sql.replace("%", "%%"))[0]["QUERY PLAN"]
                carried.append((sql, (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]))
    return carried


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give a plan's nodes."""
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def counted(shop: Shop, wanted: Wanted) -> int:
    """Count the queries of a page."""
    with inside(shop.tenant.pk), CaptureQueriesContext(connections[alias()]) as captured:
        queue.unknowns(shop.members["ann"], wanted, None, PAGE + 1)
    return len(captured)


def test_more_unknowns_add_no_queries(shop: Shop, like: Effect) -> None:
    fill(shop, like, FEW, overdue=FEW)
    few = [counted(shop, wanted) for wanted in FILTERS]
    with forger() as hand:
        hand.execute("delete from runs_effect where key like 'copy-%'")
    fill(shop, like, 3_000, overdue=FEW)
    assert [counted(shop, wanted) for wanted in FILTERS] == few
    assert max(few) <= 5


@pytest.mark.timeout(300)
def test_every_filter_in_both_orders_reads_along_indexes_and_little(at_ten_thousand: Shop) -> None:
    for wanted in FILTERS:
        for sql, plan in statements(at_ten_thousand, "ann" if wanted.owner == "group" else "oscar", wanted):
            scanned = [
                node
                for node in nodes(plan)
                if node["Node Type"] == "Seq Scan" and node["Relation Name"] == "runs_effect"
            ]
            assert not scanned, (wanted, sql)
            touched = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
            several = sum(map(bool, (wanted.owner, wanted.operation, wanted.dependency, wanted.overdue))) > 1
            # Several conditions at once: one leads, and the rest are looked at in its rows, of which there are at most all.
            assert touched <= (MANY * 4 if several else MOST_BUFFERS), (wanted, touched, sql)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(), Wanted(sort="consequence"), Wanted(operation="wire"), Wanted(operation="wire", sort="consequence"), Wanted(owner="mine"),
        Wanted(owner="nobody", dependency="mill", sort="consequence"), Wanted(overdue=True), Wanted(overdue=True, sort="consequence"),
        Wanted(owner="group", sort="consequence"), Wanted(owner="group"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("overdue", [40, 300])
def test_the_pages_together_are_the_whole_in_order(shop: Shop, like: Effect, wanted: Wanted, overdue: int) -> None:
    fill(shop, like, 300, overdue=overdue)
    name = "ann" if wanted.owner == "group" else "oscar"
    found: list[Effect] = []
    while True:
        after = queue.place_of(found[-1]) if found else None
        page = read(shop, name, wanted, after, 40)
        found += page
        if len(page) < 40:
            break
    assert [effect.pk for effect in found] == [effect.pk for effect in expected(shop, wanted)]
    assert len(found) > 1
    with inside(shop.tenant.pk):
        member = shop.members[name]
        assert queue.count(member, wanted, 1_000) == len(found)
        assert queue.count(member, wanted, 2) == 2


def expected(shop: Shop, wanted: Wanted) -> list[Effect]:
    """Sort and filter everything by hand."""
    with inside():
        now = rows("select cf_now() as now")[0]["now"]
        every = list(Effect.objects.filter(tenant_id=shop.tenant.pk, state="unknown"))
    owners: dict[str, Any] = {
        "": lambda effect: True, "mine": lambda effect: effect.owner_id == shop.members["oscar"].pk,
        "nobody": lambda effect: effect.owner_id is None, "group": lambda effect: effect.owner_group == "finance",
    }  # fmt: skip
    kept = [
        effect for effect in every
        if owners[wanted.owner](effect) and wanted.operation in {"", effect.operation_name}
        and wanted.dependency in {"", effect.dependency_name}
        and (not wanted.overdue or (effect.objective_at is not None and effect.objective_at <= now))
    ]  # fmt: skip
    heavy = wanted.sort == "consequence"

    def order(effect: Effect) -> tuple[Any, ...]:
        weight = (not effect.irreversible, not effect.consequential) if heavy else ()
        return (*weight, effect.unknown_since, effect.pk)

    return sorted(kept, key=order)


def test_a_page_brings_the_first_attempt_and_the_last_three(shop: Shop, like: Effect) -> None:
    with forger() as hand:
        hand.execute("update runs_effect set next_attempt_at = cf_now()")
    for _ in range(6):
        settle(claim(), "pending", http=202, delay=0)
    found = read(shop, "oscar", Wanted())[0]
    assert [attempt.number for attempt in found.attempts.all()] == [1, 5, 6, 7]
    assert (found.owner.user.name if found.owner else "", found.run.agent.name) == ("Oscar Wren", "errand-bot")


def test_strangers_see_nothing_of_it(shop: Shop, rival: Shop, like: Effect) -> None:
    assert read(rival, "oscar", Wanted()) == []
    with inside(rival.tenant.pk):
        assert queue.one(rival.tenant.pk, like.pk) is None
        assert queue.one(rival.tenant.pk, UUID(int=0)) is None
    with inside(shop.tenant.pk):
        found = queue.one(shop.tenant.pk, like.pk)
        assert found is not None
        assert found.owner_id == shop.members["oscar"].pk
