"""Approval requests as the API shows them."""

from collections.abc import Iterable
from datetime import datetime

from approvals import evidence, news
from approvals.deciding import narrowing
from approvals.models import BreakGlass, Decision, Request
from approvals.policy_asks import NOBODY, Panel
from approvals.queries import counted
from approvals.seats import panels
from approvals.states import APPROVED, PENDING
from console.clock import instant
from console.exact import Object, decode


def request(request: Request, now: datetime, *, whole: bool = False) -> Object:
    """Show a request; `agent`, `policy` and the decisions with their people are read with it, `now` is the database's time.

    `whole`: with what each saw when they decided, and what changed since the request before."""
    decisions = [decision(one, whole=whole) for one in _in_order(request.decisions.all())]
    return {
        "id": str(request.pk),
        "effect": None if request.alone else str(request.subject),
        "alone": request.alone,
        "key": request.key or None,
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
        "target_read": evidence.target_read(request),
        "revises": evidence.revised(request) if whole else None,
        "tier": request.tier,
        "irreversible": request.irreversible,
        "agent": request.agent.name,
        "policy": request.policy.name,
        "policy_version": request.policy.version,
        "rule": request.rule,
        "groups": list(request.groups),
        "quorum": 0 if request.panels == NOBODY else request.quorum,
        "panels": [_panel(each) for each in panels(request)],
        "counted": counted(request),
        "extensions": request.extensions,
        "escalated_at": instant(request.escalated_at),
        "narrowing": None if request.erased_at else narrowing.shown(request.narrowing),
        "to_fit": request.to_fit and request.state == APPROVED,
        "decisions": decisions,
        "break_glass": None if request.break_glass is None else _glass(request.break_glass),
        "closing_reason": request.closing_reason or None,
        "may_resubmit": news.may_resubmit(request),
        "alternative": news.alternative(request.decisions.all()),
        "outcome": news.outcome(request, now) or None,
        "outcome_detail": request.outcome_detail or None,
        "outcome_at": instant(request.outcome_at),
        "decide_by": instant(request.decide_by),
        "use_by": instant(request.use_by),
        "finish_by": instant(request.finish_by),
        "finish_then": request.finish_then or None,
        "overran_at": instant(request.overran_at),
        "created_at": instant(request.created_at),
        "decided_at": instant(request.decided_at),
        "consumed_at": instant(request.consumed_at),
        "erased_at": instant(request.erased_at),
    }


def decision(decision: Decision, *, whole: bool) -> Object:
    """Show one person's word."""
    voice = decision.voice if decision.voice_id not in {None, decision.member_id} else None
    return {
        "id": str(decision.pk),
        "seen": decode(decision.seen, 128) if whole and decision.seen else None,
        "by": decision.member.user.name,
        "in_place_of": voice.user.name if voice else None,
        "verdict": decision.verdict,
        "reason": decision.reason or None,
        "narrowing": narrowing.shown(decision.constraints),
        "alternative": decode(decision.alternative, 128) if decision.alternative else None,
        "via": decision.via,
        "at": instant(decision.at),
        "stepped_up_at": instant(decision.stepped_up_at),
        "withdrawn_at": instant(decision.withdrawn_at),
        "withdrawn_reason": decision.withdrawn_reason or None,
    }


def _glass(glass: BreakGlass) -> Object:
    return {
        "by": glass.member.user.name, "reason": glass.reason or None, "at": instant(glass.opened_at), "ends_at": instant(glass.ends_at),
        "ended_at": instant(glass.ended_at), "reviewed_at": instant(glass.reviewed_at), "justified": glass.justified,
    }  # fmt: skip


def _panel(panel: Panel) -> Object:
    return {"groups": list(panel.groups), "roles": list(panel.roles), "quorum": panel.quorum}


def _in_order(decisions: Iterable[Decision]) -> list[Decision]:
    return sorted(decisions, key=lambda decision: (decision.at, decision.pk))
