"""Effects that make good for others, as the engine sees them: proposed into a run, whatever has become of it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from console import clock
from console.exact import Value, canonical
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from runs.compensating import proposing
from runs.drafts import EffectDraft
from runs.models import Effect, Run
from tests.cast import inside
from tests.shop import Shop

UNBOOK: dict[str, Value] = {"receipt": "r-book"}
AS_IT_WAS: Sequence[tuple[str, Value]] = (("body.status", "confirmed"),)


def compensate(
    shop: Shop, run: UUID, key: str, operation: str = "unbook", *, arguments: dict[str, Value] = UNBOOK,
    expects: Sequence[tuple[str, Value]] = (), tries: int = 1, supersedes: UUID | None = None, **more: Any,
) -> str:  # fmt: skip
    """Propose an effect that makes good for the one of this key, and give its own key."""
    with inside():
        held = Run.objects.select_for_update(no_key=True).get(pk=run)
        original = Effect.objects.get(run=held, key=key)
        listed: list[Value] = [{"path": path, "equals": equals} for path, equals in expects]
        made = EffectDraft(
            key=f"compensates:{original.pk}:{tries}", operation=operation, arguments=arguments, compensates=original.pk,
            expects=canonical(listed) if listed else "", cleanup=True, required=False, supersedes=supersedes, **more,
        )  # fmt: skip
        return accepted(shop.office, held, made).key


def accepted(by: Actor, run: Run, made: EffectDraft) -> Effect:
    """Have one accepted in a locked run; what is refused of it is raised."""
    (found,) = proposing.propose_each(by, [(run, made)], clock.now())
    if isinstance(found, Refusal):
        raise found
    return found
