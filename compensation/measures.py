"""What the record says of compensation at this moment, over all tenants, for metrics."""

from collections.abc import Iterator

from compensation.queries.desk import IS_OPEN, SOMEBODY
from compensation.states import ITEM_OPEN, ITEM_STATES
from console.database import rows
from console.telemetry.metrics import MOST, Reading

OPEN = f"""
select s.state, coalesce(sum(i.counted), 0) as counted, coalesce(sum(i.somebody), 0) as somebody, coalesce(sum(i.overdue), 0) as overdue,
       extract(epoch from cf_now() - min(i.oldest)) as oldest
from unnest(%s::text[]) as s (state) left join (
    select x.state, count(*) as counted, count(*) filter (where {SOMEBODY}) as somebody,
           count(*) filter (where deadline_at <= cf_now()) as overdue, min(x.created_at) as oldest
    from identity_tenant t cross join lateral (
        select state, waits_for, deadline_at, created_at from compensation_workitem
        where tenant_id = t.id and {IS_OPEN} order by deadline_at, weight desc, id limit %s) x
    group by 1) i on i.state = s.state
group by 1
"""  # noqa: S608 - constants


def readings() -> Iterator[Reading]:
    """Read them all."""
    states = [state for state in ITEM_STATES if state in ITEM_OPEN]
    found = {row["state"]: row for row in rows(OPEN, [states, MOST])}
    for state in states:
        yield Reading("compensations", float(found[state]["counted"]), (state,))
    yield Reading("compensations_need_somebody", float(sum(row["somebody"] for row in found.values())))
    yield Reading("compensations_overdue", float(sum(row["overdue"] for row in found.values())))
    yield Reading("compensation_oldest_seconds", float(max(row["oldest"] or 0 for row in found.values())))
