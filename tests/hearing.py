"""The other side as a test: it signs what it tells, and sends it to the address of a tenant's operation."""

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

from console.exact import decode
from runs.callbacks.signing import signature
from runs.effect_keys import effect_key
from runs.models import Callback
from tests import shop as shops
from tests.cast import inside

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
VARIABLE = "COUNTERFOIL_SECRET_BANK_CALLBACK"
CALLBACK = """  callback:
    secret: bank-callback
    effect_key: "{{body.data.key}}"
    operation_id: "{{body.data.operation}}"
    outcomes:
      - {{when: {{path: body.data.status, op: eq, value: committed}}, outcome: succeeded, result: {{receipt: "{{body.data.id}}"}}}}
      - {{when: {{path: body.data.status, op: eq, value: partial}}, outcome: partial, reason: "{{body.data.reason}}"}}
      - {{when: {{path: body.data.status, op: eq, value: refused}}, outcome: rejected, reason: "{{body.data.reason}}"}}
      - {{when: {{path: body.data.status, op: eq, value: pending}}, outcome: pending}}
      - {{when: {{path: body.data.status, op: eq, value: somebody-elses}}, outcome: conflict}}
  status:
"""
_numbers = count(1)


def told_of(name: str, **given: Any) -> str:
    """Write the contract of an operation of which the other side tells by itself."""
    return shops.operation(name, **given).replace("  status:\n", CALLBACK.replace("{{", "{").replace("}}", "}"), 1)


def message(effect_id: UUID | str, status: str = "committed", **more: Any) -> bytes:
    """Write a message that names an effect by its key, or ("" and operation=…) by the other side's name."""
    named = {"key": effect_key(effect_id)} if isinstance(effect_id, UUID) else {}
    return json.dumps({"type": f"effect.{status}", "data": {"status": status, "id": "re_1", **named, **more}}).encode()


def tell(
    body: bytes, *, ident: str = "", at: float = 0, secret: str = SECRET, slug: str = "shop", operation: str = "send",
    headers: dict[str, str | None] | None = None,
) -> Any:  # fmt: skip
    """Sign and send a message, `at` seconds from now; headers given replace what is signed, None takes one away."""
    ident = ident or f"msg_{next(_numbers)}"
    stamp = int(datetime.now(UTC).timestamp() + at)
    made: dict[str, str | None] = {
        "webhook-id": ident, "webhook-timestamp": str(stamp), "webhook-signature": signature(secret, ident, stamp, body),
        **(headers or {}),
    }  # fmt: skip
    sent = {name: value for name, value in made.items() if value is not None}
    address = f"/api/v1/callbacks/{slug}/{operation}"
    return Client().generic("POST", address, body, "application/json", headers=sent)


@contextmanager
def agreed() -> Iterator[None]:
    """Have the secret agreed with the other side inside the block."""
    with patch.dict(os.environ, {VARIABLE: SECRET}):
        yield


def said(answer: Any) -> tuple[int, Any]:
    """Give an answer's status and document."""
    return answer.status_code, decode(answer.content)


def heard() -> list[Callback]:
    """Read every message that is on record, in the order they came in."""
    with inside():
        return list(Callback.objects.order_by("received_at", "id"))


def states() -> list[str]:
    """Give the states of the messages on record."""
    return [callback.state for callback in heard()]
