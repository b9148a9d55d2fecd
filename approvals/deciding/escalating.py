"""Asking others too: by a person, or when the time that the policy says has gone by. They are asked; nothing is decided by that."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import record, telling
from approvals.deciding.holding import held
from approvals.deciding.refusals import NotEscalatable
from approvals.deciding.standing import check_open, check_standing, how
from approvals.models import Request
from approvals.policies import asked
from approvals.policy_asks import panels_written
from approvals.seats import panels
from approvals.states import PENDING
from console import clock
from console.clock import DatabaseNow, instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.reasons import given
from console.ledger.actors import Actor
from console.ledger.moves import move, once

BY_TIME = "Nobody has decided in the time that the policy gives before it asks others too."


@move("escalate")
def escalate(by: Actor, request_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Ask at once those whom the policy names for later, as somebody who may decide or administers.

    Raises NotFound, ReasonMissing, ReasonTooLong, NotEscalatable, what forbids a decision, and what has become of the request."""
    why = given(reason)
    request = {"request": str(request_id), "reason": reason}
    return once(by, key, "escalate", request, lambda: _escalate(by, request_id, why), about=request_id)


def escalate_due(by: Actor, limit: int) -> int:
    """Ask others too about what nobody decided in time, and give how many requests were looked at. Within the caller's transaction."""
    due = Request.objects.filter(escalate_at__lte=DatabaseNow())
    ids = list(due.order_by("escalate_at").values_list("pk", flat=True)[:limit])
    locked = due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    found = list(locked)
    now = clock.now()
    for request in found:
        groups = others(request) if request.state == PENDING and now < request.decide_by else ()
        if groups:
            _ask_too(by, request, groups, BY_TIME, now)
    Request.objects.filter(pk__in=[request.pk for request in found]).update(escalate_at=None)
    return len(found)


def others(request: Request) -> tuple[str, ...]:
    """Name the groups that the policy would ask too and that are not asked by every panel yet."""
    ask = asked(request)
    if ask is None or ask.escalate is None or request.escalated_at is not None:
        return ()
    return ask.escalate.to


def _escalate(by: Actor, request_id: UUID, reason: str) -> dict[str, Any]:
    request = held(request_id)
    now = clock.now()
    if by.kind != "member" or "admin" not in by.roles or by.id in request.apart:
        check_standing(by, request, None, now)
    check_open(request, now)
    groups = others(request)
    if not groups:
        raise NotEscalatable(escalated_at=instant(request.escalated_at), **how(request))
    _ask_too(by, request, groups, reason, now)
    return {
        "receipt": "escalated", "request": str(request.pk), "state": request.state, "to": list(groups), "groups": request.groups,
        "at": instant(now),
    }  # fmt: skip


def _ask_too(by: Actor, request: Request, to: Sequence[str], reason: str, now: datetime) -> None:
    """Let the members of these groups speak for every panel of a locked request."""
    if request.panels:
        asked_now = [replace(panel, groups=_with(panel.groups, to)) for panel in panels(request)]
        request.panels = panels_written(asked_now)
    request.groups, request.escalated_at, request.escalate_at = list(_with(request.groups, to)), now, None
    Request.objects.filter(pk=request.pk).update(
        groups=request.groups, panels=request.panels, escalated_at=now, escalate_at=None
    )
    facts: Object = {"to": list(to), "groups": request.groups, "panels": request.panels, "reason": reason}
    record.write([(request.pk, "request.escalated", facts)], by, now)
    telling.escalated(request, to, reason, by if by.kind == "member" else None)
    ring_after_commit(request.pk, request.subject)


def _with(groups: Sequence[str], to: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*groups, *to]))
