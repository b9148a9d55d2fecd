"""Requests as the pages show them: the question with what it is about, who said what, and what follows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import queries
from approvals.models import Request
from approvals.policies import document_of
from approvals.states import PENDING
from console.exact import Value, decode
from console.pages.hands import carried_out_by
from console.pages.templatetags.arguments import in_order
from console.pages.templatetags.times import span
from runs.models import Effect, Run


@dataclass(frozen=True, slots=True)
class Vote:
    """One member's word."""

    member_name: str
    verdict: str
    reason: str
    at: datetime


@dataclass(slots=True, kw_only=True)
class Slip:
    """What a row of a list is told about a request; see the tops of approvals/_row.html and home/_inbox.html."""

    id: UUID
    number: str
    state: str
    summary: str
    requester_name: str
    groups: list[str]
    quorum: int
    approvals_count: int
    irreversible: bool
    created_at: datetime
    decide_by: datetime
    run: Run | None
    effect: Effect | None


@dataclass(slots=True, kw_only=True)
class Question(Slip):
    """What a card is told besides; see the top of approvals/_card.html."""

    operation: str
    executor: str
    carried_out_by: str
    target: str
    arguments: object
    reason: str
    owner_name: str
    policy_name: str
    policy_version: int
    rule: str
    why_asked: str
    use_by: datetime | None
    use_within: str
    tier: str
    residue: Value
    if_wrong: Value
    digest_hex: str
    decided_at: datetime | None
    state_reason: str
    decisions: list[Vote]
    after_count: int = 0
    rerouted_to: Slip | None = None
    erased_at: datetime | None = None


def number_of(request_id: UUID) -> str:
    """Give the short form of a request's id that people read aloud."""
    return request_id.hex[-8:]


def slips(requests: Iterable[Request], about: Mapping[UUID, Effect]) -> list[Slip]:
    """Make the rows of a list, given the effects that the requests are about."""
    return [Slip(**_slip(request, about.get(request.subject))) for request in requests]


def question(request: Request, effect: Effect | None) -> Question:
    """Make the card of a request whose decisions, agent, owner and policy have been read."""
    shown = _mapping(request.shown)
    named = effect.operation.argument_names if effect else []
    return Question(
        **_slip(request, effect), operation=request.operation, executor=str(shown.get("executor") or ""),
        carried_out_by=carried_out_by(effect, request.agent.name) if effect else "",
        target=request.target, arguments=in_order(decode(request.arguments), named),
        reason=request.reason, owner_name=request.owner.user.name, policy_name=request.policy.name, policy_version=request.policy.version,
        rule=request.rule, why_asked=_why_asked(request), use_by=request.use_by, use_within=_use_within(request),
        tier=request.tier, residue=shown.get("residue"), if_wrong=shown.get("if_it_goes_wrong"), digest_hex=request.subject_digest.hex(),
        decided_at=request.decided_at, state_reason=request.closing_reason, decisions=votes(request), erased_at=request.erased_at,
    )  # fmt: skip


def votes(request: Request) -> list[Vote]:
    """Give who said what, in order."""
    return [Vote(vote.member.user.name, vote.verdict, vote.reason, vote.at) for vote in request.decisions.all()]


def _slip(request: Request, effect: Effect | None) -> dict[str, Any]:
    return {
        "id": request.pk, "number": number_of(request.pk), "state": request.state, "summary": request.summary,
        "requester_name": request.agent.name, "groups": list(request.groups), "quorum": request.quorum,
        "approvals_count": queries.counted(request), "irreversible": request.irreversible, "created_at": request.created_at,
        "decide_by": request.decide_by, "run": effect.run if effect else None, "effect": effect,
    }  # fmt: skip


def _use_within(request: Request) -> str:
    return span(request.use_within_seconds) if request.state == PENDING else ""


def _why_asked(request: Request) -> str:
    rules = document_of(request.policy).rules
    return next((rule.reason for rule in rules if rule.name == request.rule), "")


def _mapping(text: str) -> dict[str, Value]:
    value = decode(text)
    return value if isinstance(value, dict) else {}
