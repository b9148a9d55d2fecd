"""What pages and the API read of runs and effects: one query per list, pages by (time, id), counts that stop at a bound."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from approvals.models import Decision
from console.clock import DatabaseNow
from console.database import rows
from console.identity.models import Member
from runs.contracts.executors import HUMAN
from runs.models import Attempt, Effect, Run
from runs.states import (
    AWAITING_APPROVAL,
    BLOCKED,
    DISPATCHED,
    PARTIAL,
    RUN_ENDED,
    RUN_GOING,
    RUN_STATES,
    RUNNING,
    UNKNOWN,
)
from runs.states import READY as EFFECT_READY

Place: TypeAlias = tuple[datetime, UUID]
OPEN = tuple(state for state in RUN_STATES if state not in RUN_ENDED)
ENDED = tuple(state for state in RUN_STATES if state in RUN_ENDED)
# Each state brings its own newest runs from the index, so that a rare state is not looked for among all the others.
BY_STATE = """
select r.id from unnest(%s::text[]) as s (state) cross join lateral (
    select id, created_at from runs_run
    where tenant_id = %s and state = s.state and (%s::timestamptz is null or (created_at, id) < (%s, %s::uuid))
    order by created_at desc, id desc limit %s) r
order by r.created_at desc, r.id desc limit %s
"""
READY = """
with named as (select name from runs_dependency where tenant_id = %s and retired_at is null union all select '')
select (select count(*) from (
           select from runs_effect
           where tenant_id = %s and state = 'ready' and executor in ('http', 'python')
             and next_attempt_at <= cf_now() limit %s) e) as ready_count,
       (select min(e.next_attempt_at) from named n cross join lateral (
           select next_attempt_at from runs_effect
           where tenant_id = %s and state = 'ready' and executor in ('http', 'python') and dependency_name = n.name
             and next_attempt_at <= cf_now() order by next_attempt_at limit 1) e) as oldest_ready_at
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: effects ended, of how many, how many required ones were done only in part, and what is awaited."""

    done: int
    total: int
    partial: int
    asked: int = 0
    unknown: int = 0


def runs(tenant_id: UUID, states: Iterable[str], after: Place | None, limit: int) -> list[Run]:
    """Give runs in these states (none: in any), newest first."""
    wanted = list(states)
    if not wanted:
        return list(_newest_first(tenant_id, after).select_related("agent", "run_type")[:limit])
    at, run_id = after or (None, None)
    return _whole([row["id"] for row in rows(BY_STATE, [wanted, tenant_id, at, at, run_id, limit, limit])])


def count_open(tenant_id: UUID, most: int) -> int:
    """Count the runs that have not ended, up to `most`."""
    return Run.objects.filter(tenant_id=tenant_id, state__in=OPEN)[:most].count()


def count_runs(tenant_id: UUID, states: Iterable[str], most: int) -> int:
    """Count the runs in these states (none: in any), up to `most`."""
    wanted = list(states)
    found = Run.objects.filter(tenant_id=tenant_id)
    return (found.filter(state__in=wanted) if wanted else found)[:most].count()


def stuck(tenant_id: UUID) -> "QuerySet[Run]":
    """Give the runs of which it is said that a person is needed, those of the longest standing first."""
    found = Run.objects.filter(tenant_id=tenant_id).exclude(attention="")
    return found.select_related("agent__owner__user", "run_type").order_by("attention_since", "id")


def ended_lately(tenant_id: UUID, limit: int) -> list[Run]:
    """Give the runs that ended last, among the newest."""
    newest = runs(tenant_id, ENDED, None, 5 * limit)
    return sorted(newest, key=lambda run: (run.ended_at or run.created_at, run.pk), reverse=True)[:limit]


def progress(run_ids: list[UUID]) -> dict[UUID, Progress]:
    """Give how far each of these runs has come."""
    found = (
        Effect.objects.filter(run_id__in=run_ids)
        .values("run_id")
        .annotate(
            done=Count("pk", filter=Q(ended_at__isnull=False)),
            total=Count("pk"),
            partial=Count("pk", filter=Q(state=PARTIAL, required=True, reconciled_at=None)),
            asked=Count("pk", filter=Q(state=AWAITING_APPROVAL)),
            unknown=Count("pk", filter=Q(state=UNKNOWN)),
        )
    )
    return {
        row["run_id"]: Progress(row["done"], row["total"], row["partial"], row["asked"], row["unknown"])
        for row in found
    }


def run(tenant_id: UUID, run_id: UUID) -> Run | None:
    """Give one run with its agent and type."""
    return Run.objects.filter(tenant_id=tenant_id, pk=run_id).select_related("agent__owner__user", "run_type").first()


def effects(run_id: UUID, after: int, limit: int) -> list[Effect]:
    """Give a run's effects from the number after `after`, in order, with attempts, requests and who decided."""
    found = Effect.objects.filter(run_id=run_id, number__gt=after).select_related("request", "operation", "owner__user")
    said = Prefetch("request__decisions", Decision.objects.select_related("member__user").order_by("at", "id"))
    return list(found.prefetch_related(_attempts(), said).order_by("number")[:limit])


def numbers(run_id: UUID) -> dict[UUID, int]:
    """Give the number of each effect of a run."""
    return dict(Effect.objects.filter(run_id=run_id).values_list("pk", "number"))


def subjects(effect_ids: Iterable[UUID]) -> dict[UUID, Effect]:
    """Give the effects that requests are about, with their runs, as far as lists and cards name them."""
    named = Effect.objects.select_related("run", "operation")
    named = named.only("number", "state", "run__goal", "operation__argument_names")
    return named.in_bulk(list(effect_ids))


def open_questions(run_ids: Collection[UUID]) -> dict[UUID, int]:
    """Count, for each of these runs, its effects that wait for people."""
    asked = Effect.objects.filter(run_id__in=run_ids, state=AWAITING_APPROVAL).order_by().values("run_id")
    return {row["run_id"]: row["many"] for row in asked.annotate(many=Count("pk"))} if run_ids else {}


def waiting_for(effect: Effect) -> int:
    """Count the effects of the run whose turn comes only after this one, directly or further on."""
    blocked = list(
        Effect.objects.filter(run_id=effect.run_id, state=BLOCKED).order_by("number").values_list("pk", "after")
    )
    behind = {effect.pk}
    for effect_id, after in blocked:  # `after` names only earlier numbers, so one pass is enough
        if behind & set(after):
            behind.add(effect_id)
    return len(behind) - 1


def oldest_unknown(tenant_id: UUID) -> tuple[UUID, int] | None:
    """Name the effect that is unknown for the longest time, by its run and number."""
    found = Effect.objects.filter(tenant_id=tenant_id, state=UNKNOWN).order_by("unknown_since", "id")
    return found.values_list("run_id", "number").first()


def count_unknown(tenant_id: UUID, most: int) -> int:
    """Count the effects whose outcome is not confirmed, up to `most`."""
    return Effect.objects.filter(tenant_id=tenant_id, state=UNKNOWN)[:most].count()


def ready(tenant_id: UUID, most: int) -> dict[str, Any]:
    """Tell how many effects could begin now (up to `most`) and since when the oldest could."""
    return rows(READY, [tenant_id, tenant_id, most, tenant_id])[0]


def tasks(member: Member, after: Place | None, limit: int) -> list[Effect]:
    """Give what this member may do as a person: ready, or begun by this member; the nearest deadline first. `after` is (deadline, id)."""
    found = _tasks(member)
    if after is not None:
        at, effect_id = after
        found = found.filter(deadline_at__gte=at).exclude(deadline_at=at, id__lte=effect_id)
    found = found.select_related("run__agent", "operation", "request").prefetch_related(_attempts())
    return list(found.order_by("deadline_at", "id")[:limit])


def count_tasks(member: Member, most: int) -> int:
    """Count what this member may do as a person, up to `most`."""
    return _tasks(member)[:most].count()


def task(member: Member, effect_id: UUID) -> Effect | None:
    """Give one effect that a person does, in whatever state, if this member may do it or has begun it once."""
    found = _tasks_among(member, [effect_id])
    return found.select_related("run__agent", "operation", "request").prefetch_related(_attempts()).first()


def tasks_among(member: Member, effects: list[UUID]) -> set[UUID]:
    """Give which of these effects this member may look at as a task."""
    return set(_tasks_among(member, effects).values_list("pk", flat=True))


def _tasks_among(member: Member, effects: list[UUID]) -> "QuerySet[Effect]":
    mine = Attempt.objects.filter(effect_id=OuterRef("pk"), worker=f"member:{member.pk}")
    return Effect.objects.filter(
        Exists(mine) | _may_do(member), pk__in=effects, tenant_id=member.tenant_id, executor=HUMAN
    )


def _tasks(member: Member) -> "QuerySet[Effect]":
    mine = Attempt.objects.filter(effect_id=OuterRef("pk"), worker=f"member:{member.pk}", state=RUNNING)
    begins = Q(run__state__in=RUN_GOING) | Q(compensates__isnull=False)
    due = Q(begins, state=EFFECT_READY, next_attempt_at__lte=DatabaseNow()) & _may_do(member)
    held = Q(state=DISPATCHED) & Exists(mine)
    states = (EFFECT_READY, DISPATCHED)
    return Effect.objects.filter(due | held, tenant_id=member.tenant_id, executor=HUMAN, state__in=states)


def _may_do(member: Member) -> Q:
    """Members of the groups that the contract names, or operators where it names none."""
    named = Q(operation__groups__overlap=member.groups)
    return named | Q(operation__groups=[]) if "operator" in member.roles else named


def _attempts() -> "Prefetch[str, QuerySet[Attempt], str]":
    return Prefetch("attempts", Attempt.objects.order_by("number"))


def _whole(ids: list[UUID]) -> list[Run]:
    return list(Run.objects.filter(pk__in=ids).select_related("agent", "run_type").order_by("-created_at", "-id"))


def _newest_first(tenant_id: UUID, after: Place | None) -> "QuerySet[Run]":
    found = Run.objects.filter(tenant_id=tenant_id)
    if after is not None:
        at, run_id = after
        found = found.filter(created_at__lte=at).exclude(created_at=at, id__gte=run_id)
    return found.order_by("-created_at", "-id")
