"""One settled request as the history shows and exports it: what was asked, who decided, how it was tightened, and what came of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from approvals.models import Decision, Request
from console.clock import instant
from console.exact import Value, decode
from console.exact.conditions import parse, sentence
from console.exact.conditions.forms import checks_in
from console.exact.paths import Absent, follow
from console.pages.questions import VERDICT_OF, number_of
from runs.models import Effect

COLUMNS = (
    "id", "outcome", "became", "operation", "target", "summary", "tier", "submitted_by", "answers_for_it", "submitted_at", "decided_at",
    "seconds_to_decide", "decided_by", "channel", "reasons", "before", "narrowed_to", "broke_glass", "policy", "run", "effect",
)  # fmt: skip
CHANNELS = {"page": "page", "api": "API", "mcp": "tool"}


@dataclass(frozen=True, slots=True)
class Said:
    """One word that was given: by whom, in whose place (or nothing), how, when, and by which channel."""

    name: str
    instead_of: str
    verdict: str
    reason: str
    via: str
    at: datetime
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Tightened:
    """What approvers tightened: the argument as it was asked, and the limit that it was given."""

    name: str
    was: str
    limit: str


@dataclass(frozen=True, slots=True)
class Past:
    """See the top of approvals/history.html."""

    id: UUID
    number: str
    state: str
    summary: str
    operation: str
    target: str
    tier: str
    requester_name: str
    owner_name: str
    created_at: datetime
    decided_at: datetime | None
    policy: str
    said: list[Said]
    closing_reason: str
    tightened: list[Tightened]
    narrowing: str
    became: str
    became_noun: str
    broke_glass: bool
    run_id: UUID | None
    effect_number: int | None

    @property
    def decided_by(self) -> list[Said]:
        """Give the words that decided it; none where it ended by itself."""
        verdict = VERDICT_OF.get(self.state)
        return [each for each in self.said if each.verdict == verdict and not each.withdrawn]


def rows(found: Iterable[Request], about: Mapping[UUID, Effect]) -> list[Past]:
    """Show settled requests, given the effects that they are about."""
    return [_row(request, about.get(request.subject)) for request in found]


def record(past: Past) -> dict[str, Value]:
    """Write a row of the history for export."""
    seconds = (past.decided_at - past.created_at).total_seconds() if past.decided_at else None
    return {
        "id": str(past.id), "outcome": past.state, "became": past.became, "operation": past.operation, "target": past.target,
        "summary": past.summary, "tier": past.tier, "submitted_by": past.requester_name, "answers_for_it": past.owner_name,
        "submitted_at": instant(past.created_at), "decided_at": instant(past.decided_at),
        "seconds_to_decide": None if seconds is None else max(0, int(seconds)),
        "decided_by": "; ".join(f"{each.name} for {each.instead_of}" if each.instead_of else each.name for each in past.decided_by),
        "channel": "; ".join(dict.fromkeys(each.via for each in past.decided_by)),
        "reasons": "; ".join(each.reason for each in past.decided_by if each.reason) or past.closing_reason,
        "before": "; ".join(f"{each.name}: {each.was}" for each in past.tightened), "narrowed_to": past.narrowing,
        "broke_glass": past.broke_glass, "policy": past.policy, "run": str(past.run_id) if past.run_id else None,
        "effect": past.effect_number,
    }  # fmt: skip


def said(vote: Decision) -> Said:
    """Show one word; whoever pressed the button comes first, and whose word it counts as second."""
    voice = vote.voice if vote.voice_id and vote.voice_id != vote.member_id else None
    via = CHANNELS.get(vote.via, vote.via)
    return Said(
        vote.member.user.name, voice.user.name if voice else "", vote.verdict, vote.reason, via, vote.at, vote.withdrawn_at is not None
    )  # fmt: skip


def tightened(narrowing: str, arguments: str) -> list[Tightened]:
    """Say of each argument that was tightened what it was before, and its limit now."""
    if not narrowing:
        return []
    asked: Value = {"arguments": decode(arguments)}
    checks = list(checks_in(parse(decode(narrowing))))
    return [
        Tightened(".".join(map(str, each.path[1:])), _value(follow(asked, each.path)), sentence(each))
        for each in checks
    ]


def _value(found: Value | Absent) -> str:
    return "nothing" if isinstance(found, Absent) or found is None else str(found)


def _row(request: Request, effect: Effect | None) -> Past:
    return Past(
        id=request.pk, number=number_of(request.pk), state=request.state, summary=request.summary, operation=request.operation,
        target=request.target, tier=request.tier, requester_name=request.agent.name, owner_name=request.owner.user.name,
        created_at=request.created_at, decided_at=request.decided_at, policy=f"{request.policy.name}, version {request.policy.version}",
        said=[said(vote) for vote in request.decisions.all()], closing_reason=request.closing_reason,
        tightened=tightened(request.narrowing, request.arguments),
        narrowing=sentence(parse(decode(request.narrowing))) if request.narrowing else "",
        became=effect.state if effect else request.outcome, became_noun="effect" if effect else "outcome",
        broke_glass=request.break_glass_id is not None, run_id=effect.run_id if effect else None,
        effect_number=effect.number if effect else None,
    )  # fmt: skip
