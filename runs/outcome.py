"""What follows an answer: the next state of the effect, and when to try or to look again. Pure; the contract and the record decide."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from runs.states import ACCEPTED, FAILED, PARTIAL, READY, REJECTED, SUCCEEDED, UNKNOWN

# Kept back before a deadline for recording what came of the last attempt (R-D4).
RESERVED_SECONDS = 2.0


class RetryRule(Protocol):
    """What a contract says of retries; all spans in seconds."""

    @property
    def retryable(self) -> frozenset[str]: ...
    @property
    def attempts(self) -> int: ...
    @property
    def total_seconds(self) -> float: ...
    @property
    def base_seconds(self) -> float: ...
    @property
    def factor(self) -> float: ...
    @property
    def max_seconds(self) -> float: ...
    @property
    def honour_retry_after(self) -> bool: ...
    @property
    def exhausted(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Step:
    """The state that an outcome leads to; `delay` counts, in seconds, to the next attempt or look (None: none is planned)."""

    state: str
    delay: float | None
    reason: str


SETTLES = {"succeeded": SUCCEEDED, "rejected": REJECTED, "denied": REJECTED, "invalid": FAILED, "partial": PARTIAL}


def after_act(
    outcome: str,
    reason: str,
    rule: RetryRule,
    *,
    attempts: int,
    first_at: datetime,
    now: datetime,
    deadline_at: datetime,
    retry_after: float | None,
    look_every: float | None,
) -> Step:
    """Decide what follows the answer to an act: `attempts` counts this one. Only the contract's retryable outcomes are tried again (R-D1)."""
    if outcome in SETTLES:
        return Step(SETTLES[outcome], None, reason)
    if outcome == "accepted":
        return Step(ACCEPTED, look_every, reason)
    if outcome not in rule.retryable or outcome == "unknown":
        return Step(UNKNOWN, look_every, reason) if outcome == "unknown" else Step(FAILED, None, reason)
    if attempts >= rule.attempts:
        return Step(rule.exhausted, None, f"{reason} Given up after {attempts} attempts.".strip())
    delay = backoff(rule, attempts)
    if rule.honour_retry_after and retry_after is not None:
        delay = max(delay, retry_after)
    due = now + timedelta(seconds=delay)
    if due >= deadline_at - timedelta(seconds=RESERVED_SECONDS):
        return Step(rule.exhausted, None, f"{reason} The deadline leaves no time for another attempt.".strip())
    if due > first_at + timedelta(seconds=rule.total_seconds):
        return Step(rule.exhausted, None, f"{reason} The time for attempts is used up.".strip())
    return Step(READY, delay, reason)


def after_look(outcome: str, reason: str, state: str, *, looks: int, look_every: float) -> Step:
    """Decide what follows a status query about an effect in `state` (accepted or unknown): only proof moves it; else it is asked again."""
    if outcome in {"succeeded", "rejected", "partial"}:
        return Step(SETTLES[outcome], None, reason)
    # Absence, a pending answer or none at all prove nothing here; ask again, more and more seldom.
    return Step(state, min(look_every * 2.0 ** min(looks, 6), 3600.0), reason)


def backoff(rule: RetryRule, attempts: int) -> float:
    """Draw the wait before the next attempt: full jitter below an exponentially growing bound (R-D2)."""
    bound = min(rule.max_seconds, rule.base_seconds * rule.factor ** (attempts - 1))
    return random.uniform(0, bound)  # noqa: S311 - spreads load, guards nothing
