"""How runs of a type, and effects of an operation, are cancelled; and what a run may use up before it is stopped."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

EVERYBODY: Final = frozenset({"driver", "operator", "admin"})
SCOPES: Final = frozenset({"effect", "run", "tree"})


@dataclass(frozen=True, slots=True)
class RunCancellation:
    """Who may cancel a run (driver, operator, admin), how, what may still be done meanwhile, and what becomes of its children."""

    who: frozenset[str] = EVERYBODY
    mode: str = "graceful"
    grace_seconds: int = 60
    cleanup: frozenset[str] = frozenset()
    children: str = "cancel"


@dataclass(frozen=True, slots=True)
class EffectCancellation:
    """Who may cancel an effect, from where it is reached, how, and whether the other side is asked to stop what it has."""

    who: frozenset[str] = EVERYBODY
    scopes: frozenset[str] = SCOPES
    mode: str = "graceful"
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use up; None: no limit. `on_exhaustion` says what follows: hold or fail."""

    attempts: int | None = None
    cost: Decimal | None = None
    tokens: int | None = None
    children: int | None = None
    wall_seconds: int | None = None
    on_exhaustion: str = "hold"


def run_cancellation(section: Any) -> RunCancellation:
    """Read the section `cancellation` of a run type in normal form; None where the contract has none."""
    if section is None:
        return RunCancellation()
    who, cleanup = frozenset[str](section["who"]), frozenset[str](section["cleanup"])
    return RunCancellation(who, section["mode"], int(section["grace_seconds"]), cleanup, section["children"])


def effect_cancellation(section: Any) -> EffectCancellation:
    """Read the section `cancellation` of an operation in normal form; None where the contract has none."""
    if section is None:
        return EffectCancellation()
    asks = section["in_flight"] == "request_cancel"
    return EffectCancellation(frozenset(section["who"]), frozenset(section["scopes"]), section["mode"], asks)


def limits(section: Any) -> Limits:
    """Read the section `limits` of a run type in normal form; None where the contract has none."""
    if section is None:
        return Limits()
    whole = {name: _whole(section[name]) for name in ("attempts", "tokens", "children", "wall_seconds")}
    cost = section["cost"]
    return Limits(**whole, cost=None if cost is None else Decimal(cost), on_exhaustion=section["on_exhaustion"])


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)
