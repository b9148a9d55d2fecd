"""One work item with its chain: what was meant, what came of it, how it is made good for, and what remains."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q

from approvals.models import Decision
from compensation.models import Ending, EvidenceFile, WorkItem
from compensation.plans.order import FEW
from compensation.queries import plans, seen
from compensation.queries.seen import RELATED, Item
from compensation.states import DROPPED, PROPOSED
from runs.models import Attempt, Effect, Resolution, Run
from runs.unknowns.queue import resolutions


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """An item from the original intent to what remains.

    `original` and `tries` are effects with run, operation, request, decisions and attempts, as an effect's page reads them; `found` is what
    people found of the original; `before` must be over first, and `behind` waits for this one; `names` are those of people in the
    checklist, by their ids. Of many that wait for this one, `behind` has the first few of `behind_count`."""

    item: Item
    plan: seen.Plan
    run: Run
    original: Effect | None
    found: tuple[Resolution, ...]
    tries: tuple[Effect, ...]
    before: tuple[Item, ...]
    behind: tuple[Item, ...]
    behind_count: int
    endings: tuple[seen.Ending, ...]
    files: tuple[seen.File, ...]
    names: dict[str, str]

    @property
    def waiting(self) -> seen.Ending | None:
        """The ending that waits for a second person, if there is one."""
        return next((each for each in self.endings if each.waits), None)

    @property
    def run_ended_at(self) -> datetime | None:
        """When the run ended, if it did."""
        return self.run.ended_at


def one(tenant_id: UUID, item_id: UUID) -> Item | None:
    """Give one work item by itself."""
    row = WorkItem.objects.select_related(*RELATED).filter(tenant_id=tenant_id, pk=item_id).first()
    return None if row is None else seen.item(row)


def item(tenant_id: UUID, item_id: UUID) -> Chain | None:
    """Give one work item with its chain."""
    row = (
        WorkItem.objects.select_related(*RELATED, "plan__decided_by__user")
        .filter(tenant_id=tenant_id, pk=item_id)
        .first()
    )
    if row is None:
        return None
    of_run = WorkItem.objects.filter(run=row.run_id).select_related(*RELATED).order_by("number")
    waiting = of_run.filter(_behind(row))
    behind = [seen.item(each) for each in waiting[: FEW + 1]]
    said = Ending.objects.filter(item=row).select_related("proposed_by__user", "decided_by__user").order_by("number")
    files = EvidenceFile.objects.filter(item=row).select_related("uploaded_by__user").defer("content")
    tried = _effects(row)
    shown = seen.item(row)
    names = plans.names(tenant_id, [row.plan.asked_by, *_tickers(shown)])
    return Chain(
        item=shown, plan=seen.plan(row.plan, plans.name_of(names, row.plan.asked_by)), run=row.run,
        original=next((each for each in tried if each.pk == row.effect_id), None),
        found=tuple(resolutions([row.effect_id]).get(row.effect_id, ())) if row.effect_id else (),
        tries=tuple(each for each in tried if each.pk != row.effect_id),
        before=tuple(map(seen.item, of_run.filter(pk__in=row.after))) if row.after else (), behind=tuple(behind[:FEW]),
        behind_count=len(behind) if len(behind) <= FEW else waiting.count(),
        endings=tuple(seen.ending(each) for each in said),
        files=tuple(seen.file(each) for each in files.order_by("uploaded_at", "pk")),
        names={actor.partition(":")[2]: name for actor, name in names.items() if actor.startswith("member:")},
    )  # fmt: skip


def _behind(row: WorkItem) -> Q:
    """Say which items of its run wait for this one: by name, by its step in its plan, or by its step in plans that it was open for."""
    named = Q(after__contains=[row.pk])
    if not row.step:
        return named
    later = Q(number__gt=row.number, after_earlier__contains=[row.step]) & ~Q(plan=row.plan_id)
    if row.ended_at is not None:
        later &= Q(created_at__lte=row.ended_at)
    return named | Q(plan=row.plan_id, after_steps__contains=[row.step]) | later


def about(tenant_id: UUID, effect_id: UUID) -> list[Item]:
    """Give the work items that make good for an effect, and those that an effect is the last try of."""
    of_it = Q(effect=effect_id) & ~Q(state=DROPPED)
    found = WorkItem.objects.filter(of_it | Q(acting=effect_id), tenant_id=tenant_id)
    return [seen.item(each) for each in found.select_related(*RELATED).order_by("number")]


def waiting_endings(item_ids: Sequence[UUID]) -> dict[UUID, seen.Ending]:
    """Give what waits for a second person of these items, by the item; of none nothing is read."""
    found = Ending.objects.filter(item__in=item_ids, state=PROPOSED).select_related(
        "proposed_by__user", "decided_by__user"
    )
    return {each.item_id: seen.ending(each) for each in found} if item_ids else {}


def file(tenant_id: UUID, file_id: UUID) -> EvidenceFile | None:
    """Give one file with its bytes."""
    return EvidenceFile.objects.filter(tenant_id=tenant_id, pk=file_id).first()


def _effects(row: WorkItem) -> list[Effect]:
    """Give the original and all that was tried to make good for it, in order, as far as an effect's page needs them."""
    if row.effect_id is None:
        return []
    said = Prefetch("request__decisions", Decision.objects.select_related("member__user").order_by("at", "id"))
    tried = Prefetch("attempts", Attempt.objects.order_by("number"))
    found = Effect.objects.filter(Q(pk=row.effect_id) | Q(compensates=row.effect_id))
    found = found.select_related("run__agent", "run__run_type", "operation", "policy", "request__policy", "owner__user")
    return list(found.prefetch_related(tried, said).order_by("number"))


def _tickers(item: Item) -> list[str]:
    return [f"member:{each['done_by']}" for each in item.checklist if each.get("done_by")]
