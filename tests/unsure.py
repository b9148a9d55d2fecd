"""Effects of the shop whose outcome is not confirmed, and what people do about them, as tests call it."""

from itertools import count
from typing import Any
from uuid import UUID

from runs.models import Effect, Resolution
from runs.unknowns import asking, owning, resolving, seconding
from runs.unknowns.findings import Finding
from tests.cast import inside
from tests.shop import Shop, draft, operation
from tests.work import claim, settle

SEEN = "The bank's statement of 10:02 shows it."
CAREFUL = "unknown: {owner: operators, age_objective_seconds: 900, resolve: status, resend_same_key: false, second_person: true}\n"
_keys = count(1)


def key() -> str:
    """Give a key that was not used before."""
    return f"unsure-{next(_keys)}"


def unknown(
    shop: Shop, operation: str = "pay", amount: str = "10", *, delay: float | None = None, **run: Any
) -> Effect:
    """Have an effect that was sent and not answered."""
    accepted = shop.accept(draft("a", amount, operation), **run)
    settle(claim(), "unknown", http=None, delay=delay)
    return shop.effect(accepted, "a")


def partial(shop: Shop, **run: Any) -> Effect:
    """Have an effect that was done in part."""
    accepted = shop.accept(draft("a"), **run)
    settle(claim(), "partial", http=207)
    return shop.effect(accepted, "a")


def with_careful(shop: Shop) -> Shop:
    """Put an operation in force whose contract wants a second person for a finding about it."""
    careful = operation("move") + CAREFUL
    refused = [applied for applied in shop.apply(careful) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return shop


def stored(effect: Effect) -> Effect:
    """Read an effect anew."""
    with inside():
        return Effect.objects.select_related("run", "owner__user").get(pk=effect.pk)


def findings_of(effect: Effect) -> list[Resolution]:
    """Read what was found of an effect."""
    with inside():
        return list(Resolution.objects.filter(effect=effect.pk).order_by("number"))


def claim_it(shop: Shop, effect: Effect, by: str = "oscar", **more: Any) -> dict[str, Any]:
    """Look after it."""
    return owning.claim(shop.actor(by), effect.pk, key=more.get("key") or key())


def ask(shop: Shop, effect: Effect, by: str = "oscar", **more: Any) -> dict[str, Any]:
    """Have it asked now."""
    return asking.ask_now(shop.actor(by), effect.pk, key=more.get("key") or key())


def find(
    shop: Shop, effect: Effect, exit_: str = "happened", then: str = "", *, by: str = "oscar", version: int | None = None,
    key: str | None = None, evidence: str = SEEN, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Say what was found, having seen the run as it is now."""
    seen = shop.run(effect.run_id).ledger_seq if version is None else version
    finding = Finding(exit_, then, evidence, **more)
    return resolving.resolve(shop.actor(by), effect.pk, finding, version=seen, key=key or f"unsure-{next(_keys)}")


def confirm(shop: Shop, finding: dict[str, Any], by: str, **more: Any) -> dict[str, Any]:
    """Confirm a finding."""
    return seconding.confirm(shop.actor(by), UUID(finding["resolution"]), key=more.pop("key", None) or key(), **more)


def decline(
    shop: Shop, finding: dict[str, Any], by: str, reason: str = "The statement is another one."
) -> dict[str, Any]:
    """Decline a finding."""
    return seconding.decline(shop.actor(by), UUID(finding["resolution"]), reason=reason, key=key())


def take_back(shop: Shop, finding: dict[str, Any], by: str = "oscar") -> dict[str, Any]:
    """Withdraw a finding."""
    return seconding.withdraw(shop.actor(by), UUID(finding["resolution"]), key=key())
