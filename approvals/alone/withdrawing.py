"""Taking a question back that the agent asked by itself, before it has used the answer."""

from typing import Any
from uuid import UUID

from approvals import closing
from approvals.alone.own import held, standing
from approvals.states import APPROVED, PENDING, WITHDRAWN
from console import clock
from console.clock import instant
from console.http.refusals import ReasonTooLong, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once

LONGEST_REASON = 2000


class NotWithdrawable(Refusal):
    """This has been used or has come to its end; there is nothing left to withdraw."""

    code = "not_withdrawable"


@move("withdraw alone")
def withdraw(by: Actor, request_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Withdraw one's own request that waits or is approved. Raises NotFound, NotAlone, NotWithdrawable, ReasonTooLong."""
    reason = reason.strip()
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong(path="/reason")

    def act() -> dict[str, Any]:
        request, now = held(by, request_id), clock.now()
        if request.state not in {PENDING, APPROVED}:
            raise NotWithdrawable(reason=request.closing_reason or None, **standing(request))
        closing.withdraw(by, [request.pk], reason or "the agent took it back", now)
        return {"receipt": "withdrawn", "approval": str(request.pk), "state": WITHDRAWN, "at": instant(now)}

    asked = {"request": str(request_id), "reason": reason}
    return once(by, key, "withdraw alone", asked, act, about=request_id)
