"""One effect with everything that its page tells, and the effects around it: what it waits for, and what waits for it."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch, Q

from approvals.models import Decision
from runs.models import Attempt, Callback, Effect

NAMED = 50


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Effects of the same run, in order, at most 50 of a kind; `more` of those that wait are not named."""

    before: list[Effect]
    behind: list[Effect]
    more: bool
    takes_the_place_of: Effect | None
    replaced_by: list[Effect]
    makes_good_for: Effect | None
    made_good_for_by: list[Effect]


def effect(tenant_id: UUID, run_id: UUID, number: int) -> Effect | None:
    """Give one effect of a run with its run, contract, policy, attempts and request."""
    said = Prefetch("request__decisions", Decision.objects.select_related("member__user").order_by("at", "id"))
    found = Effect.objects.filter(tenant_id=tenant_id, run_id=run_id, number=number)
    found = found.select_related("run__agent", "run__run_type", "operation", "policy", "request__policy", "owner__user")
    return found.prefetch_related(Prefetch("attempts", Attempt.objects.order_by("number")), said).first()


def named(tenant_id: UUID, run_id: UUID, number: int) -> UUID | None:
    """Give the id of an effect of a run by its number."""
    return Effect.objects.filter(tenant_id=tenant_id, run_id=run_id, number=number).values_list("pk", flat=True).first()


def callbacks(effect: Effect) -> list[Callback]:
    """Give what the other side told by itself about an effect, in the order in which it came; at most 50."""
    return list(Callback.objects.filter(effect=effect).order_by("received_at", "pk")[:NAMED])


def place(tenant_id: UUID, effect_id: UUID) -> tuple[UUID, int] | None:
    """Tell in which run an effect is, and under which number."""
    return Effect.objects.filter(tenant_id=tenant_id, pk=effect_id).values_list("run_id", "number").first()


def neighbours(effect: Effect) -> Neighbours:
    """Give the effects that this one names in `after`, that name it there, that it supersedes and that supersede it, and those that it
    makes good for or that make good for it."""
    # The run's index leads to them; those behind are few, and those before are named by their ids.
    named = Q(pk__in=[*effect.after, *filter(None, [effect.supersedes_id, effect.compensates_id])])
    around = Effect.objects.filter(run_id=effect.run_id).only("number", "summary", "state", "after")
    before = {found.pk: found for found in around.filter(named).order_by("number")[: NAMED + 1]}
    behind = list(around.filter(after__contains=[effect.pk]).order_by("number")[: NAMED + 1])
    return Neighbours(
        [found for found in before.values() if found.pk in effect.after],
        behind[:NAMED],
        len(behind) > NAMED,
        before.get(effect.supersedes_id) if effect.supersedes_id else None,
        list(around.filter(supersedes_id=effect.pk).order_by("number")[:NAMED]),
        before.get(effect.compensates_id) if effect.compensates_id else None,
        list(around.filter(compensates_id=effect.pk).order_by("number")[:NAMED]),
    )
