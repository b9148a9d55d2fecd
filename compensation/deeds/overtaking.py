"""Endings that wait for a second person although their item is over, or was tried again since: they are overtaken."""

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from compensation.models import Ending, Plan, WorkItem
from compensation.states import ITEM_OVER, OVERTAKEN, PROPOSED
from compensation.writing import changed, write
from console import clock
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from console.ledger.moves import move
from runs.models import Attempt, Run
from runs.states import ACTS


def overtake_due(by: Actor, limit: int) -> int:
    """Mark endings that were overtaken, within the caller's transaction; gives how many. What others hold waits for the next pass."""
    return _overtake(by, _outdated().order_by("proposed_at")[:limit], wait=False)


@move("overtake ending")
def overtake_one(by: Actor, ending_id: UUID) -> None:
    """Mark one ending that was overtaken; the refused move took that back with itself."""
    _overtake(by, _outdated().filter(pk=ending_id, tenant_id=by.tenant), wait=True)


def _outdated() -> "QuerySet[Ending]":
    acted = Attempt.objects.filter(
        effect_id=OuterRef("item__acting_id"), kind__in=ACTS, started_at__gt=OuterRef("proposed_at")
    )
    return Ending.objects.filter(Q(item__state__in=sorted(ITEM_OVER)) | Exists(acted), state=PROPOSED)


def _overtake(by: Actor, due: "QuerySet[Ending]", *, wait: bool) -> int:
    found = list(due.values_list("pk", "item__run_id", "plan_id", "item_id"))
    if not found:
        return 0
    runs = Run.objects.filter(pk__in=[run for _, run, _, _ in found]).order_by("pk")
    held = {run.pk for run in runs.select_for_update(no_key=True, skip_locked=not wait)}
    mine = [each for each in found if each[1] in held]
    plans = Plan.objects.filter(pk__in=[plan for _, _, plan, _ in mine]).order_by("pk")
    items = WorkItem.objects.filter(pk__in=[item for *_, item in mine]).order_by("pk")
    list(plans.select_for_update(no_key=True)), list(items.select_for_update(no_key=True))
    again = _outdated().filter(pk__in=[ending for ending, *_ in mine]).order_by("pk")
    return _marked(by, list(again.select_for_update(of=("self",))), clock.now())


def _marked(by: Actor, endings: list[Ending], now: datetime) -> int:
    write(by, [changed(each, "ending.overtaken", state=OVERTAKEN, decided_at=now) for each in endings], now)
    if endings:
        ring_after_commit(*[each.item_id for each in endings], work=False)
    return len(endings)
