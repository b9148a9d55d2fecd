"""Loans, of which a policy asks everything that a policy can ask of people: the cast of the deciding tests."""

from typing import Any
from uuid import UUID, uuid4

from approvals.deciding import escalating, extending, revoking, voting, withdrawing
from approvals.models import Decision, Request
from console.exact import Value
from console.ledger.actors import Actor
from tests.cast import inside
from tests.shop import Shop, draft, operation

LENDING = """
apiVersion: counterfoil/v1
kind: Policy
name: lending
version: {version}
operations: [lend]
rules:
  - name: asked
    then: ask
    ask: {{{whom}, decide_within_seconds: 1800, use_within_seconds: 900{more}}}
otherwise: deny
"""
ONE = "groups: [finance]"
TWO = "groups: [finance], quorum: 2"
PANELS = "panels: [{groups: [finance], quorum: 1}, {groups: [support], quorum: 1}]"
NARROW = ", narrow: [{path: arguments.amount, towards: less}]"


def lending(shop: Shop, whom: str = ONE, more: str = "", *, version: int = 1) -> None:
    """Put a policy for loans in force, and what it is for."""
    if version == 1:
        shop.apply(operation("lend"))
    applied = shop.apply(LENDING.format(version=version, whom=whom, more=more))
    assert [each.outcome for each in applied] == ["new"], applied


def loan(shop: Shop, amount: str = "250") -> tuple[UUID, Request]:
    """Have the agent ask for a loan; gives the run and what is asked."""
    run = shop.accept(draft("loan", amount, "lend"))
    return run, shop.request(run, "loan")


def approve(shop: Shop, request: Request, by: str | Actor = "ann", **more: Any) -> dict[str, Any]:
    """Approve what the request says now."""
    actor = shop.actor(by) if isinstance(by, str) else by
    said: dict[str, Any] = {
        "reason": "Fine.",
        "key": f"key-{uuid4()}",
        "shown_digest": request.subject_digest.hex(),
        **more,
    }
    return voting.approve(actor, request.pk, **said)


def narrow(shop: Shop, request: Request, by: str = "ann", **check: Value) -> dict[str, Any]:
    """Approve it for less: the amount at most so much, unless told otherwise."""
    return approve(shop, request, by, constraints={"path": "arguments.amount", "op": "lte", **check})


def withdraw_vote(shop: Shop, request: Request, by: str = "ann", reason: str = "I misread it.") -> dict[str, Any]:
    """Take one's approval back."""
    return withdrawing.withdraw_vote(shop.actor(by), request.pk, reason=reason, key=f"key-{uuid4()}")


def extend(
    shop: Shop, request: Request, by: str = "ann", seconds: int | None = None, reason: str = "Ann is away."
) -> dict[str, Any]:
    """Put the deadline off."""
    return extending.extend(shop.actor(by), request.pk, seconds=seconds, reason=reason, key=f"key-{uuid4()}")


def escalate(shop: Shop, request: Request, by: str = "ann", reason: str = "It is too large for me.") -> dict[str, Any]:
    """Have others asked too."""
    return escalating.escalate(shop.actor(by), request.pk, reason=reason, key=f"key-{uuid4()}")


def revoke(shop: Shop, request: Request, by: str = "ann", reason: str = "Bob is bankrupt.") -> dict[str, Any]:
    """Take back what was approved."""
    return revoking.revoke(shop.actor(by), request.pk, reason=reason, key=f"key-{uuid4()}")


def now(request: Request) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request.pk)


def words(request: Request) -> list[Decision]:
    """Read what was said, in its order."""
    with inside():
        return list(Decision.objects.filter(request=request).order_by("at", "id"))
