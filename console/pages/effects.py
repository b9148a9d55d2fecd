"""Effects as the pages show them: rows of the record with their texts read, and what the contract adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from approvals.models import Request
from console.exact import Value, decode
from console.identity.models import Member
from console.pages import knowing
from console.pages.findings import ShownFinding, finding
from console.pages.hands import carried_out_by
from console.pages.questions import number_of
from console.pages.templatetags.arguments import in_order
from runs import queries
from runs.contracts.executors import HUMAN
from runs.models import Attempt, Effect, OperationContract, Run
from runs.states import ACTS, LOOKS, UNKNOWN
from runs.unknowns.queue import resolutions
from runs.unknowns.standing import is_unconfirmed, since


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One try, with its evidence as a value, and with what came when it had been given up."""

    id: UUID
    number: int
    kind: str
    state: str
    outcome: str
    http_status: int | None
    fence: int
    worker: str
    started_at: datetime
    ended_at: datetime | None
    sent: bool | None
    reason: str
    evidence: Value
    late_outcome: str
    late_evidence: Value
    late_at: datetime | None


@dataclass(frozen=True, slots=True)
class Permit:
    """The request that an effect stands on."""

    id: UUID
    number: str
    state: str
    created_at: datetime
    decided_at: datetime | None
    decided_by_name: str


@dataclass(slots=True)
class ShownEffect:
    """What a template is told about an effect; see the top of runs/_effect.html and unknown/_facts.html."""

    id: UUID
    number: int
    key: str
    operation_name: str
    summary: str
    target: str
    arguments: object
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
    grant_id: UUID | None
    approved_with_id: UUID | None = None
    executor: str = ""
    carried_out_by: str = ""
    is_my_task: bool = False
    run: Run | None = None
    owner_name: str = ""
    owner_group: str = ""
    escalated_at: datetime | None = None
    is_unconfirmed: bool = False
    findings: list[ShownFinding] = field(default_factory=list)
    objective_at: datetime | None = None
    known: list[str] = field(default_factory=list)
    unknown_facts: list[str] = field(default_factory=list)
    makes_good_for: int | None = None
    made_good_for_by: list[int] = field(default_factory=list)


def of_run(found: list[Effect], numbers: Mapping[UUID, int], run: Run, member: Member) -> list[ShownEffect]:
    """Show a run's effects to a member; `numbers` names those that others wait for."""
    shown = [_shown(effect, numbers, _permit(effect.request)) for effect in found]
    for one, effect in zip(shown, found, strict=True):
        one.carried_out_by = carried_out_by(effect, run.agent.name)
        one.owner_name = effect.owner.user.name if effect.owner else ""
    _tell_compensation(shown, found, numbers)
    _tell_findings(shown, member)
    _lead_to_tasks(shown, member)
    return shown


def alone(effect: Effect, numbers: Mapping[UUID, int], member: Member, now: datetime) -> ShownEffect:
    """Show one effect to a member on its own page."""
    shown = _shown(effect, numbers, _permit(effect.request))
    shown.carried_out_by = carried_out_by(effect, effect.run.agent.name)
    _find_out(shown, effect, now)
    _lead_to_tasks([shown], member)
    return shown


def _tell_findings(shown: list[ShownEffect], member: Member) -> None:
    """Add what people found of these effects."""
    found = resolutions([one.id for one in shown]) if shown else {}
    for one in shown:
        one.findings = [finding(each, member) for each in found.get(one.id, [])]


def _tell_compensation(shown: list[ShownEffect], found: list[Effect], numbers: Mapping[UUID, int]) -> None:
    """Add which effects make good for which, by their numbers."""
    by_id = {one.id: one for one in shown}
    for effect in found:
        if effect.compensates_id is None:
            continue
        by_id[effect.pk].makes_good_for = numbers.get(effect.compensates_id)
        if original := by_id.get(effect.compensates_id):
            original.made_good_for_by.append(effect.number)


def _lead_to_tasks(shown: list[ShownEffect], member: Member) -> None:
    """Mark what people do and this member may look at as a task."""
    by_people = [one.id for one in shown if one.executor == HUMAN]
    mine = queries.tasks_among(member, by_people) if by_people else set()
    for one in shown:
        one.is_my_task = one.id in mine


def _find_out(shown: ShownEffect, effect: Effect, now: datetime) -> None:
    """Add what is known of an effect and what is not, and who is to find out by when."""
    document = document_of(effect.operation)
    terms = _terms(document, "unknown")
    shown.owner_group = effect.owner_group or str(terms.get("owner") or "")
    shown.owner_name = effect.owner.user.name if effect.owner else ""
    shown.escalated_at = effect.escalated_at
    seconds = terms.get("age_objective_seconds")
    if effect.objective_at is not None:
        shown.objective_at = effect.objective_at
    elif seconds is not None and (began := since(effect)) is not None:
        shown.objective_at = began + timedelta(seconds=float(seconds))
    shown.known = knowing.known(shown.attempts, now)
    calls = _terms(document, "http") or _terms(document, "python")
    absence_is_proof = _terms(calls, "status").get("absence_is_proof", True)
    shown.unknown_facts = knowing.not_known(
        shown.attempts, absence_is_proof=bool(absence_is_proof), executor=effect.executor
    )


def _shown(effect: Effect, numbers: Mapping[UUID, int], permit: Permit | None) -> ShownEffect:
    return ShownEffect(
        id=effect.pk, number=effect.number, key=effect.key, operation_name=effect.operation_name, summary=effect.summary,
        target=effect.target, arguments=in_order(decode(effect.arguments), effect.operation.argument_names),
        state=effect.state, state_reason=_reason(effect),
        required=effect.required, consequential=effect.consequential, irreversible=effect.irreversible, fence=effect.fence,
        outcome=effect.outcome, result=_value(effect.result), reason=effect.reason, created_at=effect.created_at, executor=effect.executor,
        ended_at=effect.ended_at, unknown_since=effect.unknown_since, next_check_at=effect.next_attempt_at,
        attempts=[_attempt(attempt) for attempt in effect.attempts.all()],
        after_numbers=sorted(numbers[earlier] for earlier in effect.after if earlier in numbers), request=permit,
        is_unconfirmed=is_unconfirmed(effect), grant_id=effect.grant_id, approved_with_id=effect.approved_with_id,
        sent=sum(attempt.kind in ACTS for attempt in effect.attempts.all()),
        asked=sum(attempt.kind in LOOKS for attempt in effect.attempts.all()),
    )  # fmt: skip


def _attempt(attempt: Attempt) -> ShownAttempt:
    return ShownAttempt(
        id=attempt.pk, number=attempt.number, kind=attempt.kind, state=attempt.state, outcome=attempt.outcome,
        http_status=attempt.http_status,
        fence=attempt.fence, worker=attempt.worker.removeprefix("worker:"), started_at=attempt.started_at, ended_at=attempt.ended_at,
        sent=attempt.sent, reason=attempt.reason, evidence=_value(attempt.evidence), late_outcome=attempt.late_outcome,
        late_evidence=_value(attempt.late_evidence), late_at=attempt.late_at,
    )  # fmt: skip


def _permit(request: Request | None) -> Permit | None:
    if request is None:
        return None
    last = max(request.decisions.all(), key=lambda decision: decision.at, default=None)
    return Permit(
        request.pk, number_of(request.pk), request.state, request.created_at, request.decided_at, last.member.user.name if last else "",
    )  # fmt: skip


def _reason(effect: Effect) -> str:
    """Say why it is in its state; an unknown one is so because of what was done, whatever came of asking since."""
    acts = [attempt for attempt in effect.attempts.all() if attempt.kind in ACTS]
    return acts[-1].reason if effect.state == UNKNOWN and acts else effect.state_reason


def document_of(contract: OperationContract) -> dict[str, Any]:
    """Read a contract's document."""
    document = decode(contract.document, levels=128)
    return document if isinstance(document, dict) else {}


def _terms(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    terms = document.get(name)
    return terms if isinstance(terms, dict) else {}


def _value(text: str | None) -> Value:
    return None if text is None else decode(text)
