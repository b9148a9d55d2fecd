"""Erasing what requests asked and what was said to them. What remains: who asked whom, when, by which policy, and the verdicts."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from approvals import record
from approvals.models import BreakGlass, Decision, Request
from console.database import rows
from console.exact import Value
from console.ledger import erasing
from console.ledger.actors import Actor
from console.ledger.erasing import ERASED, NOTHING
from console.notices import erasing as notices


def erase(by: Actor, requests: Sequence[Request], reason: str, now: datetime) -> int:
    """Erase closed requests that the caller has locked; gives how many payloads went."""
    if not requests:
        return 0
    ids = [request.pk for request in requests]
    Request.objects.filter(pk__in=ids).update(
        summary=ERASED,
        target=ERASED,
        arguments=NOTHING,
        shown=NOTHING,
        reason="",
        closing_reason="",
        outcome_detail="",
        narrowing="",
        erased_at=now,
        target_version="",
        target_state="",
        read_fault="",
    )
    notices.erase_about(by.tenant, ids)
    BreakGlass.objects.filter(request__in=ids).update(target=ERASED, reason="", review="")
    rows("select approvals_erase_reasons(%s::uuid[])", [ids])
    decisions: dict[UUID, dict[str, Value]] = defaultdict(dict)
    for decision in Decision.objects.filter(request__in=ids).order_by("at", "pk"):
        decisions[decision.request_id][str(decision.pk)] = erasing.remains(decision)
    glasses: dict[UUID, dict[str, Value]] = defaultdict(dict)
    for glass in BreakGlass.objects.filter(request__in=ids).order_by("pk"):
        glasses[glass.request_id][str(glass.pk)] = erasing.remains(glass)
    left = list(Request.objects.filter(pk__in=ids).order_by("pk"))
    entries: list[tuple[UUID, str, dict[str, Value]]] = [
        (
            one.pk,
            "request.erased",
            {
                "reason": reason,
                "remains": erasing.remains(one),
                "decisions": decisions[one.pk],
                "glasses": glasses[one.pk],
            },
        )
        for one in left
    ]
    record.write(entries, by, now)
    return erasing.erase(by.tenant, [(one.stream(), one.ledger_seq + 1) for one in left], now)
