"""Something else is proposed that fits what approvers tightened: their approval is bound to it, once, and to nothing else any more."""

from datetime import datetime
from typing import cast
from uuid import UUID

from approvals import record
from approvals.ask import Question, bound
from approvals.deciding import narrowing
from approvals.deciding.counting import would_satisfy
from approvals.deciding.left import arguments_of
from approvals.models import Request
from approvals.policies import asked, governs
from approvals.policy_asks import Ask, panels_text
from approvals.states import APPROVED
from console.doorbell import ring_after_commit
from console.exact import Object, decode
from console.ledger.actors import Actor


def fit(by: Actor, request_id: UUID, question: Question, now: datetime) -> Request | None:
    """Bind an approval that waits for something fitting to what would be asked now, within the caller's transaction; None if it fits not.

    It fits when it is of the same agent, contract, target and preconditions, differs in nothing but what may be tightened, is within
    the narrowing, and those who approved are who its own rule asks, which may be another. How long it can be used and whether it is revoked
    stays as it was; who counts is from then on said by that rule."""
    request = Request.objects.select_for_update(no_key=True).get(pk=request_id)
    ask = question.ruling.ask
    if ask is None or not _waits(request, now) or not _fits(request, question) or not _is_asked_as_much(request, ask):
        return None
    before = request.subject
    anew = {
        "subject": question.subject, "subject_digest": question.subject_digest, "summary": question.summary,
        "arguments": question.arguments, "shown": question.shown, **_asked_by(request, question.ruling.rule, ask),
    }  # fmt: skip
    facts: Object = {
        **anew, "subject": str(question.subject), "subject_digest": question.subject_digest.hex(), "instead_of": str(before),
    }  # fmt: skip
    Request.objects.filter(pk=request.pk).update(**anew, to_fit=False, heard_at=None)
    record.write([(request.pk, "request.fitted", facts)], by, now)
    ring_after_commit(request.pk, before, question.subject, work=True)
    return request


def _waits(request: Request, now: datetime) -> bool:
    in_time = request.use_by is not None and now < request.use_by
    return request.state == APPROVED and request.to_fit and in_time and governs(request.policy_id, request.operation)


def _fits(request: Request, question: Question) -> bool:
    ask = asked(request)
    offered = cast("Object", decode(question.arguments, 128))
    return (
        ask is not None
        and request.agent_id == question.agent_id
        and question.subject_digest == _bound_with(request, offered)
        and narrowing.fits(request.narrowing, ask.narrow, arguments_of(request), offered)
    )


def _is_asked_as_much(request: Request, ask: Ask) -> bool:
    """Tell whether what people said is all that this rule asks of them; less of something may be asked of others, or more closely."""
    before = asked(request)
    if before == ask:
        return True
    proven_less = ask.step_up_within_seconds is not None and ask.step_up_within_seconds != (
        before and before.step_up_within_seconds
    )
    said_less = ask.reason_required and not (before and before.reason_required)
    return not proven_less and not said_less and would_satisfy(request, ask)


def _asked_by(request: Request, rule: str, ask: Ask) -> Object:
    """Give what the request asks of people from now on; where it is the same, those who were asked too stay asked."""
    if asked(request) == ask:
        return {}
    return {"rule": rule, "panels": panels_text(ask), "groups": list(ask.groups), "quorum": ask.quorum}


def _bound_with(request: Request, arguments: Object) -> bytes:
    """Give what would be bound if only the arguments were another; a later contract may do something else with them."""
    shown = cast("Object", decode(request.shown, 128))
    return bound(
        cast("str", shown["contract_digest"]), request.operation, request.target, arguments, shown["preconditions"]
    )
