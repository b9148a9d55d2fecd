"""What was accepted, cannot be asked about, and was not told of in its time: unknown from then on (R-F6)."""

from datetime import datetime
from typing import Final, cast
from uuid import UUID

from console import clock
from console.clock import DatabaseNow
from console.exact import Object
from console.ledger.actors import Actor
from runs import catalogue, record
from runs.finding_out import finding_out
from runs.models import Effect, Run
from runs.states import ACCEPTED, OVERDUE, UNKNOWN

WHY: Final = "It was accepted, and no message about it came in the time it was given."


def become_unknown(by: Actor, limit: int) -> int:
    """Make it unknown, whatever its run has come to; what somebody else holds waits for the next pass. Within the caller's transaction."""
    due = Effect.objects.filter(state=ACCEPTED, next_step=OVERDUE, next_attempt_at__lte=DatabaseNow())
    found = dict(due.order_by("next_attempt_at").values_list("pk", "run_id")[:limit])
    if not found:
        return 0
    runs = (
        Run.objects.filter(pk__in=set(found.values())).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    )
    held = due.filter(pk__in=found, run_id__in=[run.pk for run in runs]).order_by("pk")
    effects = list(held.select_for_update(no_key=True, of=("self",)))
    if effects:
        _turned(by, effects, clock.now())
    return len(effects)


def _turned(by: Actor, effects: list[Effect], now: datetime) -> None:
    documents = catalogue.operations_by_id({effect.operation_id for effect in effects})
    entries: list[tuple[UUID, str, Object]] = []
    for effect in effects:
        step = finding_out(documents[effect.operation_id].document).first_step
        effect.state, effect.state_reason, effect.unknown_since = UNKNOWN, WHY, now
        effect.next_step, effect.next_attempt_at = step, now if step else None
        effect.alerts, effect.escalated_at, effect.objective_at, effect.next_alert_at = 0, None, None, now
        effect.owner_group = ""
        entries.append(
            (effect.run_id, "effect.overdue", cast("Object", {"effect": str(effect.pk), "to": UNKNOWN, "reason": WHY}))
        )
    changed = (
        "state",
        "state_reason",
        "unknown_since",
        "next_step",
        "next_attempt_at",
        "alerts",
        "escalated_at",
        "objective_at",
        "next_alert_at",
        "owner_group",
    )
    Effect.objects.bulk_update(effects, changed, batch_size=100)
    record.write(entries, by, now)
