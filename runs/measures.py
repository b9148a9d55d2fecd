"""What the record says of runs and effects at this moment, over all tenants: bounded looks along indexes, for metrics."""

from collections.abc import Iterator

from console.database import rows
from console.telemetry.metrics import MOST, Reading
from runs.states import RUN_STATES

UNKNOWN = """
select (select count(*) from (select from runs_effect where state = 'unknown' limit %s) e) as counted,
       (select extract(epoch from cf_now() - min(e.unknown_since)) from identity_tenant t cross join lateral (
           select unknown_since from runs_effect where tenant_id = t.id and state = 'unknown' order by unknown_since limit 1) e) as oldest
"""
HELD = "select count(*) as counted from (select from runs_effect where state = 'unknown' and holds_unit limit %s) e"
READY = """
with named as (
    select distinct tenant_id, name from runs_dependency where retired_at is null union all select id, '' from identity_tenant)
select n.name as dependency, sum(e.counted) as counted, extract(epoch from cf_now() - min(e.first_at)) as oldest
from named n cross join lateral (
    select count(*) as counted, min(next_attempt_at) as first_at from (
        select next_attempt_at from runs_effect
        where state = 'ready' and executor in ('http', 'python') and tenant_id = n.tenant_id and dependency_name = n.name
          and next_attempt_at <= cf_now()
        order by next_attempt_at limit %s) x) e
group by 1 order by 1
"""
IN_FLIGHT = "select dependency_name as dependency, count(*) as counted from runs_attempt where state = 'running' group by 1 order by 1"
HELD_BACK = "select count(*) as counted from runs_breakers(cf_now())"
RUNS = """
select s.state, sum(r.counted) as counted
from unnest(%s::text[]) as s (state) cross join identity_tenant t cross join lateral (
    select count(*) as counted from (select from runs_run where tenant_id = t.id and state = s.state limit %s) x) r
group by 1
"""


def readings() -> Iterator[Reading]:
    """Read them all."""
    unknown = rows(UNKNOWN, [MOST])[0]
    yield Reading("unknown_effects", unknown["counted"])
    yield Reading("unknown_effect_oldest_seconds", float(unknown["oldest"] or 0))
    yield Reading("grant_units_held_by_unknowns", float(rows(HELD, [MOST])[0]["counted"]))
    for row in rows(READY, [MOST]):
        yield Reading("ready_effects", float(row["counted"]), (row["dependency"],))
        yield Reading("ready_effect_oldest_seconds", float(row["oldest"] or 0), (row["dependency"],))
    in_flight = {row["dependency"]: row["counted"] for row in rows(IN_FLIGHT)}
    for dependency in sorted({"", *in_flight}):
        yield Reading("attempts_in_flight", in_flight.get(dependency, 0), (dependency,))
    yield Reading("dependencies_held_back", float(rows(HELD_BACK)[0]["counted"]))
    counted = {row["state"]: row["counted"] for row in rows(RUNS, [list(RUN_STATES), MOST])}
    for state in RUN_STATES:
        yield Reading("runs", float(counted.get(state, 0)), (state,))
