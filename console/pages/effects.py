"""Effects as the pages show them: rows of the record with their texts read, and what the contract adds."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from approvals.models import Request
from console.exact import Value, decode
from console.pages.questions import number_of
from runs.models import Attempt, Effect, OperationContract, Run


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One try, with its evidence as a value."""

    number: int
    kind: str
    state: str
    outcome: str
    http_status: int | None
    fence: int
    worker: str
    started_at: datetime
    ended_at: datetime | None
    evidence: Value


@dataclass(frozen=True, slots=True)
class Permit:
    """The request that an effect stands on."""

    id: UUID
    number: str
    state: str
    decided_at: datetime | None
    decided_by_name: str


@dataclass(slots=True)
class ShownEffect:
    """What a template is told about an effect; see the top of runs/_effect.html and unknown/_list.html."""

    id: UUID
    number: int
    key: str
    operation_name: str
    summary: str
    target: str
    arguments: Value
    state: str
    state_reason: str
    required: bool
    consequential: bool
    irreversible: bool
    fence: int
    outcome: str
    result: Value
    reason: str
    created_at: datetime
    ended_at: datetime | None
    unknown_since: datetime | None
    next_check_at: datetime | None
    attempts: list[ShownAttempt]
    after_numbers: list[int]
    request: Permit | None
    sent: int
    asked: int
    run: Run | None = None
    owner_name: str = ""
    objective_at: datetime | None = None
    contract_allows_resend: bool = False


def of_run(found: list[Effect], numbers: Mapping[UUID, int]) -> list[ShownEffect]:
    """Show a run's effects; `numbers` names those that others wait for."""
    return [_shown(effect, numbers, _permit(effect.request)) for effect in found]


def unknown(found: list[Effect]) -> list[ShownEffect]:
    """Show effects that are not confirmed, each with its run, and with who is to find out by when."""
    shown = []
    for effect in found:
        one = _shown(effect, {}, None)
        terms = _terms(effect.operation, "unknown")
        one.run, one.owner_name = effect.run, str(terms.get("owner") or "")
        seconds = terms.get("age_objective_seconds")
        if seconds is not None and effect.unknown_since is not None:
            one.objective_at = effect.unknown_since + timedelta(seconds=float(seconds))
        shown.append(one)
    return shown


def _shown(effect: Effect, numbers: Mapping[UUID, int], permit: Permit | None) -> ShownEffect:
    return ShownEffect(
        id=effect.pk, number=effect.number, key=effect.key, operation_name=effect.operation_name, summary=effect.summary,
        target=effect.target, arguments=decode(effect.arguments), state=effect.state, state_reason=effect.state_reason,
        required=effect.required, consequential=effect.consequential, irreversible=effect.irreversible, fence=effect.fence,
        outcome=effect.outcome, result=_value(effect.result), reason=effect.reason, created_at=effect.created_at,
        ended_at=effect.ended_at, unknown_since=effect.unknown_since, next_check_at=effect.next_attempt_at,
        attempts=[_attempt(attempt) for attempt in effect.attempts.all()],
        after_numbers=sorted(numbers[earlier] for earlier in effect.after if earlier in numbers), request=permit,
        sent=sum(attempt.kind == "act" for attempt in effect.attempts.all()),
        asked=sum(attempt.kind != "act" for attempt in effect.attempts.all()),
    )  # fmt: skip


def _attempt(attempt: Attempt) -> ShownAttempt:
    return ShownAttempt(
        number=attempt.number, kind=attempt.kind, state=attempt.state, outcome=attempt.outcome, http_status=attempt.http_status,
        fence=attempt.fence, worker=attempt.worker.removeprefix("worker:"), started_at=attempt.started_at, ended_at=attempt.ended_at,
        evidence=_evidence(attempt),
    )  # fmt: skip


def _evidence(attempt: Attempt) -> Value:
    if attempt.late_at is None:
        return _value(attempt.evidence)
    return {
        "recorded": _value(attempt.evidence),
        "late": {"outcome": attempt.late_outcome, "evidence": _value(attempt.late_evidence)},
    }


def _permit(request: Request | None) -> Permit | None:
    if request is None:
        return None
    last = max(request.decisions.all(), key=lambda decision: decision.at, default=None)
    return Permit(
        request.pk, number_of(request.pk), request.state, request.decided_at, last.member.user.name if last else ""
    )


def _terms(contract: OperationContract, name: str) -> dict[str, Any]:
    document = decode(contract.document)
    terms = document.get(name) if isinstance(document, dict) else None
    return terms if isinstance(terms, dict) else {}


def _value(text: str | None) -> Value:
    return None if text is None else decode(text)
