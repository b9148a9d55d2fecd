"""Repeating: a repetition during which others used the machine is void and taken again, a bounded number of times."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tests.bench.machine import wait_until_quiet

MOST_OTHERS_CORES = 0.2


@dataclass(frozen=True)
class Pace:
    """How thorough to be. `quick` is for trying the bench out; its figures mean nothing."""

    rounds: int = 5
    tries: int = 3
    quiet_seconds: float = 60
    quick: bool = False

    def size(self, whole: int, quick: int) -> int:
        """Choose a size."""
        return quick if self.quick else whole


QUICK = Pace(rounds=1, tries=1, quiet_seconds=0, quick=True)


@dataclass(frozen=True)
class Rep:
    """One repetition: its figure, what else was seen, the cores that others used, and whether it is void but the best to be had."""

    value: float
    others: float
    facts: dict[str, Any] = field(default_factory=dict)
    noisy: bool = False


def quietly(take: Callable[[], Rep], pace: Pace) -> Rep:
    """Take a repetition while nobody else uses the machine; after so many tries the quietest counts, marked as noisy."""
    taken: list[Rep] = []
    while len(taken) < pace.tries:
        if pace.quiet_seconds:
            wait_until_quiet(pace.quiet_seconds, MOST_OTHERS_CORES / 2)
        rep = take()
        if rep.others <= MOST_OTHERS_CORES:
            return rep
        print(f"    void: others used {rep.others:.2f} cores", flush=True)
        taken.append(rep)
    return replace(min(taken, key=lambda rep: rep.others), noisy=True)
