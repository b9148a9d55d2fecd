"""Plans, one with its work items and those that wait for somebody; and the names of whoever asked for them."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet

from compensation import models
from compensation.models import WorkItem
from compensation.queries import seen
from compensation.queries.seen import RELATED, Item
from compensation.states import PROPOSED
from console.identity.models import Member
from runs.history import actor_names, process_name


def plan(tenant_id: UUID, plan_id: UUID) -> seen.Plan | None:
    """Give one plan with its work items in order."""
    found = stored().filter(tenant_id=tenant_id, pk=plan_id).first()
    if found is None:
        return None
    items = WorkItem.objects.filter(plan=found).select_related(*RELATED).order_by("number")
    return shown(tenant_id, [found], {found.pk: [seen.item(each) for each in items]})[0]


def to_approve(member: Member, limit: int) -> list[seen.Plan]:
    """Give the plans that wait for somebody's approval, the oldest first, without their items."""
    found = stored().filter(tenant_id=member.tenant_id, state=PROPOSED).order_by("asked_at", "id")
    return shown(member.tenant_id, found[:limit])


def shown(
    tenant_id: UUID, found: Iterable[models.Plan], items: Mapping[UUID, Sequence[Item]] | None = None
) -> list[seen.Plan]:
    """Show plans with who asked for them; `items` are those of each, by its id, where they are shown too."""
    plans, of_each = list(found), items or {}
    by = names(tenant_id, [each.asked_by for each in plans])
    return [seen.plan(each, name_of(by, each.asked_by), of_each.get(each.pk, ())) for each in plans]


def names(tenant_id: UUID, actors: Iterable[str]) -> dict[str, str]:
    """Name the agents and members among these actors; nothing is asked where there are none."""
    asked = {actor for actor in actors if actor}
    return actor_names(tenant_id, asked) if asked else {}


def name_of(names: Mapping[str, str], actor: str) -> str:
    """Name an actor: an agent, a member, or one of our own processes."""
    return names.get(actor, process_name(actor))


def stored() -> "QuerySet[models.Plan]":
    """Give the plans that are there, each with its run and whoever decided it."""
    return models.Plan.objects.select_related("run", "decided_by__user")
