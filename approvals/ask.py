"""Opening requests: the question that people are asked, bound to the digest of exactly what would be done."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from uuid_utils.compat import uuid7

from approvals import record, telling
from approvals.models import Request
from approvals.policies import Ruling
from approvals.policy_asks import panels_text
from approvals.states import PENDING
from approvals.telling.marks import next_at
from console.bulk import insert
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Value, decode, digest
from console.http.refusals import InvalidContent
from console.ledger.actors import Actor

Askers = Callable[[Actor, Collection[UUID]], Mapping[UUID, UUID]]  # who had it asked, by what is made good for
ASKERS: list[Askers] = []  # of the rooms above, which name themselves when they are opened
REPORT_WITHIN_SECONDS = 3600  # of what stands alone, where the policy does not say by when it has to be finished


class ShownInPart(InvalidContent):
    """What people would be shown is not all of what would be done, so nobody is asked."""

    code = "shown_in_part"


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
    topic: str = ""  # what it is part of, in words: digests are ordered by it
    read_within_seconds: int | None = None  # how old a reading of the target may be; None: it has no reader
    makes_good_for: UUID | None = None  # what was done before and is made good for by it
    revises: UUID | None = None  # the request before, of this subject or of what it takes the place of
    alone: bool = False  # the agent does it by itself: `subject` is no effect, `key` its own word for it
    key: str = ""


def ask(by: Actor, tenant_id: UUID, questions: list[Question], now: datetime) -> list[Request]:
    """Open a request for each question, within the caller's transaction, in the questions' order."""
    if not questions:
        return []
    for question in questions:
        check_whole(question)
    askers = _askers(by, questions)
    opened = [_request(tenant_id, question, now, askers.get(question.subject)) for question in questions]
    _check_all_written(opened, insert(opened))
    record.write([(request.pk, "request.opened", _facts(request)) for request in opened], by, now)
    telling.opened(opened, {request.pk: question.topic for request, question in zip(opened, questions, strict=True)})
    if any(request.read_due_at for request in opened):
        ring_after_commit(*[request.pk for request in opened])  # their targets are read at once
    return opened


def _askers(by: Actor, questions: Sequence[Question]) -> dict[UUID, UUID]:
    """Give the member who had it asked, by subject, of what makes good for something: the room that plans it says who, and what is asked
    anew is still theirs."""
    of = {each.subject: each.makes_good_for for each in questions if each.makes_good_for is not None}
    if not of:
        return {}
    said = {done: member for room in ASKERS for done, member in room(by, of.values()).items()}
    before = [each.revises for each in questions if each.subject in of and each.revises is not None]
    earlier = dict(Request.objects.filter(pk__in=before, subject__in=of).values_list("subject", "asker"))
    found = {subject: earlier.get(subject) or said.get(done) for subject, done in of.items()}
    return {subject: member for subject, member in found.items() if member is not None}


def _check_all_written(opened: list[Request], written: set[UUID]) -> None:
    """Make sure that each came in: a subject has one open request at a time, which its caller has seen to."""
    if len(written) != len(opened):
        raise IntegrityError("a subject has an open request already")


def bound(contract_digest: str, operation: str, target: str, arguments: Value, preconditions: Value) -> bytes:
    """Give the digest that an approval binds."""
    return digest(
        {
            "contract": contract_digest, "operation": operation, "target": target, "arguments": arguments, "preconditions": preconditions
        }
    )  # fmt: skip


def check_whole(question: Question) -> None:
    """Refuse a question whose stored texts are not, to the last character, what its digest binds (APR-17). Raises ShownInPart."""
    shown: Any = decode(question.shown, 128)
    if "contract_digest" not in shown:
        return
    arguments = decode(question.arguments, 128)
    stored = bound(shown["contract_digest"], question.operation, question.target, arguments, shown["preconditions"])
    if stored != question.subject_digest:
        raise ShownInPart(path="/arguments")


def _request(tenant_id: UUID, question: Question, now: datetime, asker: UUID | None) -> Request:
    ruling = question.ruling
    if ruling.ask is None or ruling.policy_id is None:
        raise TypeError("a question needs a ruling that asks")
    decide_by = min(now + timedelta(seconds=ruling.ask.decide_within_seconds), question.deadline_at)
    return Request(
        id=uuid7(), tenant_id=tenant_id, subject=question.subject, subject_digest=question.subject_digest,
        operation=question.operation, summary=question.summary, target=question.target, arguments=question.arguments,
        shown=question.shown, reason=question.reason, tier=question.tier, irreversible=question.irreversible,
        agent_id=question.agent_id, owner_id=question.owner_id, policy_id=ruling.policy_id, rule=ruling.rule,
        groups=list(ruling.ask.groups), quorum=ruling.ask.quorum or 1, state=PENDING,
        decide_by=decide_by, remind_at=next_at(now, decide_by, told=0),
        use_within_seconds=ruling.ask.use_within_seconds,
        created_at=now, closing_reason="", ledger_seq=0, ledger_hash=b"",
        traceparent=question.traceparent, panels=panels_text(ruling.ask),
        finish_within_seconds=ruling.ask.finish.within_seconds if ruling.ask.finish else _report_within(question),
        finish_then=ruling.ask.finish.then if ruling.ask.finish else "", alone=question.alone, key=question.key,
        deadline_at=question.deadline_at,
        escalate_at=now + timedelta(seconds=ruling.ask.escalate.after_seconds) if ruling.ask.escalate else None,
        revises_id=question.revises, asker_id=asker, read_within_seconds=question.read_within_seconds,
        read_due_at=None if question.read_within_seconds is None else now,
    )  # fmt: skip


def _report_within(question: Question) -> int | None:
    """What an agent does by itself nobody sees the end of: it is reported in an hour, or nobody knows what became of it."""
    return REPORT_WITHIN_SECONDS if question.alone else None


def _facts(request: Request) -> dict[str, Value]:
    return {
        "subject": str(request.subject), "subject_digest": request.subject_digest.hex(), "operation": request.operation,
        "summary": request.summary, "target": request.target, "arguments": request.arguments, "shown": request.shown,
        "reason": request.reason, "tier": request.tier, "irreversible": request.irreversible, "agent": str(request.agent_id),
        "owner": str(request.owner_id), "policy": str(request.policy_id), "rule": request.rule, "groups": list(request.groups),
        "quorum": request.quorum, "decide_by": instant(request.decide_by), "use_within_seconds": request.use_within_seconds,
        "panels": request.panels, "deadline_at": instant(request.deadline_at), "finish_within_seconds": request.finish_within_seconds,
        "finish_then": request.finish_then, "revises": str(request.revises_id) if request.revises_id else None,
        "alone": request.alone, "key": request.key, "asker": str(request.asker_id) if request.asker_id else None,
        "read_within_seconds": request.read_within_seconds,
    }  # fmt: skip
