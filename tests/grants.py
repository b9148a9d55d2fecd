"""Standing approvals as tests make them: a policy that lets them stand in, and ann who proposes what amir confirms."""

from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any
from uuid import UUID

from approvals.granting.confirming import confirm
from approvals.granting.ending import revoke
from approvals.granting.proposing import propose
from approvals.granting.terms import Terms
from approvals.models import Grant, GrantUse
from console import clock
from console.exact import Value
from tests.cast import inside
from tests.shop import Shop

BOUNDS = '{uses: 100, within_seconds: 604800, amount: {path: arguments.amount, most: "50000"}}'
POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
description: Who may pay how much, and what may stand in for them.
operations: [pay, wire]
rules:
  - {{name: unlucky, when: {{path: arguments.amount, op: eq, value: "13"}}, then: deny, reason: Never thirteen.}}
  - name: large
    when: {{path: arguments.amount, op: gt, value: "1000"}}
    then: ask
    ask: {{groups: [finance], quorum: 2, decide_within_seconds: 1800, use_within_seconds: 900{large}}}
  - name: middling
    when: {{path: arguments.amount, op: gt, value: "100"}}
    then: ask
    ask: {{{whom}, decide_within_seconds: 1800, use_within_seconds: 900, {more}grants: {bounds}}}
  - {{name: small, then: allow}}
otherwise: deny
"""
SMALL_ONES: Value = {"path": "arguments.amount", "op": "lte", "value": "1000"}
_keys = count(1)


def let_stand_in(
    shop: Shop, version: int = 2, *, bounds: str = BOUNDS, large: str = "", more: str = "", middling_quorum: int = 1, panels: str = ""
) -> None:  # fmt: skip
    """Publish a policy whose rules let a standing approval stand in."""
    whom = f"panels: {panels}" if panels else f"groups: [finance], quorum: {middling_quorum}"
    applied = shop.apply(POLICY.format(version=version, bounds=bounds, large=large, more=more, whom=whom))
    assert not [each for each in applied if each.faults], applied


def terms(shop: Shop, *, lasts: timedelta = timedelta(days=1), **given: Any) -> Terms:
    """Give the terms of a standing approval for payments up to 1,000 to anybody, of the shop's agent."""
    with inside():
        ends_at = clock.now() + lasts
    said: dict[str, Any] = {
        "operation": "pay", "target_pattern": "payee:*", "uses_most": 5, "ends_at": ends_at, "purpose": "Weekly payments",
        "agent_id": shop.agent.pk, "constraint": SMALL_ONES, "amount_path": "arguments.amount", "amount_most": Decimal(5000),
    }  # fmt: skip
    return Terms(**said | given)


def proposed(shop: Shop, by: str = "ann", **given: Any) -> Grant:
    """Have a standing approval proposed."""
    receipt = propose(shop.actor(by), terms(shop, **given), key=f"grant-{next(_keys)}")
    return grant(UUID(receipt["grant"]))


def standing(shop: Shop, **given: Any) -> Grant:
    """Have a standing approval that is in force."""
    found = proposed(shop, **given)
    confirm(shop.actor("amir"), found.pk, key=f"grant-{next(_keys)}")
    return grant(found.pk)


def revoked(shop: Shop, found: Grant, by: str = "amir", reason: str = "Not any more.") -> Grant:
    """Have it revoked."""
    revoke(shop.actor(by), found.pk, reason=reason, key=f"grant-{next(_keys)}")
    return grant(found.pk)


def grant(grant_id: UUID) -> Grant:
    """Read a grant anew."""
    with inside():
        return Grant.objects.get(pk=grant_id)


def uses(found: Grant) -> list[str]:
    """Give the states of a grant's uses, in order."""
    with inside():
        return list(GrantUse.objects.filter(grant=found).order_by("reserved_at", "pk").values_list("state", flat=True))


def taken(found: Grant) -> tuple[int, Decimal]:
    """Give how many uses, and how much, are reserved or spent."""
    now = grant(found.pk)
    return now.uses_taken, now.amount_taken
