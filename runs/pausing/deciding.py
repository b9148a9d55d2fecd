"""A member's yes while something may be stopped: the same move as ever, which an emergency stop refuses. A no is always taken."""

from typing import Any, cast
from uuid import UUID

from approvals.breaking import releasing
from approvals.deciding import voting
from approvals.models import Request
from console.exact import Object, Value, decode
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from runs import catalogue
from runs.models import Effect
from runs.pausing.standing import check_no_emergency


class OneByOne(Refusal):
    """This is of the high tier: it is decided by itself."""

    code = "one_by_one"
    status = 422


def approve(
    by: Actor,
    request_id: UUID,
    *,
    shown_digest: str,
    reason: str,
    key: str,
    constraints: Value | None = None,
    voice: UUID | None = None,
    shown_target: str | None = None,
) -> dict[str, Any]:
    """Count a member's approval. Raises EmergencyStop, and what approvals.deciding.voting.approve raises."""
    return voting.approve(
        by, request_id, shown_digest=shown_digest, reason=reason, key=key, unless=check_no_emergency,
        constraints=constraints, voice=voice, shown_target=shown_target,
    )  # fmt: skip


def deny(
    by: Actor,
    request_id: UUID,
    *,
    shown_digest: str,
    reason: str,
    key: str,
    alternative: Object | None = None,
    voice: UUID | None = None,
) -> dict[str, Any]:
    """Deny; an alternative is what was asked with these arguments instead, as its contract takes them.

    Raises BadArguments, and what approvals.deciding.voting.deny raises."""
    return voting.deny(
        by, request_id, shown_digest=shown_digest, reason=reason, key=key, alternative=alternative, voice=voice, complete=_complete
    )  # fmt: skip


def _complete(request: Request, alternative: Object) -> Object:
    """Give all arguments that an alternative means, defaults included."""
    meant = {**cast("Object", decode(request.arguments, 128)), **alternative}
    effect = Effect.objects.filter(pk=request.subject).first()
    if effect is None:  # asked alone: no contract says what it takes
        return meant
    return catalogue.operations_by_id([effect.operation_id])[effect.operation_id].effective(meant)


def break_glass(
    by: Actor, request_id: UUID, *, shown_digest: str, target: str, reason: str, seconds: int, key: str, shown_target: str | None = None
) -> dict[str, Any]:  # fmt: skip
    """Break the glass for a request. Raises EmergencyStop, which wins over it, and what approvals.breaking.releasing raises."""
    return releasing.break_glass(
        by, request_id, shown_digest=shown_digest, target=target, reason=reason, seconds=seconds, key=key, unless=check_no_emergency,
        shown_target=shown_target,
    )  # fmt: skip
