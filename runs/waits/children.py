"""What a child's end means to its parent. News travels as rows: `told_at` on the child says that its parent has heard.

The clock tells what nobody told; where a child ends by a driver's move, its parent is told right after that commit (telling.py)."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs import driving
from runs.models import Run
from runs.states import FAILED, RUN_OPEN
from runs.waits import news

TELL = "select * from runs_tell_parents(%s, %s, %s::uuid[])"
REASON = "a child run that it waited for did not succeed"


def tell_due(by: Actor, limit: int, children: Collection[UUID] | None = None) -> int:
    """Tell the parents of children that ended. Gives how many children there were."""
    told = rows(TELL, [str(by), limit, None if children is None else list(children)])
    now = clock.now()
    news.woken({row["run_id"] for row in told if row["woke"] and not row["fails"]}, instant(now))
    fail_by_child(by, {row["run_id"] for row in told if row["fails"]}, now)
    if told:
        ring_after_commit(*{row["run_id"] for row in told})
    return len(told)


def fail_by_child(by: Actor, parents: Collection[UUID], now: datetime) -> dict[UUID, str]:
    """Give locked runs up whose waits say that they fail by their child. Gives each one's state."""
    failing = list(Run.objects.filter(pk__in=parents, state__in=RUN_OPEN).order_by("pk")) if parents else []
    return driving.close(by, failing, toward=FAILED, reason=REASON, now=now) if failing else {}
