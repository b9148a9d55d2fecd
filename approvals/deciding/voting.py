"""A yes or a no, counted: one function for the button, the API and whatever comes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q
from uuid_utils.compat import uuid7

from approvals import evidence, record, states, telling
from approvals.deciding import narrowing
from approvals.deciding.counting import counted
from approvals.deciding.holding import held
from approvals.deciding.left import narrow, satisfied, tightened
from approvals.deciding.looking import check_target, reading_again
from approvals.deciding.refusals import AlreadyCounted, AlreadyResolved
from approvals.deciding.standing import Standing, check_open, check_standing, check_step_up, check_view, how
from approvals.models import Decision, Request
from approvals.policies import asked
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Value, canonical
from console.exact.value import Object
from console.http.reasons import check_length, given
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.telemetry import traces


@dataclass(frozen=True, slots=True)
class Word:
    """What somebody says of a request, and what they were shown when they said it."""

    verdict: str
    reason: str
    shown_digest: str
    constraints: Value | None = None
    alternative: Object | None = None
    shown_target: str | None = None


def _nothing_forbids(tenant_id: UUID) -> None:
    """Let a yes be counted."""


def _as_sent(request: Request, alternative: Object) -> Object:
    """Take an alternative as it is: what its operation takes is known above this room."""
    return alternative


@reading_again
@move("approve")
def approve(
    by: Actor,
    request_id: UUID,
    *,
    shown_digest: str,
    reason: str,
    key: str,
    unless: Callable[[UUID], None] = _nothing_forbids,
    constraints: Value | None = None,
    voice: UUID | None = None,
    shown_target: str | None = None,
) -> dict[str, Any]:
    """Count a member's approval; the receipt says `recorded`, or `counted` with k of n while more are needed.

    `unless` is asked, once the request is held, whether anything forbids a yes in its tenant now: what stops work is known above this
    room. Raises what it raises. `constraints` is a condition over {arguments} that tightens what is allowed; `voice` is the member in
    whose place the actor decides, by a delegation."""
    check_length(reason)
    word = Word("approve", reason.strip(), shown_digest, constraints, shown_target=shown_target)
    request = {"request": str(request_id), "shown": shown_digest, "reason": reason, **_beside(word, voice)}
    return once(by, key, "approve", request, lambda: _decide(by, request_id, word, voice, unless), about=request_id)


@move("deny")
def deny(
    by: Actor,
    request_id: UUID,
    *,
    shown_digest: str,
    reason: str,
    key: str,
    alternative: Object | None = None,
    voice: UUID | None = None,
    complete: Callable[[Request, Object], Object] = _as_sent,
) -> dict[str, Any]:
    """Deny with a reason. One denial decides.

    `alternative` is the arguments that the denier would say yes to: the agent is told, and nothing is done by it. `complete` is asked, once
    the request is held, for all of the arguments that it means; it raises what they are not."""
    why = given(reason, "A denial needs a reason, which the agent is told.")
    word = Word("deny", why, shown_digest, alternative=alternative)
    request = {"request": str(request_id), "shown": shown_digest, "reason": reason, **_beside(word, voice)}
    return once(
        by, key, "deny", request, lambda: _decide(by, request_id, word, voice, complete=complete), about=request_id
    )


def _beside(word: Word, voice: UUID | None) -> dict[str, Any]:
    """Give what else names the request of a key, where it is said: keys of 0.1.0 know nothing of it."""
    said = {
        "constraints": word.constraints, "alternative": word.alternative, "voice": str(voice) if voice else None,
        "shown_target": word.shown_target,
    }  # fmt: skip
    return {name: value for name, value in said.items() if value is not None}


def _decide(
    by: Actor,
    request_id: UUID,
    word: Word,
    voice: UUID | None,
    unless: Callable[[UUID], None] = _nothing_forbids,
    complete: Callable[[Request, Object], Object] = _as_sent,
) -> dict[str, Any]:
    request = held(request_id)
    traces.link(request.traceparent)
    now = clock.now()
    standing = check_standing(by, request, voice, now)
    check_open(request, now)
    unless(request.tenant_id)
    check_view(request, word.shown_digest)
    decision = _decision(by, standing, request, word, now)
    if word.alternative is not None:
        decision.alternative = canonical(complete(request, word.alternative))
    if word.verdict == "approve":
        check_target(request, word.shown_target, now)
        _check_terms(by, request, decision, word, now)
    decision.save(force_insert=True)
    left, count = narrow(request) if decision.constraints else {}, counted(request)
    target = _target(request, word.verdict, count)
    entries = [(request.pk, "request.decided", _facts(decision) | left)]
    if target != states.PENDING:
        entries.append((request.pk, *_moved(request, target, word.reason, now)))
    record.write(entries, by, now)
    if target != states.PENDING:
        telling.ended(by, [request], target, word.reason, now)
    ring_after_commit(request.pk, request.subject, work=target != states.PENDING)
    return {
        "receipt": "counted" if target == states.PENDING else "recorded",
        "request": str(request.pk), "state": target, "verdict": word.verdict, "counted": count, "of": request.quorum,
        "at": instant(now), "use_by": instant(request.use_by), **_narrowed(request),
    }  # fmt: skip


def _decision(by: Actor, standing: Standing, request: Request, word: Word, now: datetime) -> Decision:
    """Make the decision of somebody of whom no word stands. Raises AlreadyCounted."""
    own = Q(member_id=standing.member_id) | Q(voice_id=standing.voice_id)
    said = own | Q(member_id=standing.voice_id, voice=None)
    earlier = Decision.objects.filter(said, request=request, withdrawn_at=None).first()
    if earlier is not None:
        raise AlreadyCounted(
            verdict=earlier.verdict, at=instant(earlier.at), counted=counted(request), of=request.quorum, **how(request)
        )
    return Decision(
        id=uuid7(), tenant_id=request.tenant_id, request=request, member_id=standing.member_id, verdict=word.verdict,
        reason=word.reason, shown_digest=bytes.fromhex(word.shown_digest), via=by.via, at=now, voice_id=standing.voice_id,
        delegation=standing.delegation,
        seen=evidence.seen(request, now),
    )  # fmt: skip


def _check_terms(by: Actor, request: Request, decision: Decision, word: Word, now: datetime) -> None:
    """Check what the policy asks of a yes besides who says it, and let the decision keep it."""
    ask = asked(request)
    if check_step_up(by, request, ask, now):
        decision.stepped_up_at = by.stepped_up_at
    if ask and ask.reason_required:
        given(word.reason, "The policy asks a reason of whoever approves this.")
    if word.constraints is not None:
        decision.constraints = tightened(request, word.constraints, ask.narrow if ask else ())


def _target(request: Request, verdict: str, count: int) -> str:
    if verdict == "deny":
        return states.DENIED
    return states.APPROVED if count >= request.quorum else states.PENDING


def _moved(request: Request, target: str, reason: str, now: datetime) -> tuple[str, dict[str, Any]]:
    changes: dict[str, Any] = {"state": target, "decided_at": now}
    facts: dict[str, Any] = {"reason": reason}
    if target == states.APPROVED:
        changes |= {"use_by": now + timedelta(seconds=request.use_within_seconds), "to_fit": not satisfied(request)}
        facts = {"use_by": instant(changes["use_by"]), **({"to_fit": True} if changes["to_fit"] else {})}
        if request.read_within_seconds is not None:
            changes["read_due_at"] = now  # so that what is there is looked at once more before it is acted on
    else:
        changes["closing_reason"] = reason
    pending = Request.objects.filter(
        pk=request.pk, state=states.PENDING, subject_digest=request.subject_digest, decide_by__gt=now
    )
    if not pending.update(**changes):
        raise AlreadyResolved(**how(request))
    for name, value in changes.items():
        setattr(request, name, value)
    return f"request.{target}", facts


def _narrowed(request: Request) -> dict[str, Any]:
    """Say in a receipt what approvers tightened, and whether it has to be proposed anew because of that."""
    return {"narrowing": narrowing.shown(request.narrowing), "to_fit": request.to_fit} if request.narrowing else {}


def _facts(decision: Decision) -> dict[str, Any]:
    said = {
        "constraints": decision.constraints, "alternative": decision.alternative, "seen": decision.seen,
        "stepped_up_at": instant(decision.stepped_up_at),
        "delegation": str(decision.delegation_id) if decision.delegation_id else None,
    }  # fmt: skip
    return {
        "decision": str(decision.pk), "member": str(decision.member_id), "verdict": decision.verdict, "reason": decision.reason,
        "shown_digest": decision.shown_digest.hex(), "via": decision.via, "voice": str(decision.voice_id),
        **{name: value for name, value in said.items() if value},
    }  # fmt: skip
