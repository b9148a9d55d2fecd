"""The cancellations of a tenant that are not proven yet, the oldest first, and what each waits for, in two statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from console.database import rows
from runs.cancelling.stopping import OPEN
from runs.models import Cancellation

Place = tuple[datetime, UUID]
MOST_CHILDREN = 1000  # that are counted
WAITS_FOR = """
select c.id, e.in_flight, e.unknown, e.cleanup,
    case when c.scope = 'tree' then (
        select count(*) from (select from runs_run k where k.parent_id = c.run_id and k.ended_at is null limit %s) going)
    else 0 end as children,
    c.effect_id is null and r.compensation in ('due', 'open') as compensation
from runs_cancellation c join runs_run r on r.id = c.run_id
cross join lateral (
    select count(*) filter (where x.state in ('dispatched', 'accepted')) as in_flight,
        count(*) filter (where x.state || '' = 'unknown') as unknown,
        count(*) filter (where x.cleanup and c.effect_id is null
                         and x.state in ('proposed', 'blocked', 'awaiting_approval', 'ready')) as cleanup
    from runs_effect x where x.run_id = c.run_id and (c.effect_id is null or x.id = c.effect_id) and x.compensates_id is null) e
where c.id = any (%s::uuid[])
"""


@dataclass(frozen=True, slots=True)
class WaitsFor:
    """How many things of each kind a cancellation waits for; beside them its driver's time (`grace_until`)."""

    in_flight: int = 0
    unknown: int = 0
    cleanup: int = 0
    children: int = 0
    compensation: bool = False


def unproven(tenant_id: UUID, after: Place | None, limit: int) -> list[Cancellation]:
    """Give cancellations that are not over, the oldest first, from the one after a place (asked at, id) on."""
    found = Cancellation.objects.filter(tenant_id=tenant_id, state__in=OPEN)
    if after is not None:
        at, row_id = after
        found = found.filter(Q(asked_at__gt=at) | Q(asked_at=at, pk__gt=row_id), asked_at__gte=at)
    return list(found.select_related("run", "effect", "of").order_by("asked_at", "id")[:limit])


def count_unproven(tenant_id: UUID, most: int) -> int:
    """Count them, up to `most`."""
    return Cancellation.objects.filter(tenant_id=tenant_id, state__in=OPEN)[:most].count()


def waits_for(found: Sequence[Cancellation]) -> dict[UUID, WaitsFor]:
    """Tell what each of them waits for."""
    if not found:
        return {}
    told = rows(WAITS_FOR, [MOST_CHILDREN, [each.pk for each in found]])
    return {row.pop("id"): WaitsFor(**row) for row in told}
