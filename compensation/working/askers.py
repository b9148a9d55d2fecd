"""Who had asked what people decide about making good for something: who asked for the plan, or had it tried again (APR-07)."""

from collections.abc import Collection
from uuid import UUID

from compensation.alerts.alarms import needs_somebody
from compensation.models import WorkItem
from compensation.states import DROPPED
from console.ledger.actors import Actor


def askers(by: Actor, originals: Collection[UUID]) -> dict[UUID, UUID]:
    """Give the member, by the effect that is made good for; none where a contract or an agent had it planned."""
    items = WorkItem.objects.filter(effect__in=list(originals)).exclude(state=DROPPED).select_related("plan")
    found = ((item.effect_id, _asker(by, item)) for item in items)
    return {effect: member for effect, member in found if effect is not None and member is not None}


def _asker(by: Actor, item: WorkItem) -> UUID | None:
    if by.kind == "member" and needs_somebody(
        item
    ):  # it was tried in vain, or stopped, and this person has it done again
        return by.principal
    kind, _, name = item.plan.asked_by.partition(":")
    return UUID(name) if kind == "member" else None
