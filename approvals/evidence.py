"""What a request's card shows, as data: kept with each decision, and drawn again by the same parts of the page whenever somebody asks.

It holds what is bound, what stands beside it, and whose claim each thing is. Every text is whole: a request is refused when it is made
sooner than shown in part (APR-17), so this is bounded by what a request may be."""

from datetime import datetime
from uuid import UUID

from approvals import differences, target
from approvals.deciding.counting import counted
from approvals.models import Decision, Request
from approvals.policies import document_of
from console.clock import instant
from console.exact import Object, Value, canonical, decode

FORMAT = 1


def seen(request: Request, now: datetime) -> str:
    """Write what is on the card of this request at `now`, for a decision to keep."""
    return canonical(of(request, now))


def of(request: Request, now: datetime) -> Object:
    """Give what is on the card of this request at `now`."""
    policy = document_of(request.policy)
    return {
        "format": FORMAT, "at": instant(now), "request": str(request.pk), "digest": request.subject_digest.hex(), "state": request.state,
        "operation": request.operation, "summary": request.summary, "target": request.target,
        "arguments": decode(request.arguments, 128), "shown": decode(request.shown, 128), "tier": request.tier,
        "irreversible": request.irreversible, "asked_by": {"agent": request.agent.name, "owner": request.owner.user.name},
        "agent_claims": request.reason,
        "policy": {
            "name": request.policy.name, "version": request.policy.version, "rule": request.rule,
            "why_asked": next((rule.reason for rule in policy.rules if rule.name == request.rule), ""),
        },
        "asks": {"groups": list(request.groups), "quorum": request.quorum, "panels": request.panels},
        "clocks": {
            "created_at": instant(request.created_at), "decide_by": instant(request.decide_by), "use_by": instant(request.use_by),
            "use_within_seconds": request.use_within_seconds, "finish_within_seconds": request.finish_within_seconds,
            "finish_then": request.finish_then,
        },
        "counted": counted(request), "narrowing": request.narrowing, "target_read": target_read(request),
        "revises": revised(request), "votes": [*votes(request)],
    }  # fmt: skip


def target_read(request: Request) -> Object | None:
    """Give what is known of the target's state; None where it has no reader."""
    if request.read_within_seconds is None:
        return None
    return {
        "version": request.target_version, "state": target.state_of(request), "read_at": instant(request.target_read_at),
        "within_seconds": request.read_within_seconds, "fault": request.read_fault,
    }  # fmt: skip


def revised(request: Request) -> Object | None:
    """Give the request before in the chain, and what is not as it was there."""
    before = request.revises
    if before is None or before.erased_at is not None:
        return None
    changed: list[Value] = [*differences.facts(differences.between(before, request))]
    return {"request": str(before.pk), "state": before.state, "changes": changed}


def votes(request: Request) -> list[Object]:
    """Give who said what, in their order, words that were taken back among them."""
    return [_vote(vote) for vote in sorted(request.decisions.all(), key=lambda vote: (vote.at, vote.pk))]


def _vote(vote: Decision) -> Object:
    voice = vote.voice if vote.voice_id not in {None, vote.member_id} else None
    return {
        "decision": str(vote.pk), "by": vote.member.user.name, "instead_of": voice.user.name if voice else "", "via": vote.via,
        "verdict": vote.verdict, "reason": vote.reason, "at": instant(vote.at),
        "constraints": decode(vote.constraints, 128) if vote.constraints else None,
        "alternative": decode(vote.alternative, 128) if vote.alternative else None,
        "withdrawn_at": instant(vote.withdrawn_at), "withdrawn_reason": vote.withdrawn_reason,
    }  # fmt: skip


def kept(tenant_id: UUID, request_id: UUID, decision_id: UUID) -> Decision | None:
    """Give a decision on this request of the tenant's, with who said it."""
    found = Decision.objects.filter(tenant_id=tenant_id, pk=decision_id, request=request_id)
    return found.select_related("member__user", "request__agent").first()
