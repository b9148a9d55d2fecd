"""Requests as the pages show them: the question with what it is about, who said what, and what follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from approvals import queries
from approvals.models import Request
from approvals.policies import document_of
from console.exact import Value, decode
from console.pages.templatetags.times import span
from runs.models import Effect, Run


@dataclass(frozen=True, slots=True)
class Vote:
    """One member's word."""

    member_name: str
    verdict: str
    reason: str
    at: datetime


@dataclass(slots=True)
class Question:
    """What a template is told about a request; see the top of approvals/_card.html."""

    id: UUID
    number: str
    state: str
    operation: str
    summary: str
    target: str
    arguments: Value
    reason: str
    requester_name: str
    owner_name: str
    policy_name: str
    policy_version: int
    rule: str
    groups: list[str]
    quorum: int
    approvals_count: int
    decide_by: datetime
    use_by: datetime | None
    use_within: str
    tier: str
    irreversible: bool
    residue: Value
    if_wrong: Value
    digest_hex: str
    created_at: datetime
    decided_at: datetime | None
    state_reason: str
    decisions: list[Vote]
    run: Run | None
    effect: Effect | None
    decided_by_name: str
    why_not: str = ""
    why_asked: str = ""
    after_count: int = 0
    rerouted_to: "Question | None" = field(default=None)


def number_of(request_id: UUID) -> str:
    """Give the short form of a request's id that people read aloud."""
    return request_id.hex[-8:]


def question(request: Request, effect: Effect | None) -> Question:
    """Make the question of a request whose decisions, agent, owner and policy have been read."""
    shown = _mapping(request.shown)
    votes = [Vote(vote.member.user.name, vote.verdict, vote.reason, vote.at) for vote in request.decisions.all()]
    return Question(
        id=request.pk, number=number_of(request.pk), state=request.state, operation=request.operation, summary=request.summary,
        target=request.target, arguments=decode(request.arguments), reason=request.reason, requester_name=request.agent.name,
        owner_name=request.owner.user.name, policy_name=request.policy.name, policy_version=request.policy.version, rule=request.rule,
        groups=list(request.groups), quorum=request.quorum, approvals_count=queries.counted(request), decide_by=request.decide_by,
        use_by=request.use_by, use_within=span(request.use_within_seconds), tier=request.tier, irreversible=request.irreversible,
        residue=shown.get("residue"), if_wrong=shown.get("if_it_goes_wrong"), digest_hex=request.subject_digest.hex(),
        created_at=request.created_at, decided_at=request.decided_at, state_reason=request.closing_reason, decisions=votes,
        run=effect.run if effect else None, effect=effect, decided_by_name=votes[-1].member_name if votes else "",
        why_asked=_why_asked(request),
    )  # fmt: skip


def questions(requests: list[Request], about: Mapping[UUID, Effect]) -> list[Question]:
    """Make the questions of a list, given the effects that they are about."""
    return [question(request, about.get(request.subject)) for request in requests]


def _why_asked(request: Request) -> str:
    rules = document_of(request.policy).rules
    return next((rule.reason for rule in rules if rule.name == request.rule), "")


def _mapping(text: str) -> dict[str, Value]:
    value = decode(text)
    return value if isinstance(value, dict) else {}
