"""Effects that are ready and held by a pause or because their run was set aside, and by what: for whoever follows them."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from console.database import rows

ON: Final = "It goes on when that is lifted."
ASIDE: Final = "Its run was set aside, and nothing of it is begun before somebody lets it go on."
# Whether it is held is said by the rule of the claim (runs/sql/parking.sql); the widest pause over it tells why.
HELD: Final = """
select e.id, p.scope, p.name, p.reason from runs_effect e join runs_run r on r.id = e.run_id
left join lateral (
    select p.scope, p.name, p.reason from runs_pause p where p.lifted_at is null and p.tenant_id = e.tenant_id and case p.scope
        when 'tenant' then true
        when 'run' then p.run_id = r.id and r.ended_at is null
        when 'operation' then p.name = e.operation_name
        when 'run_type' then p.name = (select t.name from runs_runtypecontract t where t.id = r.run_type_id)
        else false end
    order by array_position(array['tenant', 'run_type', 'operation', 'run'], p.scope::text), p.paused_at, p.id limit 1) p on true
where e.id = any (%s::uuid[]) and e.state = 'ready' and e.next_attempt_at is null
  and runs_stopped(r, e.operation_name, e.cleanup, e.compensates_id is not null)
"""
WHAT: Final = {"tenant": "Everything is paused", "run": "Its run is paused"}


def by_what(effects: Collection[UUID]) -> dict[UUID, str]:
    """Give those of these effects that are held, and by what, in words."""
    return {row["id"]: _words(row) for row in rows(HELD, [[*effects]])} if effects else {}


def _words(row: dict[str, Any]) -> str:
    if row["scope"] is None:
        return ASIDE
    what = WHAT.get(
        row["scope"], f"{row['name']} is paused" if row["scope"] == "operation" else f"Runs of {row['name']} are paused"
    )
    reason = row["reason"].strip().rstrip(".")
    return f"{what}: {reason}. {ON}" if reason else f"{what}. {ON}"
