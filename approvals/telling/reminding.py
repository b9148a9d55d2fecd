"""Reminders at half and at nine tenths of the time to decide, each once, however many clocks there are; of both passed unseen, the last."""

from datetime import datetime
from typing import Final

from approvals.models import Request
from approvals.states import PENDING
from approvals.telling import requests as telling
from approvals.telling.marks import MARKS, next_at
from console import clock
from console.clock import DatabaseNow

MOST: Final = 200  # posting takes some statements for each tenant, and requests are held meanwhile


def remind_due(limit: int) -> int:
    """Remind of what is still to be decided and has come to a mark; what was decided has none any more. Within the caller's transaction.

    Who holds a request is about to change it, so that it waits for the next pass."""
    due = Request.objects.filter(remind_at__lte=DatabaseNow())
    ids = list(due.order_by("remind_at").values_list("pk", flat=True)[: min(limit, MOST)])
    held = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True))
    if not held:
        return 0
    now = clock.now()
    told: dict[str, list[Request]] = {name: [] for _, name in MARKS}
    for request in held:
        standing = request.state == PENDING and now < request.decide_by
        if standing and (mark := _passed(request, now)) is not None:
            told[MARKS[mark][1]].append(request)
            request.reminders = mark + 1
        request.remind_at = next_at(request.created_at, request.decide_by, request.reminders) if standing else None
    Request.objects.bulk_update(held, ["remind_at", "reminders"], batch_size=100)
    for name, requests in told.items():
        telling.reminded(requests, name)
    return sum(len(requests) for requests in told.values())


def _passed(request: Request, now: datetime) -> int | None:
    """Give the last mark that was passed and not told of."""
    passed = [
        place
        for place in range(request.reminders, len(MARKS))
        if (at := next_at(request.created_at, request.decide_by, place)) is not None and at <= now
    ]
    return passed[-1] if passed else None
