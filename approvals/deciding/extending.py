"""Putting off the time to decide, as far and as often as the policy lets people, and never beyond the time in which it would be done."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from approvals import record, telling
from approvals.deciding.holding import held
from approvals.deciding.refusals import NotExtendable
from approvals.deciding.standing import check_open, check_standing, how
from approvals.models import Request
from approvals.policies import asked
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.reasons import given
from console.ledger.actors import Actor
from console.ledger.moves import move, once


@move("extend")
def extend(by: Actor, request_id: UUID, *, seconds: int | None, reason: str, key: str) -> dict[str, Any]:
    """Put off the time to decide by so many seconds (None: by as many as the policy lets), as somebody who may decide.

    Raises NotFound, ReasonMissing, ReasonTooLong, NotExtendable, what forbids a decision, and what has become of the request."""
    why = given(reason)
    request = {"request": str(request_id), "seconds": seconds, "reason": reason}
    return once(by, key, "extend", request, lambda: _extend(by, request_id, seconds, why), about=request_id)


def latest(request: Request) -> datetime | None:
    """Give the latest time to which the deadline may be put off now; None where it may not be."""
    ask = asked(request)
    if ask is None or ask.extend is None or request.extensions >= ask.extend.times:
        return None
    until = request.decide_by + timedelta(seconds=ask.extend.by_seconds)
    until = until if request.deadline_at is None else min(until, request.deadline_at)
    return until if until > request.decide_by else None


def _extend(by: Actor, request_id: UUID, seconds: int | None, reason: str) -> dict[str, Any]:
    request = held(request_id)
    now = clock.now()
    check_standing(by, request, None, now)
    check_open(request, now)
    most = latest(request)
    until = most if seconds is None or most is None else request.decide_by + timedelta(seconds=seconds)
    if most is None or until is None or not request.decide_by < until <= most:
        raise NotExtendable(
            latest=instant(most), extensions=request.extensions, decide_by=instant(request.decide_by), **how(request)
        )
    before, request.decide_by, request.extensions = request.decide_by, until, request.extensions + 1
    Request.objects.filter(pk=request.pk).update(decide_by=until, extensions=request.extensions)
    facts: Object = {
        "decide_by": instant(until),
        "before": instant(before),
        "extensions": request.extensions,
        "reason": reason,
    }
    record.write([(request.pk, "request.extended", facts)], by, now)
    telling.extended(by, request, reason)
    ring_after_commit(request.pk, request.subject)
    return {
        "receipt": "extended", "request": str(request.pk), "state": request.state, "decide_by": instant(until),
        "extensions": request.extensions, "at": instant(now),
    }  # fmt: skip
