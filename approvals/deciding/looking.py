"""Whether what somebody was shown is what stands: the request itself, and the state of its target."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from approvals import differences, states
from approvals.closing import POLICY_CHANGED
from approvals.deciding.refusals import StaleView
from approvals.models import Request
from approvals.revisions import revision_of
from approvals.target import LookAgain, check_fresh, read_again
from console.exact import decode
from console.ledger.actors import Actor

P = ParamSpec("P")
Receipt = dict[str, Any]


def reading_again(
    approve: Callable[Concatenate[Actor, UUID, P], Receipt],
) -> Callable[Concatenate[Actor, UUID, P], Receipt]:
    """Have the target read at once when a yes is refused because nobody has looked at it lately."""

    @wraps(approve)
    def approved(by: Actor, request_id: UUID, *args: P.args, **kwargs: P.kwargs) -> Receipt:
        try:
            return approve(by, request_id, *args, **kwargs)
        except LookAgain:
            read_again(by, request_id)
            raise

    return cast("Callable[Concatenate[Actor, UUID, P], Receipt]", approved)


def check_target(request: Request, shown: str | None, now: datetime) -> None:
    """Refuse a yes to another state of the target than stands, or to one that nobody has looked at lately. Raises LookAgain, StaleView."""
    check_fresh(request, now)
    check_version(request, shown)


def check_version(request: Request, shown: str | None) -> None:
    """Refuse a yes to another state of the target than stands, however long ago that was read. Raises StaleView."""
    if (shown or "") != request.target_version:
        changed = [differences.Difference("version of the target", shown or None, request.target_version)]
        raise StaleView(
            "The target is not as you were shown it; look again before you decide.",
            changes=differences.facts(changed), target_version=request.target_version, state=request.state, version=request.ledger_seq,
        )  # fmt: skip


def check_not_revised(request: Request) -> None:
    """Show whoever decides on what was replaced how the one that took its place differs (APR-12). A newer policy is told as that."""
    if request.state not in {states.REROUTED, states.WITHDRAWN}:
        return
    if request.state == states.REROUTED and request.closing_reason == POLICY_CHANGED:
        return
    how = {"state": request.state, "version": request.ledger_seq}
    later = revision_of(request)
    if later is None and request.state == states.REROUTED:
        raise StaleView("The target changed after you were shown it; this is about to be asked anew.", **how)
    if later is not None:
        raise StaleView(
            "This was asked anew after you were shown it; look at the request that takes its place.",
            shown=request.subject_digest.hex(), current=later.subject_digest.hex(), request=str(later.pk),
            changes=differences.facts(differences.between(request, later)), summary=later.summary,
            arguments=decode(later.arguments.encode()), **how,
        )  # fmt: skip
