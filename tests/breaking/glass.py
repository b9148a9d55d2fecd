"""A policy with a glass to break, and breaking it in few words."""

from typing import Any
from uuid import UUID, uuid4

from approvals.breaking import ending, reviewing
from approvals.models import BreakGlass, Request
from runs.pausing import deciding
from tests.cast import inside
from tests.shop import Shop, draft

POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
description: Who may pay how much.
operations: [pay, wire]
rules:
  - name: large
    when: {{path: arguments.amount, op: gt, value: "1000"}}
    then: ask
    ask: {{groups: [finance], quorum: 2, decide_within_seconds: 1800, use_within_seconds: 900,
          break_glass: {{groups: [finance, admins], within_seconds: 600}}}}
  - name: middling
    when: {{path: arguments.amount, op: gt, value: "100"}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}
otherwise: allow
"""
TARGET = "payee:bob"


def with_glass(shop: Shop, version: int = 2) -> Shop:
    """Have the policy in force that lets the glass be broken for what is large."""
    refused = [applied for applied in shop.apply(POLICY.format(version=version)) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return shop


def asked(shop: Shop, amount: str = "2000", **more: Any) -> tuple[UUID, Request]:
    """Have something asked."""
    run = shop.accept(draft("dear", amount, **more))
    return run, shop.request(run, "dear")


def break_it(
    shop: Shop, request: Request, by: str = "ann", *, proven: bool = True, key: str = "", **said: Any
) -> dict[str, Any]:
    """Break the glass for it, typing the target."""
    terms: dict[str, Any] = {
        "shown_digest": request.subject_digest.hex(), "target": request.target, "reason": "The house floods.", "seconds": 300, **said,
    }  # fmt: skip
    actor = shop.proven(by) if proven else shop.actor(by)
    return deciding.break_glass(actor, request.pk, **terms, key=key or f"key-{uuid4()}")


def close(shop: Shop, glass: BreakGlass, by: str = "ann") -> dict[str, Any]:
    """End it by hand."""
    return ending.close(shop.actor(by), glass.pk, key=f"key-{uuid4()}")


def review(
    shop: Shop, glass: BreakGlass, by: str = "amir", *, justified: bool = True, text: str = "It was."
) -> dict[str, Any]:
    """Say what one thinks of it."""
    return reviewing.review(shop.actor(by), glass.pk, justified=justified, text=text, key=f"key-{uuid4()}")


def broken(request: Request) -> BreakGlass:
    """Read the one that was broken for a request."""
    with inside():
        return BreakGlass.objects.get(request=request)


def stored(request: Request) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request.pk)
