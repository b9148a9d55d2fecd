"""Handing decisions over, in few words."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from approvals.delegating import giving
from approvals.delegating.giving import Terms
from approvals.models import Delegation
from console import clock
from tests.cast import inside
from tests.shop import Shop


def now() -> datetime:
    """Ask the database for the time."""
    with inside():
        return clock.now()


def terms(**given: Any) -> Terms:
    """Say for a week and for everything, unless told otherwise."""
    days = given.pop("days", 7)
    usual: dict[str, Any] = {
        "operations": (), "groups": (), "starts_at": None, "ends_at": now() + timedelta(days=days), "reason": "At sea.",
    }  # fmt: skip
    return Terms(**(usual | given))


def give(shop: Shop, giver: str = "amir", taker: str = "ann", *, key: str = "", **given: Any) -> Delegation:
    """Let somebody decide in somebody's place."""
    became = giving.give(shop.actor(giver), shop.members[taker].pk, terms(**given), key=key or f"key-{uuid4()}")
    return stored(UUID(became["delegation"]))


def take_back(shop: Shop, delegation: Delegation, by: str = "amir") -> dict[str, Any]:
    """End it."""
    return giving.revoke(shop.actor(by), delegation.pk, key=f"key-{uuid4()}")


def stored(delegation_id: UUID) -> Delegation:
    """Read it anew."""
    with inside():
        return Delegation.objects.select_related("giver__user", "taker__user").get(pk=delegation_id)
