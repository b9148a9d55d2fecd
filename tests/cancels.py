"""Cancelling in the shop, as tests call it: a run type with clean-up, and an operation that can be asked to stop."""

from itertools import count
from typing import Any
from uuid import UUID

from console.ledger.actors import Actor
from runs.cancelling import cancel as cancelling
from runs.cancelling import reopening
from runs.drafts import EffectDraft
from runs.models import Cancellation, Effect
from tests.cast import inside
from tests.shop import Shop, draft, operation, run_type

WHY = "Nobody wants it any more."
STOP = """
    method: POST
    url: "{dependency.base_url}/effects/{effect.key}/cancel"
    headers: {Authorization: "Bearer {secret.bank-token}"}
    attempt_timeout_seconds: 20
    outcomes:
      - {when: {path: status, op: eq, value: 200}, outcome: succeeded}
      - {when: {path: status, op: eq, value: 202}, outcome: pending}
      - {when: {path: status, op: eq, value: 404}, outcome: absent}
      - {when: {path: status, op: eq, value: 409}, outcome: rejected, reason: "{body.reason}"}
      - {when: {path: status, op: eq, value: 503}, outcome: overload}
"""
ASKED = "cancellation: {who: [driver, operator], in_flight: request_cancel, late_result: recorded}\n"
_keys = count(1)


def stoppable(name: str = "ship") -> str:
    """Write the contract of an operation that the other side can be asked to stop."""
    written = operation(name)
    place = written.index("retry:")
    return written[:place] + "  cancel:" + STOP + written[place:] + ASKED


def tidy(name: str = "tidy", **said: str) -> str:
    """Write a run type whose runs may clean up while they are cancelled."""
    terms = {"who": "[driver, operator]", "cleanup": "[look, pay]", "grace_seconds": "60"} | said
    inner = ", ".join(f"{field}: {value}" for field, value in terms.items())
    return run_type(name) + f"cancellation: {{{inner}}}\n"


def with_stops(shop: Shop) -> Shop:
    """Put both in force in the shop."""
    refused = [applied for applied in shop.apply("\n---\n".join([stoppable(), tidy()])) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return shop


def key() -> str:
    """Give a key that was not used before."""
    return f"cancel-{next(_keys)}"


def cancel(shop: Shop, run: UUID, by: Actor | str = "oscar", **asked: Any) -> dict[str, Any]:
    """Cancel a run as a member, or as its driver."""
    actor = shop.actor(by) if isinstance(by, str) else by
    if actor.kind == "agent":
        asked.setdefault("epoch", shop.run(run).epoch)
    return cancelling.cancel_run(actor, run, **{"reason": WHY, "key": key()} | asked)


def cancel_effect(shop: Shop, effect: Effect, by: Actor | str = "oscar", **asked: Any) -> dict[str, Any]:
    """Cancel an effect as a member, or as its run's driver."""
    actor = shop.actor(by) if isinstance(by, str) else by
    if actor.kind == "agent":
        asked.setdefault("epoch", shop.run(effect.run_id).epoch)
    return cancelling.cancel_effect(actor, effect.pk, **{"reason": WHY, "key": key()} | asked)


def reopen(shop: Shop, run: UUID, by: str = "oscar", **asked: Any) -> dict[str, Any]:
    """Open a run again."""
    return reopening.reopen(shop.actor(by), run, **{"reason": "It is wanted after all.", "key": key()} | asked)


def stopped(shop: Shop, run: UUID) -> dict[str, Any]:
    """Say as the driver that the clean-up is done."""
    return cancelling.stopped(shop.bot, run, epoch=shop.run(run).epoch, key=key())


def of_run(run: UUID) -> list[Cancellation]:
    """Read the cancellations of a run, in order."""
    with inside():
        return list(Cancellation.objects.filter(run=run).order_by("number"))


def states(run: UUID) -> list[str]:
    """Give the states of the cancellations of a run."""
    return [each.state for each in of_run(run)]


def started(shop: Shop, by: UUID, *effects: EffectDraft, **run: Any) -> UUID:
    """Have a run that another run started, with something that a person is asked about if nothing is said."""
    return shop.accept(*(effects or [draft("a", "250")]), parent=by, parent_epoch=shop.run(by).epoch, **run)
