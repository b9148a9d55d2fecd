"""What follows an answer: the next state of the effect, and when to try or to look again. Pure; the contract and the record decide."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from runs.contracts.retry import Retry
from runs.states import ACCEPTED, FAILED, PARTIAL, READY, REJECTED, SUCCEEDED, UNKNOWN

# Kept back before a deadline for recording what came of the last attempt (R-D4).
RESERVED_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Step:
    """The state that an outcome leads to; `delay` counts, in seconds, to the next attempt or look (None: none is planned)."""

    state: str
    delay: float | None
    reason: str


SETTLES = {
    "succeeded": SUCCEEDED, "rejected": REJECTED, "denied": REJECTED, "conflict": REJECTED, "invalid": FAILED, "partial": PARTIAL,
}  # fmt: skip


def after_act(
    outcome: str,
    reason: str,
    rule: Retry,
    *,
    attempts: int,
    first_at: datetime,
    now: datetime,
    deadline_at: datetime,
    retry_after: float | None,
    look_every: float | None,
) -> Step:
    """Decide what follows the answer to an act; `attempts` counts this one. Only what the contract calls retryable is done again (R-D1)."""
    if outcome in SETTLES:
        return Step(SETTLES[outcome], None, reason)
    if outcome in {"accepted", "unknown"}:
        return Step(ACCEPTED if outcome == "accepted" else UNKNOWN, look_every, reason)
    if outcome not in rule.retryable:
        return Step(FAILED, None, reason)
    delay = backoff(rule, attempts)
    if rule.honour_retry_after and retry_after is not None:
        delay = max(delay, retry_after)
    given_up = _why_not_again(rule, attempts, first_at, now + timedelta(seconds=delay), deadline_at)
    if given_up:
        return Step(rule.exhausted, None, f"{reason} {given_up}".strip())
    return Step(READY, delay, reason)


def _why_not_again(rule: Retry, attempts: int, first_at: datetime, due: datetime, deadline_at: datetime) -> str | None:
    """Say which of the conditions of R-D1 fails for an attempt at `due`; None when all hold."""
    if attempts >= rule.attempts:
        return f"Given up after {attempts} attempts." if attempts > 1 else "The contract allows one attempt."
    if due >= deadline_at - timedelta(seconds=RESERVED_SECONDS):
        return "The deadline leaves no time for another attempt."
    if due > first_at + timedelta(seconds=rule.total_seconds):
        return "The time for attempts is used up."
    return None


def after_look(outcome: str, reason: str, state: str, *, looks: int, look_every: float, overdue: bool) -> Step:
    """Decide what follows a status query about an effect in `state` (accepted or unknown): only proof ends it; else it is asked again.

    What was accepted and is not done by its objective is unknown from then on (R-F6)."""
    if outcome in {"succeeded", "rejected", "partial"}:
        return Step(SETTLES[outcome], None, reason)
    # Absence, a pending answer or none at all prove nothing here; ask again, more and more seldom.
    delay = min(look_every * 2.0 ** min(looks, 6), 3600.0)
    if state == ACCEPTED and overdue:
        return Step(UNKNOWN, delay, f"{reason} It was accepted, and is not done in the time it was given.".strip())
    return Step(state, delay, reason)


def backoff(rule: Retry, attempts: int) -> float:
    """Draw the wait before the next attempt: full jitter below an exponentially growing bound (R-D2)."""
    return random.uniform(0, rule.ceiling(attempts))  # noqa: S311 - spreads load, guards nothing
