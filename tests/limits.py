"""Runs with limits, in the words of tests."""

from itertools import count
from typing import Any
from uuid import UUID

from runs.limits import budgets, extending, usage
from tests.cast import inside
from tests.shop import Shop

LIMITED = """
apiVersion: counterfoil/v1
kind: RunType
name: {name}
version: 1
description: Runs that may use so much.
consequential: false
operations: "*"
limits: {limits}
"""
_keys = count(1)


def limited(shop: Shop, name: str = "frugal", limits: str = "{}") -> str:
    """Put a type of run with limits in force, and give its name."""
    refused = [applied for applied in shop.apply(LIMITED.format(name=name, limits=limits)) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return name


def use(shop: Shop, run: UUID, *, key: str | None = None, epoch: int = 1, **used: Any) -> dict[str, Any]:
    """Report what was used, as the run's driver."""
    return usage.report(shop.bot, run, epoch=epoch, key=key or f"usage-{next(_keys)}", **used)


def extend(
    shop: Shop, run: UUID, *, name: str = "oscar", reason: str = "It is worth it.", key: str | None = None, **more: Any
) -> dict[str, Any]:
    """Give a run more, as an operator."""
    return extending.extend(shop.actor(name), run, more=more, reason=reason, key=key or f"extend-{next(_keys)}")


def left(shop: Shop, run: UUID) -> dict[str, str]:
    """Give what is left of each budget."""
    limits = shop.run(run).limits
    with inside():
        return {each.name: str(each.shown()["left"]) for each in budgets.of_run(run, limits)}
