"""Signals as a test: who sends them, by each of the three ways, and who waits for them."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import Any
from unittest.mock import patch
from uuid import UUID

from django.test import Client

from console.exact import Value, decode
from console.ledger.actors import Actor
from runs.callbacks.signing import signature
from runs.models import Run, Signal, Wait
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from runs.waits import opening
from runs.waits.drafts import WaitDraft
from tests.cast import inside
from tests.shop import Shop, run_type

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
VARIABLE = "COUNTERFOIL_SECRET_SHOP_WEBHOOKS"
HEARS = """signals:
  paid: {secret: shop-webhooks, correlation: "{body.order}", keep_seconds: 3600}
  moved: {secret: shop-webhooks, correlation: "{body.from} to {body.to}"}
"""
_numbers = count(1)


def hearing_type(name: str = "hearing", version: int = 1) -> str:
    """Write the contract of a type of run that hears signed messages."""
    return run_type(name).replace("version: 1", f"version: {version}") + HEARS


def wait_for(
    shop: Shop, run: UUID, signal: str = "paid", correlation: str | None = None, *, key: str = "", **draft: Any
) -> dict[str, Any]:
    """Have a run wait for a signal, as its driver."""
    condition: dict[str, Value] = {"name": signal, **({} if correlation is None else {"correlation": correlation})}
    epoch = shop.run(run).epoch
    wanted = WaitDraft(kind="signal", condition=condition, **draft)
    return opening.open(shop.bot, run, epoch=epoch, draft=wanted, key=key or f"wait-{next(_numbers)}")


def send(
    shop: Shop,
    name: str = "paid",
    correlation: str = "1042",
    body: Value = None,
    *,
    key: str = "",
    by: Actor | None = None,
    keep_seconds: int | None = None,
) -> Signal:
    """Send a signal as the shop's agent."""
    draft = SignalDraft(name, correlation, body, keep_seconds)
    return receiving.send(by or shop.bot, draft, key=key or f"signal-{next(_numbers)}")[0]


def send_to(shop: Shop, run: UUID, name: str = "paid", body: Value = None, *, key: str = "") -> Signal:
    """Send a signal to a run."""
    return receiving.send_to(shop.bot, run, SignalDraft(name, str(run), body), key=key or f"signal-{next(_numbers)}")[0]


def tell(
    body: Any, *, ident: str = "", at: float = 0, secret: str = SECRET, slug: str = "shop", run_type: str = "hearing", name: str = "paid",
    headers: dict[str, str | None] | None = None,
) -> Any:  # fmt: skip
    """Sign and send a message, `at` seconds from now; headers given replace what is signed, None takes one away."""
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    ident = ident or f"msg_{next(_numbers)}"
    stamp = int(datetime.now(UTC).timestamp() + at)
    made: dict[str, str | None] = {
        "webhook-id": ident, "webhook-timestamp": str(stamp), "webhook-signature": signature(secret, ident, stamp, sent),
        **(headers or {}),
    }  # fmt: skip
    given = {name: value for name, value in made.items() if value is not None}
    return Client().generic(
        "POST", f"/api/v1/signals/{slug}/{run_type}/{name}", sent, "application/json", headers=given
    )


@contextmanager
def agreed() -> Iterator[None]:
    """Have the secret agreed with the other side inside the block."""
    with patch.dict(os.environ, {VARIABLE: SECRET}):
        yield


def signals() -> list[Signal]:
    """Read every signal, in the order they came in."""
    with inside():
        return list(Signal.objects.order_by("received_at", "id"))


def states() -> list[str]:
    """Give the states of the signals, in the order they came in."""
    return [signal.state for signal in signals()]


def waits(run: UUID) -> list[Wait]:
    """Read a run's waits, in order."""
    with inside():
        return list(Wait.objects.filter(run_id=run).order_by("number"))


def said(wait: Wait) -> Any:
    """Give what a wait was met with."""
    return None if wait.result is None else decode(wait.result.encode())


def bodies(run: UUID) -> list[Any]:
    """Give what the signals said that a run's waits were met with, in the order of the waits."""
    return [said(wait)["body"] for wait in waits(run) if wait.state == "met"]


def recorded_only(signal: UUID) -> None:
    """Tell that nothing has followed from a signal yet."""
    with inside():
        assert Signal.objects.get(pk=signal).state == "recorded"


def a_run(shop: Shop, goal: str = "Wait for the money", **more: Any) -> Run:
    """Have a run, of the type that hears signed messages where the shop has it."""
    return shop.run(shop.accept(goal=goal, **more))
