"""Plans that wait for approval: told of step by step, as work items are, until somebody decides. Silence approves nothing."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from compensation.alerts import alarms, telling
from compensation.alerts.ladder import MOST
from compensation.models import Plan
from compensation.states import PROPOSED
from compensation.writing import Change, changed, write
from console import clock
from console.clock import DatabaseNow
from console.exact import Value, canonical, decode
from console.ledger.actors import Actor
from runs.contracts.undoing import LADDER, OWNER
from runs.models import Run

LAST: Final = LADDER[-1]
DECIDE: Final = frozenset({OWNER, LAST[1]})  # who may approve a plan: whoever else a contract names is not told of it
FIRST_TOLD: Final = 1


def waiting(ladders: Iterable[str], now: datetime) -> dict[str, Any]:
    """Give what a plan has that waits for approval: the steps of its items' ladders at which operators and admins are told, each at its
    soonest, after the first, which is told at once; where they do not name the admins, those are told after a day."""
    soonest: dict[str, int] = {}
    for ladder in set(ladders):
        listed: Any = decode(ladder.encode()) if ladder else []
        for each in listed:
            after, to = int(each["after_seconds"]), str(each["to"])
            if after and to in DECIDE:
                soonest[to] = min(after, soonest.get(to, after))
    soonest.setdefault(LAST[1], LAST[0])
    steps: list[Value] = [
        {"after_seconds": after, "to": to} for after, to in sorted((after, to) for to, after in soonest.items())
    ]
    first: Value = {"after_seconds": 0, "to": OWNER}
    after = min(soonest.values())
    return {"ladder": canonical([first, *steps]), "level": FIRST_TOLD, "next_alert_at": now + timedelta(seconds=after)}


def tell_due(by: Actor, limit: int) -> int:
    """Tell of plans that nobody has decided by their next step, and give how many; what somebody else holds waits for the next pass.

    Within the caller's transaction."""
    plans = _held(min(limit, MOST))
    if not plans:
        return 0
    now = clock.now()
    told: list[tuple[Plan, str]] = []
    changes: list[Change] = []
    for plan in plans:
        found = alarms.climb(plan, now)
        changes.append(
            changed(plan, "plan.told", {"to": found.rung.to}, level=found.level, next_alert_at=found.next_at)
        )
        told.append((plan, found.rung.to))
    write(by, changes, now)
    telling.still_to_approve(told)
    return len(plans)


def _held(limit: int) -> list[Plan]:
    """Lock the runs of what is due (those that somebody else holds wait for the next pass), and look again."""
    wanted = Plan.objects.filter(next_alert_at__lte=DatabaseNow(), state=PROPOSED)
    due = dict(wanted.order_by("next_alert_at").values_list("pk", "run_id")[:limit])
    if not due:
        return []
    held = Run.objects.filter(pk__in=set(due.values())).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    return list(wanted.filter(pk__in=due, run__in=[run.pk for run in held]).order_by("pk"))
