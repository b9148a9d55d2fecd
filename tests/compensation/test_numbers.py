"""R-A9: how compensation does is counted: what is open, what became of the rest, how long it took, and what remained."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from compensation.models import Plan, WorkItem
from compensation.numbers import Fee, Numbers, Outcomes, Remaining, numbers
from compensation.writing import changed, write
from console import clock
from console.exact import canonical
from tests.cast import inside
from tests.compensation import desk
from tests.compensation.test_queries import asked, carried_out, nodes
from tests.compensation.undoing import answer, begun, done, with_undoing
from tests.shop import Shop
from tests.work import claim

WAYS = {
    "failed": ["failed"], "done": ["running", "done"], "resolved": ["failed", "resolved"], "waived": ["failed", "escalated", "waived"],
    "dropped": ["dropped"], "running": ["running"],
}  # fmt: skip
EVENTS = {"running": "began", "failed": "failed", "escalated": "escalated"}


def items(shop: Shop, *of: dict[str, Any]) -> list[WorkItem]:
    """Have work items, each come to a state so long after it was planned (`took`, seconds), with what `left` behind."""
    run = done(shop, "reserve")
    kept: list[dict[str, Any]] = [
        {name: each[name] for name in ("operation", "deadline_at") if name in each} for each in of
    ]
    _, made = desk.planned(shop, run, *kept)
    with inside(shop.tenant.pk):
        for item, each in zip(made, of, strict=True):
            for state in WAYS[each["state"]]:
                now = item.created_at + timedelta(seconds=each.get("took", 1))
                more: dict[str, Any] = {"escalated_at": now} if state == "escalated" else {}
                if state not in EVENTS:
                    more |= {"ended_at": now, "left": canonical(each.get("left", []))}
                write(desk.CLOCK, [changed(item, f"item.{EVENTS.get(state, state)}", state=state, **more)], now)
    return made


def counted(shop: Shop, days: int = 7, by: str = "day", zone: str = "UTC") -> Numbers:
    """Count."""
    with inside(shop.tenant.pk):
        return numbers(shop.tenant.pk, clock.now(), days=days, by=by, zone=zone)


def test_of_nothing_nothing_is_said(store: Shop) -> None:
    found = counted(store)
    assert (found.backlog.open, found.backlog.oldest_seconds, found.whole) == (0, None, Outcomes())
    assert (found.whole.success_rate, found.whole.escalation_rate) == (None, None)
    assert len(found.periods) == 7
    assert not found.cut


def test_what_is_open_is_counted_by_state_with_what_needs_somebody_and_what_is_overdue(store: Shop) -> None:
    with inside():
        past = clock.now() - timedelta(hours=1)
    items(
        store,
        {"state": "failed", "deadline_at": past},
        {"state": "running", "operation": "refund"},
        {"state": "failed"},
        {"state": "done"},
    )
    backlog = counted(store).backlog
    assert (backlog.open, backlog.needs_somebody, backlog.overdue) == (3, 2, 1)
    assert backlog.by_state == {"failed": 2, "running": 1}
    assert backlog.by_operation == {"": 2, "refund": 1}
    assert backlog.oldest_seconds is not None
    assert 0 <= backlog.oldest_seconds < 3600


def test_what_ended_is_counted_by_how_it_ended_and_by_how_long_it_took(store: Shop) -> None:
    items(
        store, {"state": "done", "took": 10}, {"state": "done", "took": 20}, {"state": "done", "took": 60},
        {"state": "resolved", "took": 600}, {"state": "waived", "took": 900}, {"state": "dropped"},
    )  # fmt: skip
    whole = counted(store).whole
    assert (whole.ended, whole.done, whole.resolved, whole.waived, whole.dropped, whole.escalated) == (6, 3, 1, 1, 1, 1)
    assert (whole.success_rate, whole.escalation_rate) == (3 / 5, 1 / 5)
    assert whole.median_seconds == 20
    assert whole.p95_seconds == pytest.approx(56)


def test_each_operation_is_counted_by_itself_and_so_is_what_people_do(store: Shop) -> None:
    items(
        store,
        {"state": "done", "operation": "refund"},
        {"state": "failed", "operation": "refund"},
        {"state": "resolved"},
    )
    found = {each.name: each for each in counted(store).operations}
    assert set(found) == {"", "refund"}
    assert (found["refund"].open, found["refund"].outcomes.done) == (1, 1)
    assert (found[""].open, found[""].outcomes.resolved) == (0, 1)


def test_what_remains_is_added_up_by_its_words(store: Shop) -> None:
    items(
        store, {"state": "done", "left": ["A fee of 2.50.", "A notice."]}, {"state": "waived", "left": ["A fee of 2.50."]},
        {"state": "failed", "left": ["Not yet."]},
    )  # fmt: skip
    assert counted(store).remains == [Remaining("A fee of 2.50.", 2), Remaining("A notice.", 1)]


def test_fees_are_added_up_exactly_for_each_currency(store: Shop) -> None:
    made = items(store, *[{"state": "done", "operation": "refund"}] * 4)
    for item, result in zip(
        made,
        [
            {"fee": "0.10", "currency": "EUR"},
            {"fee": "0.20"},
            {"fee": "3", "currency": "USD"},
            {"fee": "a lot", "currency": "EUR"},
        ],
        strict=True,
    ):
        answered(store, item, result)
    assert counted(store).fees == [Fee("EUR", Decimal("0.30"), 2), Fee("USD", Decimal(3), 1)]


def answered(shop: Shop, item: WorkItem, result: dict[str, Any]) -> None:
    """Let the act that made good for it have this answer; what it was called with says EUR."""
    run = begun(shop, "charge")
    answer(claim(), result=result)
    acting = shop.effect(run, "charge").pk
    with inside(shop.tenant.pk):
        Plan.objects.select_for_update().get(pk=item.plan_id)
        write(desk.CLOCK, [changed(item, "item.remains", acting_id=acting)], clock.now())


def test_days_and_weeks_are_those_of_the_zone_that_is_asked_for(store: Shop) -> None:
    items(store, {"state": "done"})
    with inside():
        now = clock.now()
    days = counted(store, zone="UTC").periods
    assert [(day, each.done) for day, each in days][-1] == (now.date(), 1)
    ahead = counted(store, zone="Pacific/Kiritimati").periods[-1]
    assert ahead[0] in {now.date(), now.date() + timedelta(days=1)}
    assert ahead[1].done == 1
    weeks = counted(store, days=28, by="week").periods
    assert all(week.weekday() == 0 for week, _ in weeks)
    assert weeks[-1][1].done == 1


def test_another_tenant_s_are_not_counted(store: Shop, rival: Shop) -> None:
    items(store, {"state": "done"}, {"state": "failed"})
    found = counted(rival)
    assert (found.backlog.open, found.whole.ended) == (0, 0)


def test_ten_thousand_are_counted_in_as_many_statements_as_one(store: Shop) -> None:
    (like,) = items(store, {"state": "failed"})
    few = asked(store, lambda: counted_here(store))
    desk.fill(store, like, 10_000)
    assert len(few) == len(asked(store, lambda: counted_here(store))) == 4
    found = counted(store)
    assert (found.whole.ended, found.backlog.open, found.cut) == (1000, 9001, False)


def test_of_a_table_that_others_fill_only_ours_are_read(store: Shop, rival: Shop) -> None:
    items(store, {"state": "failed"}, {"state": "done", "left": ["A fee."]})
    (theirs,) = items(with_undoing(rival), {"state": "failed"})
    desk.fill(rival, theirs, 10_000)
    store.verified = False  # the record of both is looked at in the end
    for statement, plan in carried_out(store, asked(store, lambda: counted_here(store))):
        read = [node for node in nodes(plan) if node.get("Relation Name") == "compensation_workitem"]
        assert read, statement
        assert not [node for node in read if node["Node Type"] == "Seq Scan"], statement


def counted_here(shop: Shop) -> Numbers:
    """Count within a transaction that is open."""
    return numbers(shop.tenant.pk, datetime.now(UTC), days=30, by="week", zone="Europe/Berlin")
