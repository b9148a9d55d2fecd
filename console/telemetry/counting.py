"""Counting what this process does. Counts are kept here for a few seconds and then carried to where every process's are added up."""

import logging
import os
import threading
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

logger = logging.getLogger(__name__)
Labels: TypeAlias = tuple[tuple[str, str], ...]
Counts: TypeAlias = Mapping[tuple[str, Labels], float]
EVERY_SECONDS: Final = 5.0
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0)
_lock = threading.Lock()
_counts: dict[tuple[str, Labels], float] = {}


def count(name: str, amount: float = 1, /, **labels: object) -> None:
    """Add to a counter."""
    if amount:
        _add({(name, _labels(labels)): amount})


def observe(name: str, value: float, /, **labels: object) -> None:
    """Add an observation to a histogram: to the bucket that it falls into, and to the sum."""
    least = next((str(bound) for bound in BUCKETS if value <= bound), "+Inf")
    _add({(f"{name}_bucket", _labels({**labels, "le": least})): 1, (f"{name}_sum", _labels(labels)): value})


def take() -> Counts:
    """Give what was counted since the last time, and begin anew."""
    with _lock:
        taken = dict(_counts)
        _counts.clear()
    return taken


def put_back(counts: Counts) -> None:
    """Add what could not be carried away to what is counted meanwhile."""
    _add(counts)


def _add(counts: Counts) -> None:
    with _lock:
        for place, amount in counts.items():
            _counts[place] = _counts.get(place, 0) + amount


def _labels(labels: Mapping[str, object]) -> Labels:
    return tuple(sorted((name, str(value)) for name, value in labels.items()))


def _forget() -> None:
    """Begin with nothing in a forked child: what its parent has counted is carried away by the parent."""
    global _lock  # noqa: PLW0603 - the parent may have held it
    _lock = threading.Lock()
    _counts.clear()


os.register_at_fork(after_in_child=_forget)


class Carrier(threading.Thread):
    """Carries counts away every few seconds until it is told to stop, and once more then."""

    def __init__(self, carry: Callable[[Counts], None], every: float = EVERY_SECONDS) -> None:
        super().__init__(name="counts", daemon=True)
        self.carry, self.every = carry, every
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(self.every):
            carry(self.carry)

    def stop(self) -> None:
        """Carry the rest away, and end."""
        self.over.set()
        carry(self.carry)


def carry(away: Callable[[Counts], None]) -> None:
    """Carry counts away now; what cannot be carried waits for the next time."""
    taken = take()
    if not taken:
        return
    try:
        away(taken)
    except Exception as fault:  # noqa: BLE001 - counts are not worth a fault
        put_back(taken)
        logger.warning("counts wait: %s", type(fault).__name__)
