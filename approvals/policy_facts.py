"""The facts of a policy that depend on when it is asked: the time in its zone, and what was spent in its windows. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Context, Decimal, Inexact
from typing import Final
from zoneinfo import ZoneInfo

from console.exact import digest
from console.exact.conditions import AllOf, Check, Condition
from console.exact.decimals import decimal_string
from console.exact.paths import ABSENT, follow, path_of
from console.exact.value import Object, Value
from console.exact.zones import zone

TIME: Final = frozenset({"hour", "minute", "weekday", "date"})
AGENT, TENANT, TARGET = "agent", "tenant", "target"
LONGEST_WINDOW: Final = 366 * 24 * 3600  # seconds, as the schema has it
EXACT: Final = Context(prec=400, traps=[Inexact])
# What is known of the time without asking, so that a rule for the hour 24 is found out when it is saved.
BOUNDS: Final[Mapping[str, tuple[int, int]]] = {"hour": (0, 23), "minute": (0, 59), "weekday": (1, 7)}


@dataclass(frozen=True, slots=True)
class Window:
    """A sum that a policy keeps: of which argument, over how many seconds, and for each agent, for each target, or for all."""

    name: str
    path: str
    within_seconds: int
    per: str


@dataclass(frozen=True, slots=True)
class Spend:
    """What one intent would add to a window; `meter` names the row of sums: policy, argument, and whose."""

    window: Window
    meter: bytes
    amount: Decimal


class NotAnAmount(ValueError):
    """The argument that a window adds up is there and is no exact decimal."""


def windows(section: Sequence[Object]) -> tuple[Window, ...]:
    """Read the section `spend` of a policy."""
    return tuple(Window(each["name"], each["path"], int(each["within_seconds"]), each["per"]) for each in section)


def spends(policy: str, declared: Sequence[Window], facts: Mapping[str, Value]) -> tuple[Spend, ...]:
    """Give what an intent would add to each window. Raises NotAnAmount."""
    return tuple(Spend(each, meter(policy, each, facts), amount_of(each, facts)) for each in declared)


def meter(policy: str, window: Window, facts: Mapping[str, Value]) -> bytes:
    """Name the sum that an intent belongs to; a window's name and length may change, and it goes on counting the same."""
    whose = "" if window.per == TENANT else facts[window.per]
    return digest({"policy": policy, "path": window.path, "per": window.per, "whose": whose})


def amount_of(window: Window, facts: Mapping[str, Value]) -> Decimal:
    """Give what the intent would add: nothing where the argument is absent, or below zero, so that nobody makes room by that.

    Raises NotAnAmount."""
    found = follow(dict(facts), path_of(window.path))
    if found is ABSENT or found is None:
        return Decimal(0)
    number = decimal_string(found) if isinstance(found, str) else found
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        raise NotAnAmount(window.path)
    return max(Decimal(number), Decimal(0))


def spent_facts(found: Sequence[Spend], sums: Mapping[str, Decimal]) -> Object:
    """Give what would be spent in each window with this one: the sum so far, by the window's name, and its own amount."""
    return {each.window.name: EXACT.add(sums[each.window.name], each.amount) for each in found}


def time_facts(now: datetime, zone_name: str) -> Object:
    """Say what a clock on the wall of that zone shows: hour, minute, weekday (Monday is 1), date."""
    local = now.astimezone(zone(zone_name) or UTC)
    return {
        "hour": local.hour,
        "minute": local.minute,
        "weekday": local.isoweekday(),
        "date": local.date().isoformat(),
    }


def known_of_time(named: frozenset[str]) -> Condition:
    """Say as a condition what holds of these facts of the time at any moment."""
    bounds = [(name, *BOUNDS[name]) for name in sorted(named & BOUNDS.keys())]
    return AllOf(
        tuple(
            check
            for name, least, most in bounds
            for check in (Check(("time", name), "gte", (least,)), Check(("time", name), "lte", (most,)))
        )
    )


def is_zone(name: str) -> bool:
    """Tell whether there is a time zone of this name."""
    return isinstance(zone(name), ZoneInfo)
