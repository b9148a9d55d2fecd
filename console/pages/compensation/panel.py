"""Compensation on a run's page: how far it has come, what stands open, what remains; and what can be begun from there."""

from typing import Any

from compensation.deeds.standing import operates
from compensation.queries import plans
from compensation.queries.plans import OfRun
from console.pages.compensation import rows
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.models import Effect, Run
from runs.states import PARTIAL, SUCCEEDED, UNKNOWN

SHOWN = 50


def of_run(request: MemberRequest, run: Run) -> Panel | None:
    """Tell what is made good for in a run, or offer it; where nothing happened there is nothing to tell."""
    found = plans.of_run(run.tenant_id, run.pk) if run.compensation else None
    may = operates(request.member) and run.erased_at is None
    if found is None and not (may and _something_happened(run)):
        return None
    says: dict[str, Any] = {"run": run, "may": may, "found": found}
    if found is None:
        return Panel(
            "compensation", "Making good for it", "runs/compensation.html", says, icon="mend", only_a_move=True
        )
    listed = rows.rows(request.member, found.items[:SHOWN], request.now)
    says |= {"rows": listed, "more": len(found.items) - len(listed), "total": len(found.counted)}
    return Panel(
        "compensation", "Compensation", "runs/compensation.html", says, icon="mend", tone=_tone(found), count=len(found.counted),
        urgent=_is_urgent(found),
    )  # fmt: skip


def _is_urgent(found: OfRun) -> bool:
    return bool(found.to_approve) or any(rows.needs_somebody(item) for item in found.items)


def _tone(found: OfRun) -> str:
    return "wait" if _is_urgent(found) else "mends"


def _something_happened(run: Run) -> bool:
    return Effect.objects.filter(run=run, state__in=[SUCCEEDED, PARTIAL, UNKNOWN]).exists()
