"""What a member does with a request besides deciding it: takes an approval back, puts the deadline off, asks others too, revokes."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from approvals.deciding import escalating, extending, revoking, withdrawing
from console.pages import sent
from console.pages.approvals import shown_after
from console.pages.room import Deed, Door, MemberRequest, Receipt, deed


def _door(act: Callable[..., dict[str, Any]], says: str, **terms: object) -> Door:
    """Make the door to a move that is told a reason."""

    def steered(request: MemberRequest, subject: UUID) -> Receipt:
        return act(request.by, subject, reason=request.POST.get("reason", ""), key=sent.key(request), **terms)

    steered.__doc__ = says
    named: Deed = steered
    return deed(shown=shown_after, on="approval")(named)


withdraw_vote = _door(withdrawing.withdraw_vote, "Take back one's approval while more are needed.")
extend_request = _door(extending.extend, "Put off the time to decide, as far as the policy lets.", seconds=None)
escalate_request = _door(escalating.escalate, "Ask those too whom the policy names for later.")
revoke_approval = _door(revoking.revoke, "Take back what was approved.")
