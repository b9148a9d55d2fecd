"""What becomes of a delivery after an attempt: delivered, tried again after a while, or dead. Pure but for the dice."""

import random
from dataclasses import dataclass
from typing import Final

from console.notices.states import DEAD, DELIVERED, WAITING

MOST_ATTEMPTS: Final = 10
FIRST_SECONDS: Final = 10.0
FACTOR: Final = 3.0
LONGEST_SECONDS: Final = 6 * 3600.0
LEAST_SECONDS: Final = 1.0
KEPT_BYTES: Final = 2048  # of what a receiver answers
# Outcomes after which another attempt would find the same.
FINAL: Final = frozenset({"blocked", "unreadable", "stopped", "used_up"})


@dataclass(frozen=True, slots=True)
class Answer:
    """How an attempt ended: delivered, or in which way not; with the status and the first of what was answered, where something was."""

    outcome: str
    status: int | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of it: a state, and in how many seconds it is tried again."""

    state: str
    delay: float | None = None


def fate(answer: Answer, attempt: int) -> Fate:
    """Decide after so many attempts. Between them lies a random part of a span that grows threefold, at most six hours (full jitter)."""
    if answer.outcome == DELIVERED:
        return Fate(DELIVERED)
    if answer.outcome in FINAL or attempt >= MOST_ATTEMPTS:
        return Fate(DEAD)
    span = min(LONGEST_SECONDS, FIRST_SECONDS * FACTOR ** (attempt - 1))
    return Fate(WAITING, max(LEAST_SECONDS, random.uniform(0, span)))  # noqa: S311 - spreads load, guards nothing


def as_text(said: bytes | str) -> str:
    """Give what was answered as text that can be kept and shown."""
    return (said.decode("utf-8", "replace") if isinstance(said, bytes) else said).replace("\x00", "\ufffd")[:KEPT_BYTES]
