"""Which dependencies answer, which are held back, and behind which of them work waits: told from the attempts and the ready effects."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from console.database import rows

NAMED: Final = 50
LAST: Final = 3
# An attempt that was lost says something of its worker and nothing of the other side; one that ended without a word of it does.
DEPENDENCIES = """
with named as (select name from runs_dependency where tenant_id = %s and retired_at is null order by name limit %s)
select n.name, w.waiting, w.oldest_at, l.tried, l.answered, l.since, h.slots, h.held_until
from named n left join runs_breakers(cf_now()) h on h.tenant_id = %s and h.dependency_name = n.name cross join lateral (
    select count(*) as waiting, min(next_attempt_at) as oldest_at from (
        select next_attempt_at from runs_effect
        where tenant_id = %s and state = 'ready' and executor in ('http', 'python') and dependency_name = n.name
          and next_attempt_at <= cf_now()
        order by next_attempt_at limit %s) e) w
cross join lateral (
    select count(*) as tried, min(ended_at) as since,
           count(*) filter (where http_status is not null or outcome not in ('unknown', 'not_sent', 'transient')) as answered
    from (select http_status, outcome, ended_at from runs_attempt
          where tenant_id = %s and dependency_name = n.name and state = 'ended' and worker like 'worker:%%'
          order by started_at desc limit %s) a) l
order by n.name
"""


@dataclass(frozen=True, slots=True)
class Reach:
    """How it stands with one dependency; `silent_since` is when the first of its last calls ended without an answer.

    Its breaker holds calls back until `held_until`, or lets one at a time try (`tries`)."""

    name: str
    waiting: int
    oldest_at: datetime | None
    silent_since: datetime | None
    held_until: datetime | None
    tries: bool


def dependencies(tenant_id: UUID, most: int) -> list[Reach]:
    """Tell of each dependency how many effects wait for a worker, up to `most`, and since when its last three calls had no answer."""
    found = rows(DEPENDENCIES, [tenant_id, NAMED, tenant_id, tenant_id, most, tenant_id, LAST])
    return [
        Reach(
            row["name"],
            row["waiting"],
            row["oldest_at"],
            row["since"] if row["tried"] == LAST and not row["answered"] else None,
            row["held_until"] if row["slots"] == 0 else None,
            row["slots"] == 1,
        )
        for row in found
    ]
