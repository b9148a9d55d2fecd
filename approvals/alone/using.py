"""Using an approval: judged again at that moment, once, before the agent does it. What it gets is the permit."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals.alone.own import held, standing
from approvals.models import Request
from approvals.states import APPROVED, CONSUMED, EXPIRED, PENDING
from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import decode
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once

JUDGE = "select verdict from approvals_judge_use(array[%s]::uuid[], array[%s]::bytea[], %s)"
CONSUME = "select approvals_consume(array[%s]::uuid[], %s, %s)"
LAPSE = "select approvals_lapse(array[%s]::uuid[], array[%s], %s, %s)"
PERMITTED, LOST = "permitted", "quorum_lost"


class NotDecidedYet(Refusal):
    """Nobody has decided this yet; wait for it."""

    code = "not_decided_yet"
    recorded = False


class NotCovered(Refusal):
    """The permission for this does not hold: `verdict` says why. It must not be done."""

    code = "not_covered"


class AlreadyUsed(Refusal):
    """This was used before. An approval is used once; what came of it is reported, and another one is asked anew."""

    code = "already_used"


class FinishPassed(Refusal):
    """The time in which this had to be finished is over; say what became of it."""

    code = "finish_passed"


def _nothing_stops(request: Request) -> None:
    """Let it be begun."""


def consume(
    by: Actor, request_id: UUID, *, digest: str, key: str, unless: Callable[[Request], None] = _nothing_stops
) -> dict[str, Any]:
    """Use an approval for exactly what it binds, and give the permit; the same key gives the same permit while it holds.

    Raises NotFound, NotAlone, NotDecidedYet, NotCovered, AlreadyUsed, FinishPassed, and what `unless` raises, which is asked what stops the
    held request. An approval whose approvers may approve no more ends with that."""
    try:
        return _consume(by, request_id, digest, key, unless)
    except NotCovered as refusal:
        if refusal.facts["verdict"] == LOST:
            _lapse(by, request_id)
        raise


@move("consume")
def _consume(by: Actor, request_id: UUID, digest: str, key: str, unless: Callable[[Request], None]) -> dict[str, Any]:
    asked = {"request": str(request_id), "digest": digest}
    permit = once(by, key, "consume", asked, lambda: _consumed(by, request_id, digest, unless), about=request_id)
    return _as_it_stands(held(by, request_id), digest, permit, unless) if permit.get("replayed") else permit


def _consumed(by: Actor, request_id: UUID, digest: str, unless: Callable[[Request], None]) -> dict[str, Any]:
    request, now = held(by, request_id), clock.now()
    if request.state == PENDING and now >= request.decide_by:
        raise NotCovered(verdict=EXPIRED, reason=None, **standing(request))  # whether the clock has come by or not
    if request.state == PENDING:
        raise NotDecidedYet(decide_by=instant(request.decide_by), **standing(request))
    if request.state == CONSUMED:
        raise AlreadyUsed(
            consumed_at=instant(request.consumed_at), outcome=request.outcome or None, **standing(request)
        )
    _check(request, digest, unless, now)
    rows(CONSUME, [request.pk, str(by), now])
    used = Request.objects.get(pk=request.pk)
    ring_after_commit(request.pk, work=False)
    return {
        "receipt": "consumed", "approval": str(used.pk), "operation": used.operation, "target": used.target,
        "arguments": decode(used.arguments), "narrowing": decode(used.narrowing) if used.narrowing else None,
        "digest": used.subject_digest.hex(), "consumed_at": instant(used.consumed_at), "finish_by": instant(used.finish_by),
        "finish_then": used.finish_then or None,
    }  # fmt: skip


def _as_it_stands(
    request: Request, digest: str, permit: dict[str, Any], unless: Callable[[Request], None]
) -> dict[str, Any]:
    """Give a permit again only while it holds: one sent again after a revocation would be taken for leave (at use, judged again)."""
    now = clock.now()
    if request.outcome:
        raise AlreadyUsed(consumed_at=instant(request.consumed_at), outcome=request.outcome, **standing(request))
    if request.finish_by is not None and request.finish_by <= now:
        raise FinishPassed(finish_by=instant(request.finish_by), **standing(request))
    _check(request, digest, unless, now)
    return permit


def _check(request: Request, digest: str, unless: Callable[[Request], None], now: datetime) -> None:
    """Judge the permission as a worker's claim does. Raises NotCovered, and what stops it."""
    verdict = rows(JUDGE, [request.pk, _bytes(digest), now])[0]["verdict"]
    if verdict != PERMITTED:
        raise NotCovered(verdict=verdict, reason=request.closing_reason or None, **standing(request))
    unless(request)


@move("lapse alone")
def _lapse(by: Actor, request_id: UUID) -> None:
    """End an approval whose quorum is lost, as the claim of a worker does; the refused move took that back with itself."""
    request, now = held(by, request_id), clock.now()
    if request.state == APPROVED:
        verdict = rows(JUDGE, [request.pk, bytes(request.subject_digest), now])[0]["verdict"]
        if verdict == LOST:
            rows(LAPSE, [request.pk, LOST, str(by), now])
            ring_after_commit(request.pk, work=False)


def _bytes(digest: str) -> bytes:
    """Give the digest that the agent means; what is none is nobody's."""
    try:
        return bytes.fromhex(digest)
    except ValueError:
        return b""
