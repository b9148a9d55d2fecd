"""The end of a broken glass: by its time, or closed by hand. What was released and not begun by then is not begun any more."""

from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import closing, record, telling
from approvals.breaking.refusals import NotYoursToClose
from approvals.deciding.holding import held
from approvals.models import BreakGlass, Request
from console import clock
from console.clock import DatabaseNow, instant
from console.exact import Value
from console.http.refusals import NotFound
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once

CLOSED = "the glass was closed before it was used"


@move("close glass")
def close(by: Actor, glass_id: UUID, *, key: str) -> dict[str, Any]:
    """End it now, as whoever broke it, an approver or an administrator. Raises NotFound, NotYoursToClose."""

    def act() -> dict[str, Any]:
        request, glass = hold(glass_id)
        now = clock.now()
        if not may_close(by, glass):
            raise NotYoursToClose
        receipt = {"glass": str(glass.pk), "request": str(request.pk), "at": instant(now)}
        if glass.ended_at is not None:
            return {"receipt": "unchanged", **receipt}
        end(by, request, glass, now)
        closing.lapse(by, [request.pk], CLOSED, now)
        return {"receipt": "glass_closed", **receipt}

    return once(by, key, "close glass", {"glass": str(glass_id)}, act)


def may_close(by: Actor, glass: BreakGlass) -> bool:
    """Tell whether somebody may end it, as they stand now."""
    if by.kind != "member":
        return False
    members = Member.objects.filter(pk=by.principal, tenant_id=glass.tenant_id, active=True)
    return members.exists() and (
        by.id == glass.member_id or members.filter(roles__overlap=["approver", "admin"]).exists()
    )


def end_due(by: Actor, limit: int) -> int:
    """End those whose time is over, within the caller's transaction; what somebody holds waits for the next pass."""
    due = BreakGlass.objects.filter(ended_at=None, ends_at__lte=DatabaseNow()).order_by("ends_at")
    found = dict(due.values_list("request_id", "pk")[:limit])
    locked = Request.objects.filter(pk__in=found).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    requests = {request.pk: request for request in locked}
    now = clock.now()
    glasses = list(BreakGlass.objects.filter(pk__in=[found[each] for each in requests], ended_at=None).order_by("pk"))
    for glass in glasses:
        end(by, requests[glass.request_id], glass, now)
    return len(glasses)


def hold(glass_id: UUID) -> tuple[Request, BreakGlass]:
    """Lock a glass by its request, and give both. Raises NotFound."""
    found = BreakGlass.objects.filter(pk=glass_id).values_list("request_id", flat=True).first()
    if found is None:
        raise NotFound
    request = held(found)
    return request, BreakGlass.objects.get(pk=glass_id)


def end(by: Actor, request: Request, glass: BreakGlass, now: datetime) -> None:
    """Write that it is over; the request is locked."""
    glass.ended_at = min(glass.ends_at, now)
    glass.save(update_fields=["ended_at"])
    facts: dict[str, Value] = {"glass": str(glass.pk), "ended_at": instant(glass.ended_at)}
    record.write([(request.pk, "request.glass_ended", facts)], by, now)
    telling.glass_ended(glass, request)
