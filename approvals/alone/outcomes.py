"""What became of what an agent did by itself: reported once, and unknown until somebody knows."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from approvals import record
from approvals.alone.own import held, standing
from approvals.models import Request
from console import clock
from console.clock import DatabaseNow, instant
from console.doorbell import ring_after_commit
from console.http.refusals import InvalidContent, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once

SUCCEEDED, FAILED, PARTIAL, UNKNOWN = "succeeded", "failed", "partial", "unknown"
OUTCOMES: Final = (SUCCEEDED, FAILED, PARTIAL, UNKNOWN)
LONGEST_DETAIL: Final = 4000
NOT_REPORTED: Final = "nothing was reported in time"


class NotUsed(Refusal):
    """This was not used, so nothing came of it."""

    code = "not_used"
    recorded = False


class OutcomeStands(Refusal):
    """What became of this was reported already; only what is unknown can become known."""

    code = "outcome_stands"


class HowIsItKnown(InvalidContent):
    """Say how it is known: what failed, what was done of it, or what shows what became of something unknown."""

    code = "detail_missing"


class DetailTooLong(InvalidContent):
    """A detail has at most 4,000 characters."""

    code = "too_long"


@move("report outcome")
def report(by: Actor, request_id: UUID, *, outcome: str, detail: str, key: str) -> dict[str, Any]:
    """Say what became of it. Raises NotFound, NotAlone, NotUsed, OutcomeStands, HowIsItKnown, DetailTooLong."""
    detail = detail.strip()
    if len(detail) > LONGEST_DETAIL:
        raise DetailTooLong(path="/detail")

    def act() -> dict[str, Any]:
        request, now = held(by, request_id), clock.now()
        _check(request, outcome, detail)
        _write(by, [request], outcome, detail, now)
        return {"receipt": "reported", "approval": str(request.pk), "outcome": outcome, "at": instant(now)}

    asked = {"request": str(request_id), "outcome": outcome, "detail": detail}
    return once(by, key, "report outcome", asked, act, about=request_id)


def _check(request: Request, outcome: str, detail: str) -> None:
    if request.consumed_at is None:
        raise NotUsed(**standing(request))
    if request.outcome not in {"", UNKNOWN} or request.outcome == outcome:
        raise OutcomeStands(outcome=request.outcome, at=instant(request.outcome_at), **standing(request))
    if not detail and (request.outcome == UNKNOWN or outcome in {FAILED, PARTIAL}):
        raise HowIsItKnown(path="/detail")


def become_unknown(by: Actor, limit: int) -> int:
    """Say of what was used, and not reported in its time, that nobody knows; within the caller's transaction."""
    due = Request.objects.filter(alone=True, outcome="", finish_by__lte=DatabaseNow())
    ids = list(due.order_by("finish_by").values_list("pk", flat=True)[:limit])
    held_ones = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True))
    if held_ones:
        _write(by, held_ones, UNKNOWN, NOT_REPORTED, clock.now())
    return len(held_ones)


def _write(by: Actor, requests: list[Request], outcome: str, detail: str, now: datetime) -> None:
    ids = [request.pk for request in requests]
    Request.objects.filter(pk__in=ids).update(outcome=outcome, outcome_detail=detail, outcome_at=now)
    record.write([(pk, "request.outcome", {"outcome": outcome, "detail": detail}) for pk in ids], by, now)
    ring_after_commit(*ids, work=False)
