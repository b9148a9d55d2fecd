"""What a run with limits has done, what it has not, and of what it is not known; what is left for the rest."""

from dataclasses import dataclass

from django.db.models import QuerySet

from runs.limits import budgets
from runs.limits.budgets import ON_EXHAUSTION, Budget
from runs.models import Effect, Run
from runs.states import IN_FLIGHT, PARTIAL, SUCCEEDED, UNKNOWN

MOST = 100
UNCERTAIN = IN_FLIGHT | {UNKNOWN, PARTIAL}


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a run's effects: how many, and the first of them."""

    count: int
    first: list[Effect]


@dataclass(frozen=True, slots=True)
class Remains:
    """How a run stands with what it may use."""

    budgets: list[Budget]
    on_exhaustion: str
    done: Part
    not_done: Part
    uncertain: Part


def remains(run: Run) -> Remains:
    """Reckon it, in a constant number of queries."""
    effects = Effect.objects.filter(run_id=run.pk)
    return Remains(
        budgets.of_run(run.pk, run.limits), str(budgets.terms_of(run.limits).get(ON_EXHAUSTION, "hold")),
        _part(effects.filter(state=SUCCEEDED)), _part(effects.exclude(state__in={SUCCEEDED} | UNCERTAIN)),
        _part(effects.filter(state__in=UNCERTAIN)),
    )  # fmt: skip


def _part(effects: QuerySet[Effect]) -> Part:
    first = list(effects.order_by("number")[: MOST + 1])
    return Part(len(first) if len(first) <= MOST else effects.count(), first[:MOST])
