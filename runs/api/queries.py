"""What the API reads: one bounded query per list, each along an index."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from approvals.models import Decision
from console.database import rows
from console.http.cursors import Place
from console.http.refusals import NotFound
from console.ledger.models import Entry
from runs.models import Attempt, Effect, Run
from runs.states import RUN_ENDED, RUN_STATES

GROUPS = {"open": tuple(state for state in RUN_STATES if state not in RUN_ENDED), "ended": tuple(sorted(RUN_ENDED))}
STATES = (*GROUPS, *RUN_STATES)
NEWEST = ("-created_at", "-id")
FIRST = """select e.id from unnest(%s::uuid[], %s::int[]) as wanted (run, n)
    join runs_effect e on e.run_id = wanted.run and e.number <= wanted.n"""


def run(run_id: UUID) -> Run:
    """Give a run. Raises NotFound."""
    found = Run.objects.select_related("agent", "run_type").filter(pk=run_id).first()
    if found is None:
        raise NotFound
    return found


def runs(state: str | None, agent_id: UUID | None, before: Place | None, limit: int) -> list[Run]:
    """Give runs from the newest on: in that state or group of states, of that agent, after that place."""
    found = Run.objects.all() if agent_id is None else Run.objects.filter(agent_id=agent_id)
    if before is not None:
        at, row_id = before
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=row_id), created_at__lte=at)
    if state in GROUPS:
        ids = _of_states(found, GROUPS[state], limit)
    else:
        wanted = found if state is None else found.filter(state=state)
        ids = list(
            wanted.order_by(*NEWEST).values_list("pk", flat=True)[:limit]
        )  # along the index, before anything is joined
    return list(Run.objects.filter(pk__in=ids).select_related("agent", "run_type").order_by(*NEWEST))


def _of_states(found: "QuerySet[Run]", states: Sequence[str], limit: int) -> list[UUID]:
    """Take each state's newest along the index and the newest of those: an index on state gives no order over several of them."""
    each = [found.filter(state=state).order_by(*NEWEST).values_list("pk", "created_at")[:limit] for state in states]
    newest = sorted(((at, row_id) for row_id, at in each[0].union(*each[1:], all=True)), reverse=True)
    return [row_id for _, row_id in newest[:limit]]


def effects(run_id: UUID, after: int, limit: int) -> list[Effect]:
    """Give a run's effects in their order, from the number after `after` on."""
    return list(_effects().filter(run_id=run_id, number__gt=after).order_by("number")[:limit])


def effects_of_keys(run_id: UUID, keys: Sequence[str]) -> list[Effect]:
    """Give the effects of a run that have these keys."""
    return list(_effects().filter(run_id=run_id, key__in=keys).order_by("number")) if keys else []


def runs_of_ids(ids: Collection[UUID]) -> dict[UUID, Run]:
    """Give runs by id."""
    return Run.objects.select_related("agent", "run_type").in_bulk(ids)


def first_effects(counts: Mapping[UUID, int]) -> dict[UUID, list[Effect]]:
    """Give the first so many effects of each run, in their order: those that came with it."""
    wanted = rows(FIRST, [list(counts), list(counts.values())]) if any(counts.values()) else []
    found: dict[UUID, list[Effect]] = {}
    for effect in _effects().filter(pk__in=[row["id"] for row in wanted]).order_by("run_id", "number"):
        found.setdefault(effect.run_id, []).append(effect)
    return found


def effects_of_ids(ids: Collection[UUID]) -> dict[UUID, Effect]:
    """Give effects by id."""
    return _effects().in_bulk(ids)


def effect(effect_id: UUID) -> Effect:
    """Give an effect. Raises NotFound."""
    found = _effects().filter(pk=effect_id).first()
    if found is None:
        raise NotFound
    return found


def superseding(effect_id: UUID) -> list[UUID]:
    """Give the effects that took another way than this one, in order."""
    return list(Effect.objects.filter(supersedes_id=effect_id).order_by("number").values_list("pk", flat=True))


def compensating(ids: Collection[UUID]) -> dict[UUID, list[UUID]]:
    """Give the effects that make good for each of these, or tried to, in order; what nothing makes good for is left out."""
    found: dict[UUID, list[UUID]] = {}
    pairs = Effect.objects.filter(compensates__in=ids).order_by("number").values_list("compensates_id", "pk")
    for original, acting in pairs:
        if original is not None:
            found.setdefault(original, []).append(acting)
    return found


def attempts(effect_id: UUID) -> list[Attempt]:
    """Give everything that was tried for an effect, in its order."""
    return list(Attempt.objects.filter(effect_id=effect_id).order_by("number"))


def history(run: Run, after: int, limit: int) -> list[Entry]:
    """Give the entries of a run's stream, from the one after `after` on."""
    return list(
        Entry.objects.filter(stream=run.stream(), seq__gt=after).select_related("payload").order_by("seq")[:limit]
    )


def _effects() -> "QuerySet[Effect]":
    # A value looked up by the index of a request's decisions, and not another query for each list.
    denied = Decision.objects.filter(request=OuterRef("request_id"), verdict="deny", withdrawn_at=None)
    alternative = Subquery(denied.values("alternative")[:1])
    return Effect.objects.select_related("run", "operation", "request").annotate(alternative=alternative)
