"""What follows an answer: the effect's next state, and when to try, to look or to send again. Pure; contract and record decide."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from runs.contracts.retry import Retry
from runs.finding_out import NOTHING, FindingOut
from runs.states import ACCEPTED, FAILED, OVERDUE, PARTIAL, READY, REJECTED, RESEND, SUCCEEDED, UNKNOWN

# Kept back before a deadline for recording what came of the last attempt (R-D4).
RESERVED_SECONDS = 2.0
NO_TIME = "The deadline leaves no time for another attempt."
BEYOND_THE_DEADLINE = "The other side asks for a wait beyond the deadline."


@dataclass(frozen=True, slots=True)
class Step:
    """The state that an outcome leads to; `delay` counts, in seconds, to the next attempt or to the step `next` (None: to none)."""

    state: str
    delay: float | None
    reason: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What was tried so far: acts and their repetitions, the one that was just answered among them, and until when there is time."""

    attempts: int
    first_at: datetime
    now: datetime
    deadline_at: datetime
    granted: int = 0  # attempts that a person allowed beyond the contract's
    acted_at: datetime | None = None  # when the last of them ended


# What these say another attempt could not change, so that it is over.
SETTLES = {
    "succeeded": SUCCEEDED, "rejected": REJECTED, "denied": REJECTED, "conflict": REJECTED, "invalid": FAILED, "partial": PARTIAL,
}  # fmt: skip
REFUSALS = frozenset({"rejected", "denied", "invalid", "conflict"})


def after_act(
    outcome: str, reason: str, rule: Retry, tried: Tried, *, retry_after: float | None = None, finding: FindingOut = NOTHING
) -> Step:  # fmt: skip
    """Decide what follows the answer to an act. Only what the contract calls retryable is done again (R-D1)."""
    if outcome in SETTLES:
        return Step(SETTLES[outcome], None, reason)
    if outcome == "accepted":
        if finding.look is not None:
            return _looked_at(ACCEPTED, reason, finding)
        return Step(ACCEPTED, finding.told_within_seconds, reason, OVERDUE if finding.told_within_seconds else "")
    if outcome == "unknown":
        return _unknown(reason, rule, tried, retry_after, finding)
    if outcome not in rule.retryable:
        never = f"The contract does not try again what ends like this ({outcome.replace('_', ' ')})."
        return Step(FAILED, None, more(reason, never))
    return try_again(reason, rule, tried, retry_after)


def after_resend(
    outcome: str, reason: str, rule: Retry, tried: Tried, *, retry_after: float | None = None, finding: FindingOut = NOTHING
) -> Step:  # fmt: skip
    """Decide what follows the answer to a repetition under the same key: it settles what was done; a refusal says nothing of the first."""
    if outcome in {"succeeded", "partial"}:
        return Step(SETTLES[outcome], None, reason)
    if outcome in REFUSALS:
        refused = "It was sent again and refused, which proves nothing about the first time."
        return Step(UNKNOWN, None, more(reason, refused))
    return _unknown(reason, rule, tried, retry_after, finding)


def _unknown(reason: str, rule: Retry, tried: Tried, retry_after: float | None, finding: FindingOut) -> Step:
    """Find out what became of it: by a look, else by sending it once more, else by a person."""
    if finding.look is not None:
        return _looked_at(UNKNOWN, reason, finding, _heeded(rule, retry_after))
    if not finding.resends_unasked:
        return Step(UNKNOWN, None, more(reason, "It is not tried again: nothing protects it from happening twice."))
    delay = max(backoff(rule, tried.attempts), _heeded(rule, retry_after))
    why_not = why_not_again(rule, tried, delay, retry_after)
    if why_not:
        return Step(UNKNOWN, None, more(reason, f"It is not sent again: {why_not}"))
    return Step(UNKNOWN, delay, reason, RESEND)


def _looked_at(state: str, reason: str, finding: FindingOut, at_least: float = 0.0) -> Step:
    look = finding.look
    if look is None:
        return Step(state, None, reason)
    return Step(state, max(look.asking.every_seconds, min(at_least, look.asking.max_seconds)), reason, look.kind)


def try_again(reason: str, rule: Retry, tried: Tried, retry_after: float | None = None) -> Step:
    """Let it be done again after a while, or say which of the conditions of R-D1 fails and end it as the contract says."""
    delay = max(backoff(rule, tried.attempts), _heeded(rule, retry_after))
    why_not = why_not_again(rule, tried, delay, retry_after)
    return Step(rule.exhausted, None, more(reason, why_not)) if why_not else Step(READY, delay, reason)


def why_not_again(rule: Retry, tried: Tried, delay: float, retry_after: float | None = None) -> str | None:
    """Say which of the conditions of R-D1 fails for an attempt after `delay`; None when all hold that can be judged now.

    That the class permits it, that nothing happens twice and that it could end differently is what leads here; authority and the
    dependency's budget are judged at the claim."""
    if tried.attempts >= rule.attempts + tried.granted:
        return (
            f"Given up after {tried.attempts} attempts." if tried.attempts > 1 else "The contract allows one attempt."
        )
    left = (tried.deadline_at - tried.now).total_seconds() - RESERVED_SECONDS
    if delay >= left:
        wished = left > 0 and _heeded(rule, retry_after) >= left
        return BEYOND_THE_DEADLINE if wished else NO_TIME
    if tried.now + timedelta(seconds=delay) > tried.first_at + timedelta(seconds=rule.total_seconds):
        return "The time for attempts is used up."
    return None


def _heeded(rule: Retry, retry_after: float | None) -> float:
    return retry_after if rule.honour_retry_after and retry_after is not None else 0.0


def more(reason: str, why: str) -> str:
    """Give a reason with another sentence."""
    return f"{reason} {why}".strip()


def backoff(rule: Retry, attempts: int) -> float:
    """Draw the wait before the next attempt: full jitter below an exponentially growing bound (R-D2)."""
    return random.uniform(0, rule.ceiling(attempts))  # noqa: S311 - spreads load, guards nothing
