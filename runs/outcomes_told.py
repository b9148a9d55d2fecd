"""Whoever approved is told what became of it: done, failed, unknown; again when what was unknown is known, and when it was made good for.

An outcome is settled by many moves and in statements for hundreds of effects; so the clock looks for what was used and not told of."""

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

from approvals import telling
from approvals.models import Request
from approvals.states import LAPSED
from console import bulk, clock
from console.database import rows
from console.ledger.actors import Actor
from runs.models import Effect

COMPENSATED: Final = "compensated"
MOST: Final = 200  # posting takes some statements for each tenant, and requests are held meanwhile
# An effect that is ready again, in somebody's hands, or accepted and to be told of later has no outcome yet.
DUE: Final = """
select q.id, case when q.state = 'lapsed' then 'lapsed' when q.alone then q.outcome else e.state end as became
from approvals_request q left join runs_effect e on e.id = q.subject and e.request_id = q.id
where ((q.state in ('consumed', 'revoked') and q.consumed_at is not null and q.outcome_told in ('', 'unknown'))
       or (q.state = 'lapsed' and q.outcome_told = ''))
  and (q.state = 'lapsed' or (case when q.alone then q.outcome else e.state end) in
       ('succeeded', 'unknown', 'failed', 'rejected', 'partial', 'expired', 'withdrawn', 'lapsed', 'denied'))
  and q.outcome_told <> (case when q.state = 'lapsed' then 'lapsed' when q.alone then q.outcome else e.state end)
order by q.decided_at limit %s for no key update of q skip locked
"""


def tell_due(by: Actor, limit: int) -> int:
    """Tell of what became known. Within the caller's transaction."""
    found = {row["id"]: row["became"] for row in rows(DUE, [min(limit, MOST)])}
    if not found:
        return 0
    now, requests = clock.now(), list(Request.objects.filter(pk__in=found).order_by("decided_at", "pk"))
    telling.became([(each, found[each.pk]) for each in requests if each.state != LAPSED], now)
    # A claim that found an approval lapsed told nobody; one that the clock found was told of, and is not told of again.
    for request in requests:
        if request.state == LAPSED:
            telling.ended(by, [request], LAPSED, request.closing_reason, now)
        request.outcome_told = found[request.pk]
    bulk.update(requests, ("outcome_told",))
    return len(found)


def made_good(effects: Collection[UUID], now: datetime) -> None:
    """Tell whoever approved these effects that they were made good for, once. The runs are locked, within the caller's transaction."""
    asked = Effect.objects.filter(pk__in=effects, request__isnull=False).exclude(request__outcome_told=COMPENSATED)
    ids = sorted(set(asked.values_list("request_id", flat=True))) if effects else []
    requests = list(Request.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)) if ids else []
    if not requests:
        return
    telling.became([(each, COMPENSATED) for each in requests], now)
    for request in requests:
        request.outcome_told = COMPENSATED
    bulk.update(requests, ("outcome_told",))
