"""Rows as the API shows them: ids and digests as text, instants in RFC 3339, values exactly as they were kept."""

from collections.abc import Iterable
from uuid import UUID

from approvals import news
from approvals.deciding import narrowing
from approvals.models import Request
from approvals.states import APPROVED
from console.clock import instant
from console.exact import Object, Value, decode
from console.ledger.models import Entry
from runs.failures import FailureClass, class_of
from runs.models import Attempt, Effect, Run


def run(run: Run) -> Object:
    """Show a run; `agent` and `run_type` are read with it."""
    return {
        "id": str(run.pk),
        "key": run.key,
        "run_type": run.run_type.name,
        "run_type_version": run.run_type.version,
        "goal": run.goal,
        "agent": run.agent.name,
        "state": run.state,
        "completes_itself": run.completes_itself,
        "closing_toward": run.closing_toward or None,
        "closing_reason": run.closing_reason or None,
        "epoch": run.epoch,
        "version": run.ledger_seq,
        "result": _kept(run.result),
        "unresolved": _ids(run.unresolved),
        "deadline_at": instant(run.deadline_at),
        "parent": _id(run.parent_id),
        "holder": run.lease_holder or None,
        "lease_expires_at": None if run.ended_at else instant(run.lease_expires_at),
        "resume_due": run.resume_due,
        "attention": run.attention or None,
        "attention_since": instant(run.attention_since),
        "attention_reason": run.attention_reason or None,
        "corrections": run.corrections_count,
        "corrections_seen": run.corrections_seen,
        "compensation": run.compensation or None,
        "residue": _kept(run.residue) if run.residue and not run.erased_at else [],
        "created_at": instant(run.created_at),
        "ended_at": instant(run.ended_at),
        "erased_at": instant(run.erased_at),
    }


def effect(effect: Effect) -> Object:
    """Show an effect; `run`, `operation` and `request` are read with it."""
    return {
        "id": str(effect.pk),
        "run": str(effect.run_id),
        "run_version": effect.run.ledger_seq,
        "number": effect.number,
        "key": effect.key,
        "operation": effect.operation_name,
        "operation_version": effect.operation.version,
        "executor": effect.executor,
        "summary": effect.summary,
        "target": effect.target,
        "arguments": None if effect.run.erased_at else _kept(effect.arguments),
        "reason": effect.reason or None,
        "required": effect.required,
        "consequential": effect.consequential,
        "irreversible": effect.irreversible,
        "after": _ids(effect.after),
        "after_waits": _ids(effect.after_waits),
        "cleanup": effect.cleanup,
        "cancel_asked_at": instant(effect.cancel_asked_at),
        "supersedes": _id(effect.supersedes_id),
        "compensates": _id(effect.compensates_id),
        "approved_with": _id(effect.approved_with_id),
        "digest": effect.effect_digest.hex(),
        "state": effect.state,
        "state_reason": effect.state_reason or None,
        "verdict": effect.verdict,
        "rule": effect.rule or None,
        "approval": _asked(effect.request, vars(effect).get("alternative")),
        "fence": effect.fence,
        "attempts_count": effect.attempts_count,
        "outcome": effect.outcome or None,
        "failure_class": _failure(class_of(effect.outcome, effect.state, effect.state_reason)),
        "result": _kept(effect.result),
        "operation_reference": effect.operation_reference or None,
        "deadline_at": instant(effect.deadline_at),
        "created_at": instant(effect.created_at),
        "ended_at": instant(effect.ended_at),
        "erased_at": instant(effect.run.erased_at),
        "unknown_since": instant(effect.unknown_since),
        "next_attempt_at": instant(effect.next_attempt_at),
    }


def listed_effect(found: Effect, compensating: Iterable[UUID]) -> Object:
    """Show an effect with what makes good for it."""
    return {**effect(found), "compensated_by": _ids(compensating)}


def effect_with_attempts(
    found: Effect, attempts: Iterable[Attempt], superseding: Iterable[UUID], compensating: Iterable[UUID]
) -> Object:
    """Show an effect with everything that was tried, with what took another way, and with what makes good for it."""
    return {
        **listed_effect(found, compensating),
        "superseded_by": _ids(superseding),
        "attempts": [attempt(tried) for tried in attempts],
    }


def attempt(attempt: Attempt) -> Object:
    """Show one try, with what came back."""
    return {
        "id": str(attempt.pk),
        "number": attempt.number,
        "kind": attempt.kind,
        "fence": attempt.fence,
        "worker": attempt.worker,
        "state": attempt.state,
        "outcome": attempt.outcome or None,
        "failure_class": _failure(class_of(attempt.outcome, "", attempt.reason)),
        "http_status": attempt.http_status,
        "sent": attempt.sent,
        "reason": attempt.reason or None,
        "evidence": _kept(attempt.evidence),
        "evidence_digest": _digest(attempt.evidence_digest),
        "started_at": instant(attempt.started_at),
        "lease_expires_at": instant(attempt.lease_expires_at),
        "ended_at": instant(attempt.ended_at),
        "late": None if attempt.late_at is None else _late(attempt),
    }


def entry(entry: Entry) -> Object:
    """Show an entry of the record, with the very text whose digest it carries; an erased one has neither text nor payload."""
    text = entry.payload.body
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "at": instant(entry.at),
        "actor": entry.actor,
        "payload": _kept(text),
        "payload_text": text,
        "erased_at": instant(entry.payload.erased_at),
        "format": entry.format,
        "digest": entry.payload_digest.hex(),
        "prev_hash": entry.prev_hash.hex(),
        "hash": entry.hash.hex(),
    }


def _failure(found: FailureClass | None) -> str | None:
    return None if found is None else found.name


def _late(attempt: Attempt) -> Object:
    return {
        "outcome": attempt.late_outcome,
        "evidence": _kept(attempt.late_evidence),
        "evidence_digest": _digest(attempt.late_evidence_digest),
        "at": instant(attempt.late_at),
    }


def _asked(request: Request | None, alternative: str | None) -> Object | None:
    if request is None:
        return None
    return {
        "id": str(request.pk), "state": request.state, "decide_by": instant(request.decide_by), "use_by": instant(request.use_by),
        "finish_by": instant(request.finish_by), "reason": request.closing_reason or None,
        "may_resubmit": news.may_resubmit(request), "alternative": _kept(alternative or None),
        "narrowing": narrowing.shown(request.narrowing), "to_fit": request.to_fit and request.state == APPROVED,
    }  # fmt: skip


def _kept(text: str | None) -> Value:
    return None if text is None else decode(text, 128)


def _ids(ids: Iterable[UUID]) -> list[Value]:
    return [str(one) for one in ids]


def _id(one: UUID | None) -> str | None:
    return None if one is None else str(one)


def _digest(digest: bytes | memoryview | None) -> str | None:
    return None if digest is None else digest.hex()
