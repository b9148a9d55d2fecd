"""Compensation on a run's page: how far it has come, what stands open, what remains; and what can be begun from there."""

from typing import Any

from compensation.deeds.standing import operates
from compensation.queries import of_run as queries
from console.pages import address
from console.pages.address import query
from console.pages.compensation import rows
from console.pages.panel import ITEMS, Panel
from console.pages.room import MemberRequest
from runs.models import Effect, Run
from runs.states import PARTIAL, SUCCEEDED, UNDONE, UNKNOWN

SHOWN = 50
PLANS_SHOWN = 20


def of_run(request: MemberRequest, run: Run) -> Panel | None:
    """Tell what is made good for in a run, or offer it; where nothing happened there is nothing to tell."""
    after = address.whole_number(request, ITEMS)
    found = queries.of_run(run.tenant_id, run.pk, after=after, limit=SHOWN) if run.compensation else None
    may = operates(request.member) and run.erased_at is None
    if found is None and not (may and _something_happened(run)):
        return None
    says: dict[str, Any] = {"run": run, "may": may, "found": found}
    if found is None:
        return Panel(
            "compensation", "Making good for it", "runs/compensation.html", says, icon="mend", only_a_move=True
        )
    waiting = queries.to_approve(run.tenant_id, run.pk, PLANS_SHOWN)
    says |= {
        "rows": rows.rows(request.member, found.items, request.now), "from_beginning": after > 0,
        "more": query(**{ITEMS: found.after}) if found.after else "", "to_approve": waiting,
        "unresolved": queries.unresolved(run.pk, SHOWN) if run.compensation == UNDONE and found.tally.unresolved else [],
    }  # fmt: skip
    urgent = bool(waiting or found.tally.needing)
    return Panel(
        "compensation", "Compensation", "runs/compensation.html", says, icon="mend", tone="wait" if urgent else "mends",
        count=found.tally.total, urgent=urgent,
    )  # fmt: skip


def _something_happened(run: Run) -> bool:
    return Effect.objects.filter(run=run, state__in=[SUCCEEDED, PARTIAL, UNKNOWN]).exists()
