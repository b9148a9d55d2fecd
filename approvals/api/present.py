"""Approval requests as the API shows them."""

from collections.abc import Iterable
from datetime import datetime

from approvals.models import Decision, Request
from approvals.states import PENDING
from console.clock import instant
from console.exact import Object, decode


def request(request: Request, now: datetime) -> Object:
    """Show a request; `agent`, `policy` and the decisions with their people are read with it, `now` is the database's time."""
    decisions = [decision(one) for one in _in_order(request.decisions.all())]
    return {
        "id": str(request.pk),
        "effect": str(request.subject),
        "digest": request.subject_digest.hex(),
        "version": request.ledger_seq,
        "state": request.state,
        "can_be_decided": request.state == PENDING and now < request.decide_by,
        "operation": request.operation,
        "summary": request.summary,
        "target": request.target,
        "arguments": None if request.erased_at else decode(request.arguments, 128),
        "shown": None if request.erased_at else decode(request.shown, 128),
        "reason": request.reason or None,
        "tier": request.tier,
        "irreversible": request.irreversible,
        "agent": request.agent.name,
        "policy": request.policy.name,
        "policy_version": request.policy.version,
        "rule": request.rule,
        "groups": list(request.groups),
        "quorum": request.quorum,
        "decisions": decisions,
        "closing_reason": request.closing_reason or None,
        "decide_by": instant(request.decide_by),
        "use_by": instant(request.use_by),
        "created_at": instant(request.created_at),
        "decided_at": instant(request.decided_at),
        "consumed_at": instant(request.consumed_at),
        "erased_at": instant(request.erased_at),
    }


def decision(decision: Decision) -> Object:
    """Show one person's word."""
    return {
        "by": decision.member.user.name,
        "verdict": decision.verdict,
        "reason": decision.reason or None,
        "via": decision.via,
        "at": instant(decision.at),
    }


def _in_order(decisions: Iterable[Decision]) -> list[Decision]:
    return sorted(decisions, key=lambda decision: (decision.at, decision.pk))
