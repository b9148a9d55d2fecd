"""Deciding a request: one function for the button, the API and whatever comes, and every refusal by name."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import record, states
from approvals.models import Decision, Request
from approvals.policies import governs
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import decode
from console.http.refusals import Forbidden, InvalidContent, NotFound, ReasonTooLong, Refusal
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.telemetry import traces

LONGEST_REASON = 2000


class AlreadyResolved(Refusal):
    """This was already decided."""

    code = "already_resolved"


class AlreadyCounted(Refusal):
    """Your word on this is already counted; nobody is counted twice."""

    code = "already_counted"


class Expired(Refusal):
    """The time to decide this has run out; it was not done."""

    code = "expired"


class Withdrawn(Refusal):
    """This was withdrawn before it was decided; there is nothing left to decide."""

    code = "withdrawn"


class PolicyChanged(Refusal):
    """The policy changed after this was asked; the request is judged again by the new one."""

    code = "policy_changed"


class StaleView(Refusal):
    """What you were shown is not what would be done now; look again before you decide."""

    code = "stale_view"
    status = 412


class SeparationOfDuties(Forbidden):
    """Whoever asks, or answers for the agent that asks, does not decide."""

    code = "separation_of_duties"


class NotEligible(Forbidden):
    """The policy asks approvers of other groups."""

    code = "not_eligible"


class ReasonMissing(InvalidContent):
    """A denial needs a reason, which the agent is told."""

    code = "reason_missing"


@move("approve")
def approve(by: Actor, request_id: UUID, *, shown_digest: str, reason: str, key: str) -> dict[str, Any]:
    """Count a member's approval; the receipt says `recorded`, or `counted` with k of n while more are needed."""
    _check_length(reason)
    asked = {"request": str(request_id), "shown": shown_digest, "reason": reason}
    return once(
        by,
        key,
        "approve",
        asked,
        lambda: _decide(by, request_id, "approve", shown_digest, reason.strip()),
        about=request_id,
    )


@move("deny")
def deny(by: Actor, request_id: UUID, *, shown_digest: str, reason: str, key: str) -> dict[str, Any]:
    """Deny with a reason. One denial decides."""
    _check_length(reason)
    if not reason.strip():
        raise ReasonMissing(path="/reason")
    asked = {"request": str(request_id), "shown": shown_digest, "reason": reason}
    return once(
        by, key, "deny", asked, lambda: _decide(by, request_id, "deny", shown_digest, reason.strip()), about=request_id
    )


def _decide(by: Actor, request_id: UUID, verdict: str, shown_digest: str, reason: str) -> dict[str, Any]:
    request = Request.objects.select_for_update(no_key=True).filter(pk=request_id).first()
    if request is None:
        raise NotFound
    traces.link(request.traceparent)
    now = clock.now()
    _check_standing(by, request)
    _check_open(request, now)
    _check_view(request, shown_digest)
    decision = _written(by, request, verdict, shown_digest, reason, now)
    count = _approvals(request)
    if verdict == "deny":
        target = states.DENIED
    elif count >= request.quorum:
        target = states.APPROVED
    else:
        target = states.PENDING
    entries = [(request.pk, "request.decided", _facts(decision))]
    if target != states.PENDING:
        entries.append((request.pk, *_moved(request, target, reason, now)))
    record.write(entries, by, now)
    ring_after_commit(request.pk, request.subject, work=target != states.PENDING)
    return {
        "receipt": "counted" if target == states.PENDING else "recorded",
        "request": str(request.pk), "state": target, "verdict": verdict, "counted": count, "of": request.quorum,
        "at": instant(now), "use_by": instant(request.use_by),
    }  # fmt: skip


def _check_length(reason: str) -> None:
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong(path="/reason")


def _check_standing(by: Actor, request: Request) -> None:
    if by.kind != "member" or by.id == request.owner_id:
        raise SeparationOfDuties
    member = Member.objects.filter(pk=by.principal, tenant_id=request.tenant_id, active=True).first()
    if member is None or "approver" not in member.roles or not set(member.groups) & set(request.groups):
        raise NotEligible(groups=list(request.groups))


def _check_open(request: Request, now: datetime) -> None:
    if request.state in {states.EXPIRED, states.LAPSED} or (
        request.state == states.PENDING and now >= request.decide_by
    ):
        raise Expired(decide_by=instant(request.decide_by), **_standing(request))
    if request.state == states.REROUTED:
        raise PolicyChanged(**_standing(request))
    if request.state == states.WITHDRAWN:
        raise Withdrawn(reason=request.closing_reason, **_standing(request))
    if request.state != states.PENDING:
        raise AlreadyResolved(**_standing_decision(request))
    if not governs(request.policy_id, request.operation):
        raise PolicyChanged(**_standing(request))


def _standing(request: Request) -> dict[str, Any]:
    """Say how a request stands: state and version."""
    return {"state": request.state, "version": request.ledger_seq}


def _check_view(request: Request, shown_digest: str) -> None:
    if shown_digest != request.subject_digest.hex():
        raise StaleView(
            shown=shown_digest,
            current=request.subject_digest.hex(),
            summary=request.summary,
            arguments=decode(request.arguments.encode()),
            **_standing(request),
        )


def _written(by: Actor, request: Request, verdict: str, shown: str, reason: str, now: datetime) -> Decision:
    decision = Decision(
        id=uuid7(), tenant_id=request.tenant_id, request=request, member_id=by.principal, verdict=verdict, reason=reason,
        shown_digest=bytes.fromhex(shown), via=by.via, at=now,
    )  # fmt: skip
    Decision.objects.bulk_create([decision], ignore_conflicts=True)
    standing = Decision.objects.get(request=request, member_id=by.principal)
    if standing.pk != decision.pk:
        raise AlreadyCounted(
            verdict=standing.verdict, at=instant(standing.at), counted=_approvals(request), of=request.quorum, **_standing(request)
        )  # fmt: skip
    return decision


def _approvals(request: Request) -> int:
    return Decision.objects.filter(
        request=request,
        verdict="approve",
        member__active=True,
        member__roles__contains=["approver"],
        member__groups__overlap=request.groups,
    ).count()


def _moved(request: Request, target: str, reason: str, now: datetime) -> tuple[str, dict[str, Any]]:
    changes: dict[str, Any] = {"state": target, "decided_at": now}
    if target == states.APPROVED:
        request.use_by = changes["use_by"] = now + timedelta(seconds=request.use_within_seconds)
        facts = {"use_by": instant(request.use_by)}
    else:
        changes["closing_reason"] = reason
        facts = {"reason": reason}
    held = Request.objects.filter(
        pk=request.pk, state=states.PENDING, subject_digest=request.subject_digest, decide_by__gt=now
    )
    if not held.update(**changes):
        raise AlreadyResolved(**_standing(request))
    return f"request.{target}", facts


def _facts(decision: Decision) -> dict[str, Any]:
    return {
        "decision": str(decision.pk), "member": str(decision.member_id), "verdict": decision.verdict, "reason": decision.reason,
        "shown_digest": decision.shown_digest.hex(), "via": decision.via,
    }  # fmt: skip


def _standing_decision(request: Request) -> dict[str, Any]:
    last = Decision.objects.filter(request=request).select_related("member__user").order_by("-at").first()
    return {
        "verdict": last.verdict if last else None, "by": last.member.user.name if last else None,
        "at": instant(last.at if last else request.decided_at), **_standing(request),
    }  # fmt: skip
