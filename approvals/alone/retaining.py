"""What agents asked and did by themselves, once it is over: no run's erasure comes to it, so that it goes by a span of its own."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from approvals.alone.outcomes import UNKNOWN
from approvals.models import Request
from approvals.states import APPROVED, PENDING
from console.database import rows

# What was begun and of which nobody knows what became is not over, nor is what was released without its approvers and not reviewed.
OVER: Final = f"""
select id, decided_at,
       consumed_at is not null and outcome in ('', '{UNKNOWN}') as is_open,
       exists (select from approvals_breakglass g where g.request_id = q.id and g.reviewed_at is null) as to_review
from approvals_request q
where tenant_id = %s and alone and erased_at is null and state not in ('{PENDING}', '{APPROVED}') and decided_at <= %s
  and (outcome_at is null or outcome_at <= %s)
"""  # noqa: S608 - words of ours
DUE: Final = f"""
select id from ({OVER}) q where not (is_open or to_review) and not (id = any (%s::uuid[])) order by decided_at limit %s
"""  # noqa: S608
COUNT: Final = f"""
select count(*) filter (where due) as due, min(decided_at) filter (where due) as oldest, max(decided_at) filter (where due) as newest,
       count(*) filter (where is_open) as is_open, count(*) filter (where to_review) as to_review
from (select *, not (is_open or to_review) as due from ({OVER}) q) q
"""  # noqa: S608


def held(tenant_id: UUID, at: datetime, but: Collection[UUID], limit: int) -> list[Request]:
    """Lock what was over at an instant and is not erased, but for some; what somebody else holds is left to them."""
    due = [row["id"] for row in rows(DUE, [tenant_id, at, at, list(but), limit])]
    found = Request.objects.filter(pk__in=due, erased_at=None).order_by("pk")
    return list(found.select_for_update(no_key=True, skip_locked=True))


def counted(tenant_id: UUID, at: datetime) -> dict[str, Any]:
    """Count what is due and what is kept back."""
    return rows(COUNT, [tenant_id, at, at])[0]
