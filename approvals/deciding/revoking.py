"""Taking back what was approved: what has not begun does not begin, and of what has nothing is tried again."""

from typing import Any
from uuid import UUID

from django.db.models import Q

from approvals import record, telling
from approvals.deciding.holding import held
from approvals.deciding.refusals import NotRevocable, NotYoursToRevoke
from approvals.deciding.standing import how
from approvals.models import Decision, Request
from approvals.states import CONSUMED, MOVES, REVOKED
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.http.reasons import given
from console.ledger.actors import Actor
from console.ledger.moves import move, once

REVOCABLE = MOVES["revoke"][0]


@move("revoke")
def revoke(by: Actor, request_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Revoke an approval, as somebody who approved it or administers; `begun` says whether it was used already, and then may happen still.

    Raises NotFound, ReasonMissing, ReasonTooLong, NotYoursToRevoke, NotRevocable."""
    why = given(reason)
    asked = {"request": str(request_id), "reason": reason}
    return once(by, key, "revoke", asked, lambda: _revoke(by, request_id, why), about=request_id)


def may_revoke(by: Actor, request: Request) -> bool:
    """Tell whether the actor may revoke it: one of those who approved, or in whose place that was said, or an administrator."""
    if by.kind != "member":
        return False
    mine = Q(member_id=by.id) | Q(voice_id=by.id)
    return (
        "admin" in by.roles
        or Decision.objects.filter(mine, request=request, verdict="approve", withdrawn_at=None).exists()
    )


def _revoke(by: Actor, request_id: UUID, reason: str) -> dict[str, Any]:
    request = held(request_id)
    now = clock.now()
    if not may_revoke(by, request):
        raise NotYoursToRevoke(**how(request))
    begun = request.state == CONSUMED
    changes = {"state": REVOKED, "closing_reason": reason, "heard_at": None}
    if not Request.objects.filter(pk=request.pk, state__in=REVOCABLE).update(**changes):
        raise NotRevocable(reason=request.closing_reason, **how(request))
    request.state, request.closing_reason = REVOKED, reason
    record.write([(request.pk, "request.revoked", {"reason": reason, "begun": begun})], by, now)
    telling.ended(by, [request], REVOKED, reason, now)
    ring_after_commit(request.pk, request.subject, work=True)
    return {"receipt": "revoked", "request": str(request.pk), "state": REVOKED, "begun": begun, "at": instant(now)}
