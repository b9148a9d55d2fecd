"""Runs of the shop that wait, as tests open their waits and look at them."""

from itertools import count
from typing import Any
from uuid import UUID

from runs.models import Wait
from runs.waits import opening, withdrawing
from runs.waits.drafts import WaitDraft
from tests.cast import inside
from tests.shop import Shop

_keys = count(1)


def key() -> str:
    """Give a key that was not used before."""
    return f"pending-{next(_keys)}"


def timer(seconds: float = 60, **more: Any) -> WaitDraft:
    """Draft a wait for a time so many seconds ahead."""
    return WaitDraft("timer", {"after_seconds": int(seconds)}, **more)


def signal(of: str = "paid", correlation: str = "", **more: Any) -> WaitDraft:
    """Draft a wait for a signal."""
    return WaitDraft("signal", {"name": of} | ({"correlation": correlation} if correlation else {}), **more)


def open_wait(shop: Shop, run: UUID, *drafts: WaitDraft, epoch: int = 1, **more: Any) -> dict[str, Any]:
    """Open waits as the run's driver."""
    return opening.open_together(
        shop.bot, run, epoch=epoch, drafts=drafts or [timer()], key=more.pop("key", key()), **more
    )


def take_back(shop: Shop, run: UUID, name: str, reason: str = "", *, epoch: int = 1) -> dict[str, Any]:
    """Withdraw a wait as the run's driver."""
    return withdrawing.withdraw(shop.bot, wait(run, name).pk, epoch=epoch, reason=reason, key=key())


def wait(run: UUID, name: str) -> Wait:
    """Read a wait anew, by its name."""
    with inside():
        return Wait.objects.filter(run_id=run, name=name).order_by("-number")[0]


def waits(run: UUID) -> dict[str, str]:
    """Give the state of each wait of a run, by name."""
    with inside():
        return dict(Wait.objects.filter(run_id=run).order_by("number").values_list("name", "state"))
