"""Plans, and everything that is made good for in one run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.db.models import QuerySet

from compensation import models
from compensation.lists import listed
from compensation.models import WorkItem
from compensation.queries import seen
from compensation.queries.seen import RELATED, Item
from compensation.states import DROPPED, PROPOSED, WAIVED
from console.identity.models import Member
from runs.history import actor_names, process_name
from runs.models import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRun:
    """Where a run stands with its compensation: '', due, open or over; its plans in order, each with its items; and what remains."""

    run: Run
    compensation: str
    plans: tuple[seen.Plan, ...]
    residue: tuple[str, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """All work items of the run, in order."""
        return tuple(sorted((item for plan in self.plans for item in plan.items), key=lambda each: each.number))

    @property
    def counted(self) -> tuple[Item, ...]:
        """The items that something was to be done about: those that were dropped made good for nothing."""
        return tuple(item for item in self.items if item.state != DROPPED)

    @property
    def over(self) -> int:
        """How many of those are over."""
        return sum(not item.is_open for item in self.counted)

    @property
    def unresolved(self) -> tuple[Item, ...]:
        """What is not made good for: still open, or waived."""
        return tuple(item for item in self.items if item.is_open or item.state == WAIVED)

    @property
    def to_approve(self) -> tuple[seen.Plan, ...]:
        """The plans that nobody has approved or declined yet."""
        return tuple(plan for plan in self.plans if plan.state == PROPOSED)


def plan(tenant_id: UUID, plan_id: UUID) -> seen.Plan | None:
    """Give one plan with its work items in order."""
    found = _plans().filter(tenant_id=tenant_id, pk=plan_id).first()
    if found is None:
        return None
    items = WorkItem.objects.filter(plan=found).select_related(*RELATED).order_by("number")
    by = names(tenant_id, [found.asked_by])
    return seen.plan(found, name_of(by, found.asked_by), [seen.item(each) for each in items])


def of_run(tenant_id: UUID, run_id: UUID) -> OfRun | None:
    """Give everything that is made good for in a run; None where there is no such run."""
    run = Run.objects.filter(tenant_id=tenant_id, pk=run_id).select_related("agent", "run_type").first()
    if run is None:
        return None
    items = WorkItem.objects.filter(run=run).select_related(*RELATED).order_by("plan_id", "number")
    of_plan = {key: [seen.item(each) for each in found] for key, found in groupby(items, lambda each: each.plan_id)}
    found = list(_plans().filter(run=run).order_by("number"))
    by = names(tenant_id, [each.asked_by for each in found])
    shown = [seen.plan(each, name_of(by, each.asked_by), of_plan.get(each.pk, ())) for each in found]
    return OfRun(run=run, compensation=run.compensation, plans=tuple(shown), residue=listed(run.residue))


def to_approve(member: Member, limit: int) -> list[seen.Plan]:
    """Give the plans that wait for somebody's approval, the oldest first, without their items."""
    found = list(_plans().filter(tenant_id=member.tenant_id, state=PROPOSED).order_by("asked_at", "id")[:limit])
    by = names(member.tenant_id, [each.asked_by for each in found])
    return [seen.plan(each, name_of(by, each.asked_by)) for each in found]


def names(tenant_id: UUID, actors: Iterable[str]) -> dict[str, str]:
    """Name the agents and members among these actors; nothing is asked where there are none."""
    asked = {actor for actor in actors if actor}
    return actor_names(tenant_id, asked) if asked else {}


def name_of(names: Mapping[str, str], actor: str) -> str:
    """Name an actor: an agent, a member, or one of our own processes."""
    return names.get(actor, process_name(actor))


def _plans() -> "QuerySet[models.Plan]":
    return models.Plan.objects.select_related("run", "decided_by__user")
