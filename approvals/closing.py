"""Requests that end without anybody's decision: out of time, withdrawn with what they were about, or judged anew by a later policy."""

from datetime import datetime
from uuid import UUID

from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce

from approvals import record, states, telling
from approvals.models import Request
from console import clock
from console.clock import DatabaseNow
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor

POLICY_CHANGED = "the policy changed"
# what telling of an end needs, and no long text
TOLD = ("id", "tenant_id", "subject", "summary", "tier", "decide_by", "use_by")


def withdraw(by: Actor, request_ids: list[UUID], reason: str, now: datetime) -> None:
    """Withdraw open requests within the caller's transaction, which has locked what they are about."""
    _withdraw(by, Request.objects.filter(pk__in=request_ids), reason, now)


def withdraw_about(by: Actor, subjects: list[UUID], reason: str, now: datetime) -> None:
    """Withdraw what is open about these subjects; an approval that was bound to another since is not theirs any more."""
    _withdraw(by, Request.objects.filter(subject__in=subjects), reason, now)


def _withdraw(by: Actor, found: "QuerySet[Request]", reason: str, now: datetime) -> None:
    open_ones = found.filter(state__in=[states.PENDING, states.APPROVED])
    _close(by, open_ones.order_by("pk").select_for_update(no_key=True), states.WITHDRAWN, reason, now)


def lapse(by: Actor, request_ids: list[UUID], reason: str, now: datetime) -> None:
    """End approvals that are not to be used any more, within the caller's transaction; what was begun is left as it is."""
    unused = Request.objects.filter(pk__in=request_ids, state=states.APPROVED)
    _close(by, unused.order_by("pk").select_for_update(no_key=True), states.LAPSED, reason, now)


def reroute(by: Actor, request_ids: list[UUID], now: datetime) -> None:
    """Close requests that a later policy judges anew, within the caller's transaction; those closed already stay as they are."""
    open_ones = Request.objects.filter(
        pk__among=request_ids, state__in=[states.PENDING, states.APPROVED, states.CONSUMED]
    )
    _close(by, open_ones.order_by("pk").select_for_update(no_key=True), states.REROUTED, POLICY_CHANGED, now)


def expire_due(by: Actor, limit: int) -> int:
    """Expire requests that nobody decided in time. Silence never approves."""
    due = Request.objects.filter(state=states.PENDING, decide_by__lte=DatabaseNow()).order_by("decide_by")
    return _close_due(by, due, limit, states.EXPIRED, "nobody decided in time")


def lapse_due(by: Actor, limit: int) -> int:
    """Lapse approvals that were not used in time."""
    due = Request.objects.filter(state=states.APPROVED, use_by__lte=DatabaseNow()).order_by("use_by")
    return _close_due(by, due, limit, states.LAPSED, "it was not begun in time")


def _close_due(by: Actor, due: QuerySet[Request], limit: int, target: str, reason: str) -> int:
    """Close what is due; the condition is looked at again under the lock, and what somebody holds waits for the next pass."""
    ids = list(due.values_list("pk", flat=True)[:limit])
    held = due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    return _close(by, held, target, reason, clock.now())


def _close(by: Actor, found: QuerySet[Request], target: str, reason: str, now: datetime) -> int:
    held = list(found.only(*TOLD))
    if not held:
        return 0
    Request.objects.filter(pk__among=[request.pk for request in held]).update(
        state=target,
        closing_reason=reason,
        decided_at=Coalesce(F("decided_at"), Value(now)),
        heard_at=None,
        **({"outcome_told": target} if target == states.LAPSED else {}),
    )
    record.write([(request.pk, f"request.{target}", {"reason": reason}) for request in held], by, now)
    telling.ended(by, held, target, reason, now)
    ring_after_commit(*[request.pk for request in held], *[request.subject for request in held])
    return len(held)
