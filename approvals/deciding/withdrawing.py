"""Taking back one's approval while more are needed; the same person may vote again after that."""

from typing import Any
from uuid import UUID

from django.db.models import Q

from approvals import record
from approvals.deciding.counting import counted
from approvals.deciding.holding import held
from approvals.deciding.left import narrow
from approvals.deciding.refusals import NothingSaid
from approvals.deciding.standing import check_open, how
from approvals.models import Decision
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.http.reasons import given
from console.ledger.actors import Actor
from console.ledger.moves import move, once


@move("withdraw_vote")
def withdraw_vote(by: Actor, request_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Take back an approval that stands, given by the actor or in their place, while the request is pending.

    Raises NotFound, ReasonMissing, ReasonTooLong, NothingSaid, and what has become of a request that is not to be decided any more."""
    why = given(reason)
    asked = {"request": str(request_id), "reason": reason}
    return once(by, key, "withdraw_vote", asked, lambda: _withdraw(by, request_id, why), about=request_id)


def _withdraw(by: Actor, request_id: UUID, reason: str) -> dict[str, Any]:
    request = held(request_id)
    now = clock.now()
    check_open(request, now)
    mine = Q(member_id=by.id) | Q(voice_id=by.id)
    vote = Decision.objects.filter(mine, request=request, withdrawn_at=None, verdict="approve").order_by("at").first()
    if by.kind != "member" or vote is None:
        raise NothingSaid(**how(request))
    Decision.objects.filter(pk=vote.pk).update(withdrawn_at=now, withdrawn_reason=reason)
    facts = {"decision": str(vote.pk), "reason": reason, **narrow(request)}
    record.write([(request.pk, "request.vote_withdrawn", facts)], by, now)
    ring_after_commit(request.pk, request.subject)
    return {
        "receipt": "withdrawn", "request": str(request.pk), "state": request.state, "counted": counted(request), "of": request.quorum,
        "at": instant(now),
    }  # fmt: skip
