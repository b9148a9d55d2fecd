"""The ladder: what needs somebody is told of, rung by rung, until somebody sees to it. Nothing is resolved by that, and nothing is lost."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from compensation.alerts import alarms, telling
from compensation.models import WorkItem
from compensation.states import ESCALATED, FAILED, ITEM_OPEN
from compensation.writing import Change, changed, write
from console import clock
from console.clock import DatabaseNow, instant
from console.ledger.actors import Actor
from runs.models import Run

MOST: Final = 100  # posting takes some statements, and runs are held meanwhile


def climb_due(by: Actor, limit: int) -> int:
    """Tell of the items whose alarm has come, and give how many; what somebody else holds waits for the next pass.

    Within the caller's transaction."""
    items = _held(min(limit, MOST))
    if not items:
        return 0
    now = clock.now()
    first: list[tuple[WorkItem, str]] = []
    further: list[tuple[WorkItem, str]] = []
    changes: list[Change] = []
    for item in items:
        key = f"{item.tries}:{instant(item.next_alert_at)}"
        changes.append(_climbed(item, now))
        (first if item.level == 1 else further).append((item, key))
    write(by, changes, now)
    telling.needs_somebody(first)
    telling.escalated(further)
    return len(items)


def escalate(by: Actor, item: WorkItem, now: datetime, reason: str = "") -> WorkItem:
    """Take the next rung now, because a person says so and why; the item's run is locked. Who has it already is not told of it anew."""
    key = f"{item.tries}:by_hand:{instant(now)}"
    item.next_alert_at = now
    if item.level == 0 and len(alarms.rungs(item)) > 1 and alarms.rungs(item)[0].to == item.owner_group:
        item.level = 1
    write(by, [replace(_climbed(item, now), more={"reason": reason})], now)
    telling.escalated([(item, key)])
    return item


def _held(limit: int) -> list[WorkItem]:
    """Lock the runs of what is due (those that somebody else holds wait for the next pass), and look again."""
    wanted = WorkItem.objects.filter(next_alert_at__lte=DatabaseNow(), state__in=ITEM_OPEN)
    due = dict(wanted.order_by("next_alert_at").values_list("pk", "run_id")[:limit])
    if not due:
        return []
    held = Run.objects.filter(pk__in=set(due.values())).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    return list(wanted.filter(pk__in=due, run__in=[run.pk for run in held]).order_by("pk"))


def _climbed(item: WorkItem, now: datetime) -> Change:
    """Take the rung that is due: its group has the item from then on, and who claimed it stays named."""
    found = alarms.climb(item, now)
    columns: dict[str, Any] = {"level": found.level, "owner_group": found.rung.to}
    escalates = item.state == FAILED or found.level > 1
    if escalates:
        columns |= {"escalated_at": item.escalated_at or now}
    if item.state == FAILED:
        columns |= {"state": ESCALATED}
    return changed(item, "item.escalated" if escalates else "item.told", **columns, next_alert_at=found.next_at)
