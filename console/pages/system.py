"""Whether the machinery is alive: what waits to begin, and who is there to begin it. What cannot be told is None."""

from typing import Any
from uuid import UUID

from console import signs
from console.ledger import beats
from console.notices import queries as notices
from console.pages.counts import MOST, Count, if_readable
from runs import queries, reach


def now(tenant_id: UUID, running_runs: Count | None) -> dict[str, Any]:
    """Give the strip of system truth; see the top of home/_system.html."""
    ready = if_readable(lambda: _ready(tenant_id)) or {}
    counted = ready.get("ready_count")
    passed = if_readable(lambda: beats.last("clock"))
    return {
        "ready_count": None if counted is None else Count(counted),
        "oldest_ready_at": ready.get("oldest_ready_at"),
        "clock_at": passed and passed.at,
        "clock": None if passed is None else signs.clock(passed.age_seconds),
        "workers": signs.workers(signs.count_workers()),
        "running_runs": running_runs,
        "dependencies": ready.get("dependencies"),
        "undelivered": ready.get("undelivered"),
    }


def _ready(tenant_id: UUID) -> dict[str, Any]:
    """Read what waits to begin, in all and behind each dependency, and what was not delivered, in one part of the page."""
    return {
        **queries.ready(tenant_id, MOST + 1),
        "dependencies": reach.dependencies(tenant_id, MOST + 1),
        "undelivered": notices.undelivered(tenant_id, MOST + 1),
    }
