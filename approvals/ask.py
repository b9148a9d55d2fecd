"""Opening requests: the question that people are asked, bound to the digest of exactly what would be done."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import record
from approvals.models import Request
from approvals.policies import Ruling
from approvals.states import PENDING
from console.clock import instant
from console.exact import Value
from console.ledger.actors import Actor


@dataclass(frozen=True, slots=True)
class Question:
    """What would be done, for whom, and what the policy asks. `arguments` and `shown` are canonical texts.

    After `deadline_at` it would not be done any more, so nobody is asked for longer (R-D4)."""

    subject: UUID
    subject_digest: bytes
    operation: str
    summary: str
    target: str
    arguments: str
    shown: str
    reason: str
    tier: str
    irreversible: bool
    agent_id: UUID
    owner_id: UUID
    ruling: Ruling
    deadline_at: datetime
    traceparent: str = ""


def ask(by: Actor, tenant_id: UUID, questions: list[Question], now: datetime) -> list[Request]:
    """Open a request for each question, within the caller's transaction, in the questions' order."""
    if not questions:
        return []
    opened = [_request(tenant_id, question, now) for question in questions]
    Request.objects.bulk_create(opened)
    record.write([(request.pk, "request.opened", _facts(request)) for request in opened], by, now)
    return opened


def _request(tenant_id: UUID, question: Question, now: datetime) -> Request:
    ruling = question.ruling
    if ruling.ask is None or ruling.policy_id is None:
        raise TypeError("a question needs a ruling that asks")
    return Request(
        id=uuid7(), tenant_id=tenant_id, subject=question.subject, subject_digest=question.subject_digest,
        operation=question.operation, summary=question.summary, target=question.target, arguments=question.arguments,
        shown=question.shown, reason=question.reason, tier=question.tier, irreversible=question.irreversible,
        agent_id=question.agent_id, owner_id=question.owner_id, policy_id=ruling.policy_id, rule=ruling.rule,
        groups=list(ruling.ask.groups), quorum=ruling.ask.quorum, state=PENDING,
        decide_by=min(now + timedelta(seconds=ruling.ask.decide_within_seconds), question.deadline_at),
        use_within_seconds=ruling.ask.use_within_seconds,
        created_at=now, closing_reason="", ledger_seq=0, ledger_hash=b"",
        traceparent=question.traceparent,
    )  # fmt: skip


def _facts(request: Request) -> dict[str, Value]:
    return {
        "subject": str(request.subject), "subject_digest": request.subject_digest.hex(), "operation": request.operation,
        "summary": request.summary, "target": request.target, "arguments": request.arguments, "shown": request.shown,
        "reason": request.reason, "tier": request.tier, "irreversible": request.irreversible, "agent": str(request.agent_id),
        "owner": str(request.owner_id), "policy": str(request.policy_id), "rule": request.rule, "groups": list(request.groups),
        "quorum": request.quorum, "decide_by": instant(request.decide_by), "use_within_seconds": request.use_within_seconds,
    }  # fmt: skip
