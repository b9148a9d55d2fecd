"""Pausing and lifting as tests call them. oscar operates, dora administers."""

from itertools import count
from typing import Any
from uuid import UUID

from runs.models import Pause
from runs.pausing import pausing, releasing
from runs.pausing.pausing import Subject
from runs.sweep import CLOCK
from tests.cast import inside
from tests.shop import Shop

_keys = count(1)
EVERYTHING = Subject("tenant")
EMERGENCY = Subject("tenant", emergency=True)


def of_run(run: UUID) -> Subject:
    """Give one run as what is paused."""
    return Subject("run", run=run)


def of_operation(name: str = "pay") -> Subject:
    """Give an operation as what is paused."""
    return Subject("operation", name=name)


def of_type(name: str = "errand") -> Subject:
    """Give a run type as what is paused."""
    return Subject("run_type", name=name)


def pause(shop: Shop, subject: Subject, by: str = "", reason: str = "Something is wrong.", key: str = "") -> UUID:
    """Pause it, by whoever may, and give the pause's id."""
    return UUID(paused(shop, subject, by, reason, key)["pause"])


def paused(
    shop: Shop, subject: Subject, by: str = "", reason: str = "Something is wrong.", key: str = ""
) -> dict[str, Any]:
    """Pause it, and give the receipt."""
    name = by or ("dora" if subject.scope == "tenant" else "oscar")
    return pausing.pause(shop.actor(name), subject, reason=reason, key=key or f"pause-{next(_keys)}")


def lift(
    shop: Shop, pause_id: UUID, by: str = "dora", reason: str = "It is right again.", key: str = ""
) -> dict[str, Any]:
    """Lift a pause."""
    return pausing.lift(shop.actor(by), pause_id, reason=reason, key=key or f"lift-{next(_keys)}")


def stored(pause_id: UUID) -> Pause:
    """Read a pause anew."""
    with inside():
        return Pause.objects.get(pk=pause_id)


def release(limit: int = 500) -> int:
    """Let the clock make due again what a lifted pause had stopped."""
    with inside():
        return releasing.release_due(CLOCK, limit)
