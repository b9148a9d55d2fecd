"""Who may decide a request, in whose place, and whether it is still to be decided."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import states
from approvals.deciding.looking import check_not_revised
from approvals.deciding.refusals import (
    AlreadyResolved,
    Expired,
    NotDelegated,
    NotEligible,
    PolicyChanged,
    SeparationOfDuties,
    StaleView,
    Withdrawn,
)
from approvals.delegating import delegation_for, lent
from approvals.models import BreakGlass, Decision, Delegation, Request
from approvals.policies import governs
from approvals.policy_asks import Ask
from approvals.seats import may_fill
from console.clock import instant
from console.exact import decode
from console.identity.models import Member
from console.identity.step_up import RECENT_SECONDS, check_stepped_up
from console.ledger.actors import Actor


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose word is counted: the member's own, or by a delegation that of who handed it over."""

    member_id: UUID
    voice_id: UUID
    delegation: Delegation | None = None


def check_standing(by: Actor, request: Request, voice: UUID | None, now: datetime) -> Standing:
    """Give whose word the actor's would be. Raises SeparationOfDuties, NotEligible, NotDelegated.

    Neither who decides nor in whose place may be the one who answers for the agent, nor who had it asked."""
    if by.kind != "member" or not request.apart.isdisjoint({by.id, voice}):
        raise SeparationOfDuties
    if voice is None or voice == by.id:
        member = Member.objects.filter(pk=by.principal, tenant_id=request.tenant_id, active=True).first()
        if member is None or not may_fill(member, member.groups, request):
            raise NotEligible(groups=list(request.groups))
        return Standing(by.principal, by.principal)
    delegation = delegation_for(by.principal, voice, request.operation, request.groups, now)
    if delegation is None:
        raise NotDelegated
    if not may_fill(delegation.giver, lent(delegation), request):
        raise NotEligible(groups=list(request.groups))
    return Standing(by.principal, voice, delegation)


def check_step_up(by: Actor, request: Request, ask: Ask | None, now: datetime) -> bool:
    """Tell whether the actor is to have proven who they are. Raises StepUpNeeded when that was too long ago.

    The policy asks for it; and a key, which may lie in a file, says no yes of the high tier without it."""
    within = ask.step_up_within_seconds if ask else None
    if within is None and by.via == "api" and request.tier == "high":
        within = RECENT_SECONDS
    if within is not None:
        check_stepped_up(by, within, now)
    return within is not None


def check_open(request: Request, now: datetime) -> None:
    """Raise what has become of the request, unless it is to be decided and in time; a sweep that is late changes nothing here."""
    if request.state in {states.EXPIRED, states.LAPSED} or (
        request.state == states.PENDING and now >= request.decide_by
    ):
        raise Expired(decide_by=instant(request.decide_by), **how(request))
    check_not_revised(request)
    if request.state == states.REROUTED:
        raise PolicyChanged(**how(request))
    if request.state == states.WITHDRAWN:
        raise Withdrawn(reason=request.closing_reason, **how(request))
    if request.state != states.PENDING:
        raise AlreadyResolved(**how_decided(request))
    if not governs(request.policy_id, request.operation):
        raise PolicyChanged(**how(request))


def check_view(request: Request, shown_digest: str) -> None:
    """Raise StaleView, with what it is now, when something else was shown."""
    if shown_digest != request.subject_digest.hex():
        raise StaleView(
            shown=shown_digest,
            current=request.subject_digest.hex(),
            summary=request.summary,
            arguments=decode(request.arguments.encode()),
            **how(request),
        )


def how(request: Request) -> dict[str, Any]:
    """Say how a request stands: state and version."""
    return {"state": request.state, "version": request.ledger_seq}


def how_decided(request: Request) -> dict[str, Any]:
    """Say who decided it, what and when."""
    if request.break_glass_id is not None:
        glass = BreakGlass.objects.select_related("member__user").get(pk=request.break_glass_id)
        said = {"verdict": "break_glass", "by": glass.member.user.name, "at": instant(glass.opened_at)}
        return {**said, **how(request)}
    words = Decision.objects.filter(request=request, withdrawn_at=None).select_related("member__user")
    last = words.order_by("-at").first()
    return {
        "verdict": last.verdict if last else None, "by": last.member.user.name if last else None,
        "at": instant(last.at if last else request.decided_at), **how(request),
    }  # fmt: skip
