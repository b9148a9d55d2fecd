"""Requests as the pages show them: the question with what it is about, who said what, and what follows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import evidence, queries
from approvals.models import Decision, Request
from approvals.states import APPROVED, CONSUMED, DENIED, LAPSED, PENDING, REVOKED
from approvals.target import is_being_read, is_stale
from compensation.models import WorkItem
from console.exact import Object, Value, decode
from console.exact.conditions import parse, sentence
from console.exact.differences import Change, changes
from console.pages.hands import carried_out_by
from console.pages.templatetags.arguments import in_order
from console.pages.templatetags.times import span
from runs.models import Effect, Run

VERDICT_OF = {APPROVED: "approve", CONSUMED: "approve", LAPSED: "approve", REVOKED: "approve", DENIED: "deny"}


@dataclass(frozen=True, slots=True)
class Vote:
    """One member's word; `id` names what they saw, where that was kept."""

    member_name: str
    verdict: str
    reason: str
    at: datetime
    id: str = ""
    instead_of: str = ""
    via: str = "page"
    withdrawn_at: datetime | None = None
    withdrawn_reason: str = ""
    narrowed: str = ""
    alternative: list[Change] = field(default_factory=list)


@dataclass(slots=True)
class TargetShown:
    """What is known of the target's state; see the top of approvals/_target.html. `shown` is the version that the card's form sends."""

    version: str
    state: Object | None
    read_at: datetime | None
    within_seconds: int
    fault: str
    shown: str
    is_stale: bool = False
    is_under_way: bool = False

    @property
    def has_changed(self) -> bool:
        """Whether it is another version by now than the card began with."""
        return self.shown != self.version


@dataclass(frozen=True, slots=True)
class Before:
    """The request before in the chain, and what is not as it was there."""

    id: UUID
    number: str
    state: str
    changes: list[Object]


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
    tier: str
    irreversible: bool
    created_at: datetime
    decide_by: datetime
    decided_at: datetime | None
    decided_by: list[str]
    run: Run | None
    effect: Effect | None
    outcome: str = ""
    broke_glass: bool = False


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
    residue: Value
    if_wrong: Value
    digest_hex: str
    state_reason: str
    decisions: list[Vote]
    contract: str = ""
    contract_digest: str = ""
    preconditions: list[Value] = field(default_factory=list)
    read: TargetShown | None = None
    before: Before | None = None
    undone: Object | None = None
    makes_good_for: Object | None = None
    work_item: UUID | None = None
    after_count: int = 0
    rerouted_to: Slip | None = None
    erased_at: datetime | None = None
    alone: bool = False
    finish_by: datetime | None = None
    outcome_detail: str = ""
    outcome_at: datetime | None = None


def number_of(request_id: UUID) -> str:
    """Give the short form of a request's id that people read aloud."""
    return request_id.hex[-8:]


def slips(requests: Iterable[Request], about: Mapping[UUID, Effect]) -> list[Slip]:
    """Make the rows of a list, given the effects that the requests are about."""
    return [Slip(**_slip(request, about.get(request.subject))) for request in requests]


def question(request: Request, effect: Effect | None, now: datetime, shown_target: str = "") -> Question:
    """Make the card of a request whose decisions, agent, owner and policy have been read: its evidence, and what has become of it.

    `shown_target` is the version of the target that a card shows already which is being renewed."""
    live = _slip(request, effect) | {
        "use_by": request.use_by, "use_within": _use_within(request), "state_reason": request.closing_reason,
        "erased_at": request.erased_at, "alone": request.alone, "finish_by": request.finish_by,
        "outcome_detail": request.outcome_detail, "outcome_at": request.outcome_at, "work_item": _work_item(effect),
    }  # fmt: skip
    drawn = Question(**_drawn(evidence.of(request, now), effect) | live)
    if drawn.read is not None:
        drawn.read.shown = shown_target or drawn.read.version
        drawn.read.is_stale, drawn.read.is_under_way = is_stale(request, now), is_being_read(request, now)
    return drawn


def drawn_again(decision: Decision, effect: Effect | None) -> Question:
    """Make the card as it was when this was decided, from what the decision kept."""
    return Question(**_drawn(_mapping(decision.seen), effect))


def _drawn(said: Object, effect: Effect | None) -> dict[str, Any]:
    """Give what a card is told, from evidence; of the effect only what never changes."""
    shown, policy, clocks, asked_by = said["shown"], said["policy"], said["clocks"], said["asked_by"]
    request_id = UUID(said["request"])
    return {
        "id": request_id, "number": number_of(request_id), "state": said["state"], "summary": said["summary"],
        "requester_name": asked_by["agent"], "groups": list(said["asks"]["groups"]), "quorum": int(said["asks"]["quorum"]),
        "approvals_count": int(said["counted"]), "irreversible": said["irreversible"], "created_at": _at(clocks["created_at"]),
        "decide_by": _at(clocks["decide_by"]), "decided_at": None, "decided_by": [], "run": effect.run if effect else None,
        "effect": effect, "operation": said["operation"], "executor": str(shown.get("executor") or ""),
        "carried_out_by": carried_out_by(effect, asked_by["agent"]) if effect else "", "target": said["target"],
        "arguments": in_order(said["arguments"], effect.operation.argument_names if effect else []), "reason": said["agent_claims"],
        "owner_name": asked_by["owner"], "policy_name": policy["name"], "policy_version": int(policy["version"]), "rule": policy["rule"],
        "why_asked": policy["why_asked"], "use_by": None, "use_within": span(int(clocks["use_within_seconds"])), "tier": said["tier"],
        "residue": shown.get("residue"), "if_wrong": shown.get("if_it_goes_wrong"), "digest_hex": said["digest"], "state_reason": "",
        "decisions": [_vote(vote, said["arguments"]) for vote in said["votes"]],
        "contract": str(shown.get("contract") or ""), "contract_digest": str(shown.get("contract_digest") or ""),
        "preconditions": list(shown.get("preconditions") or ()), "read": _read(said["target_read"]), "before": _before(said["revises"]),
        "undone": shown.get("compensation"), "makes_good_for": shown.get("makes_good_for"),
    }  # fmt: skip


def _work_item(effect: Effect | None) -> UUID | None:
    """Name the work item that an effect acts for, where it makes good for another."""
    if effect is None or effect.compensates_id is None:
        return None
    return WorkItem.objects.filter(acting=effect.pk).values_list("pk", flat=True).first()


def _read(said: Object | None) -> TargetShown | None:
    if said is None:
        return None
    return TargetShown(
        said["version"], said["state"], _at(said["read_at"]) if said["read_at"] else None, int(said["within_seconds"]), said["fault"],
        said["version"],
    )  # fmt: skip


def _before(said: Object | None) -> Before | None:
    if said is None:
        return None
    return Before(UUID(said["request"]), number_of(UUID(said["request"])), said["state"], said["changes"])


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def votes(request: Request) -> list[Vote]:
    """Give who said what, in order."""
    arguments = decode(request.arguments, 128)
    return [_vote(said, arguments) for said in evidence.votes(request)]


def _vote(said: Object, arguments: Value) -> Vote:
    offered, constraints = said["alternative"], said["constraints"]
    return Vote(
        said["by"], said["verdict"], said["reason"], _at(said["at"]), said["decision"], said["instead_of"], said["via"],
        _at(said["withdrawn_at"]) if said["withdrawn_at"] else None, said["withdrawn_reason"],
        sentence(parse(constraints)) if constraints is not None else "", changes(arguments, offered) if offered is not None else [],
    )  # fmt: skip


def _slip(request: Request, effect: Effect | None) -> dict[str, Any]:
    return {
        "id": request.pk, "number": number_of(request.pk), "state": request.state, "summary": request.summary,
        "requester_name": request.agent.name, "groups": list(request.groups), "quorum": request.quorum,
        "approvals_count": queries.counted(request), "irreversible": request.irreversible, "created_at": request.created_at,
        "tier": request.tier, "decide_by": request.decide_by, "decided_at": request.decided_at,
        "decided_by": _decided_by(request), "run": effect.run if effect else None, "effect": effect,
        "outcome": request.outcome, "broke_glass": request.break_glass_id is not None,
    }  # fmt: skip


def _decided_by(request: Request) -> list[str]:
    """Name whose words decided it: nobody's where it ended by itself."""
    verdict = VERDICT_OF.get(request.state)
    said = request.decisions.all() if verdict else []
    return [vote.member.user.name for vote in said if vote.verdict == verdict and vote.withdrawn_at is None]


def _use_within(request: Request) -> str:
    return span(request.use_within_seconds) if request.state == PENDING else ""


def _mapping(text: str) -> Object:
    value = decode(text, 128)
    return value if isinstance(value, dict) else {}
