"""An effect in the place of one that was approved for less: when it fits, that approval is its own, and nobody is asked again."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from approvals.ask import Question, ask
from approvals.deciding.fitting import fit
from approvals.models import Request
from console.ledger.actors import Actor
from runs.models import Effect


def fitted_or_asked(
    by: Actor, tenant_id: UUID, asking: Sequence[tuple[Effect, Question]], now: datetime
) -> list[Request]:
    """Give the request of each effect, in order: the one that waits for what it supersedes to be done with less, or one opened now."""
    narrowed = _narrowed([effect for effect, _ in asking])
    found: dict[UUID, Request] = {}
    for effect, question in asking:
        request_id = narrowed.pop(effect.supersedes_id, None)
        if request_id is not None and (fitted := fit(by, request_id, question, now)):
            found[effect.pk] = fitted
    left = [(effect, question) for effect, question in asking if effect.pk not in found]
    opened = ask(by, tenant_id, [question for _, question in left], now)
    found |= {effect.pk: request for (effect, _), request in zip(left, opened, strict=True)}
    return [found[effect.pk] for effect, _ in asking]


def _narrowed(effects: Sequence[Effect]) -> dict[UUID | None, UUID]:
    """Give the requests that wait for something fitting, by the effect that was asked too much of."""
    replaced = {effect.supersedes_id for effect in effects if effect.supersedes_id}
    if not replaced:
        return {}
    found = Effect.objects.filter(pk__in=replaced, request__to_fit=True)
    return {effect_id: request_id for effect_id, request_id in found.values_list("pk", "request_id") if request_id}
