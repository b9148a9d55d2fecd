"""Whether the machinery is alive: what waits to begin, and who is there to begin it. What cannot be told is None."""

from typing import Any
from uuid import UUID

import redis

from console.doorbell import SHIFTS, line
from console.ledger.models import Beat
from console.pages.counts import MOST, Count, if_readable
from runs import queries

WORKERS = f"rq:workers:{SHIFTS}"


def now(tenant_id: UUID, running_runs: Count | None) -> dict[str, Any]:
    """Give the strip of system truth; see the top of home/_system.html."""
    ready = if_readable(lambda: queries.ready(tenant_id, MOST + 1)) or {}
    counted = ready.get("ready_count")
    return {
        "ready_count": None if counted is None else Count(counted),
        "oldest_ready_at": ready.get("oldest_ready_at"),
        "clock_at": if_readable(lambda: Beat.objects.filter(name="clock").values_list("at", flat=True).first()),
        "workers": workers(),
        "running_runs": running_runs,
    }


def workers() -> int | None:
    """Count the workers whose heartbeat Redis still holds, or None when Redis cannot be asked."""
    try:
        names: Any = line().smembers(WORKERS)
        return int(line().exists(*names)) if names else 0
    except (redis.RedisError, OSError):
        return None
