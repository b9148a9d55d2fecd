"""Findings that wait for a second person although their effect was settled by something else, or done again: they are overtaken."""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from console import clock
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.ledger.actors import Actor
from console.ledger.moves import move
from runs import record
from runs.models import Attempt, Resolution
from runs.states import (
    ACTS,
    OVERTAKEN,
    PARTIAL,
    RESOLUTION_PROPOSED,
    UNKNOWN,
)

START: Final = UUID(int=0)
LOOKED_AT: Final = 20  # of the findings that wait, in one pass of the clock


def overtake(by: Actor, limit: int) -> int:
    """Mark findings whose effect was settled by something else, or done again, within the caller's transaction; gives how many.

    Each time it looks at so many of those that wait, and the next time at the next ones: a pass is no longer for many that wait."""
    due = _outdated().filter(pk__in=_round.next(min(limit, LOOKED_AT)))
    ids = list(due.order_by("proposed_at").values_list("pk", "run_id"))
    if not ids:
        return 0
    run_ids = _locked_runs([run_id for _, run_id in ids])
    found = due.filter(pk__in=[pk for pk, _ in ids], run_id__in=run_ids).order_by("pk")
    return _overtaken(by, list(found.select_for_update(of=("self",))), clock.now())


class _Round:
    """Where this process stands in its round over the findings that wait, in the order of their effects."""

    def __init__(self) -> None:
        self.after = START

    def next(self, limit: int) -> list[UUID]:
        """Give the next findings that wait; at the end of them the round begins anew."""
        waiting = Resolution.objects.filter(state=RESOLUTION_PROPOSED, effect_id__gt=self.after).order_by("effect_id")
        found = list(waiting.values_list("pk", "effect_id")[:limit])
        self.after = found[-1][1] if len(found) == limit else START
        return [pk for pk, _ in found]


_round = _Round()


def _outdated() -> "QuerySet[Resolution]":
    """Give the findings that wait although their effect is settled, or was acted on since they were made."""
    acted = Attempt.objects.filter(
        effect_id=OuterRef("effect_id"), kind__in=ACTS, started_at__gt=OuterRef("proposed_at")
    )
    unconfirmed = Q(effect__state=UNKNOWN) | Q(effect__state=PARTIAL, effect__reconciled_at=None)
    return Resolution.objects.filter(~unconfirmed | Exists(acted), state=RESOLUTION_PROPOSED)


@move("overtake finding")
def overtake_one(by: Actor, resolution_id: UUID) -> None:
    """Mark one finding whose effect was settled by something else; the refused move took that back with itself."""
    of_runs = Resolution.objects.filter(pk=resolution_id, tenant_id=by.tenant).values_list("run_id", flat=True)
    _locked_runs(list(of_runs), wait=True)
    found = _outdated().filter(pk=resolution_id).select_for_update(of=("self",))
    _overtaken(by, list(found), clock.now())


def _locked_runs(run_ids: list[UUID], *, wait: bool = False) -> list[UUID]:
    waiting = "" if wait else " skip locked"
    sql = f"select id from runs_run where id = any (%s::uuid[]) order by id for no key update{waiting}"  # noqa: S608 - constants
    return [row["id"] for row in rows(sql, [list(set(run_ids))])]


def _overtaken(by: Actor, found: list[Resolution], now: datetime) -> int:
    if not found:
        return 0
    Resolution.objects.filter(pk__in=[each.pk for each in found]).update(state=OVERTAKEN, decided_at=now)
    record.write([(each.run_id, "resolution.overtaken", word(each)) for each in found], by, now)
    ring_after_commit(*[each.effect_id for each in found], work=False)
    return len(found)


def word(resolution: Resolution) -> Object:
    """Tell how a finding was decided, by whom and why."""
    return {
        "resolution": str(resolution.pk), "effect": str(resolution.effect_id), "exit": resolution.exit, "then": resolution.then,
        "by": str(resolution.decided_by_id) if resolution.decided_by_id else None, "reason": resolution.decided_reason,
    }  # fmt: skip
