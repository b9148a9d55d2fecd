"""Work items at hand for tests of what is read of them, written as moves write them; and ten thousand more of their kind, by hand."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from compensation.models import Plan, WorkItem
from compensation.states import EFFECT, IN_FORCE, MANUAL, PLANNED, REQUIRED
from compensation.writing import add
from console import clock
from console.ledger.actors import system
from tests.cast import Company, inside
from tests.record import forger
from tests.shop import Shop

CLOCK = system("clock")
# Items like one that was written as moves write it; what differs is what the desk sorts and filters by.
COPY = """
insert into compensation_workitem select x.* from compensation_workitem e, generate_series(1, %(many)s) i,
    jsonb_populate_record(e, jsonb_build_object(
    'id', gen_random_uuid(), 'number', 100 + i, 'effect_id', null, 'kind', 'manual',
    'state', case i %% 10 when 0 then 'done' when 1 then 'failed' when 2 then 'running' when 3 then 'escalated' else 'waiting' end,
    'waits_for', case i %% 10 when 4 then 'person' when 5 then 'order' else '' end,
    'ended_at', case when i %% 10 = 0 then cf_now() - make_interval(secs => i / 3) end,
    'deadline_at', case when i %% 7 > 0 then cf_now() + make_interval(secs => 60 * (i / 30) - 6000) end,
    'weight', i %% 4, 'need', case when i %% 6 = 0 then 'allowed' else 'required' end,
    'operation', case when i %% 40 = 1 then 'release' else 'refund' end,
    'owner_id', case when i %% 20 = 1 then %(owner)s::uuid end,
    'owner_group', case when i %% 40 = 3 then 'finance' else 'operators' end)) x
where e.id = %(like)s
"""


def planned(shop: Shop | Company, run: UUID, *of: dict[str, Any], **plan: Any) -> tuple[Plan, list[WorkItem]]:
    """Write a plan with an item for each of these, as moves write them."""
    with inside(shop.tenant.pk):
        now = clock.now()
        of_plan: dict[str, Any] = {
            "number": Plan.objects.filter(run=run).count() + 1, "cause": "asked", "reason": "The guest is ill.", "state": IN_FORCE,
            "asked_by": str(shop.bot), "asked_at": now,
        }  # fmt: skip
        written = Plan(tenant_id=shop.tenant.pk, run_id=run, ledger_seq=0, ledger_hash=b"", **of_plan | plan)
        add(CLOCK, [written], "plan.made", now)
        first = WorkItem.objects.filter(run=run).count() + 1
        items = [
            WorkItem(
                tenant_id=shop.tenant.pk, plan=written, run_id=run, number=number,
                **{
                    "kind": EFFECT if "effect_id" in each else MANUAL, "summary": f"Make it good, {number}", "need": REQUIRED,
                    "state": PLANNED, "created_at": now, "deadline_at": now + timedelta(hours=number),
                } | each,
            )
            for number, each in enumerate(of or ({},), first)
        ]  # fmt: skip
        add(CLOCK, items, "item.planned", now)
    return written, items


def fill(shop: Shop, like: WorkItem, many: int) -> None:
    """Have so many more like it, of which nine in ten are open."""
    shop.verified = False  # no move made them, and the record knows nothing of them
    with forger() as hand:
        hand.execute(COPY.encode(), {"many": many, "like": like.pk, "owner": shop.members["oscar"].pk})
        hand.execute("analyze compensation_workitem")
