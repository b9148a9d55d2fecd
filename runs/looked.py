"""What follows a look at an effect that is accepted or unknown: only proof ends it; else it is looked at again. Pure."""

import math
from dataclasses import replace

from runs.contracts.asking import Asking
from runs.contracts.retry import Retry
from runs.finding_out import NOTHING, FindingOut
from runs.outcome import SETTLES, Step, Tried, backoff, more, try_again, why_not_again
from runs.states import ACCEPTED, RESEND, STATUS, UNKNOWN

PROOF = frozenset({"succeeded", "rejected", "partial"})
# For an effect that is looked at although its contract says nothing of that.
UNASKED = Asking(absence_is_proof=False, every_seconds=5.0, objective_seconds=math.inf)


def after_look(
    outcome: str, reason: str, state: str, rule: Retry, tried: Tried, *, kind: str = STATUS, looks: int = 0,
    retry_after: float | None = None, finding: FindingOut = NOTHING,
) -> Step:  # fmt: skip
    """Decide what follows a look at an effect in `state`; `looks` counts those since the last act, without this one.

    What was accepted and is not done by its objective, or is not to be found, is unknown from then on (R-F6)."""
    if outcome in PROOF:
        return Step(SETTLES[outcome], None, reason)
    if outcome == "conflict":
        return Step(UNKNOWN, None, reason or "What is there was not made by this intent.")
    asking = finding.look.asking if finding.look else UNASKED
    wait = max(asking.wait(looks + 1), min(retry_after or 0.0, asking.max_seconds))
    again = Step(state, wait, reason, kind)
    if state == ACCEPTED:
        return _of_what_was_accepted(outcome, tried, asking, again)
    return _of_what_is_absent(rule, tried, asking, again, finding) if outcome == "absent" else again


def _of_what_was_accepted(outcome: str, tried: Tried, asking: Asking, again: Step) -> Step:
    if outcome == "absent":
        gone = more(again.reason, "It was accepted, and now nothing is found of it.")
        return replace(again, state=UNKNOWN, delay=asking.every_seconds, reason=gone)
    if (tried.now - tried.first_at).total_seconds() >= asking.objective_seconds:
        late = more(again.reason, "It was accepted, and is not done in the time it was given.")
        return replace(again, state=UNKNOWN, reason=late)
    return again


def _of_what_is_absent(rule: Retry, tried: Tried, asking: Asking, again: Step, finding: FindingOut) -> Step:
    """That nothing is found proves that nothing happened where the contract says so, and long enough after it was sent (R-F2)."""
    early = asking.absence_after_seconds
    if tried.acted_at is not None:
        early -= (tried.now - tried.acted_at).total_seconds()
    if asking.absence_is_proof and early <= 0:
        proof = more(again.reason, "Nothing is found of it, which proves that it did not happen.")
        return try_again(proof, rule, tried)
    if asking.absence_is_proof:
        too_early = more(again.reason, "Nothing is found of it yet, which proves nothing so early.")
        return replace(again, delay=max(early, asking.every_seconds), reason=too_early)
    reason = more(again.reason, "Nothing is found of it, which proves nothing.")
    if not finding.resends:
        return replace(again, reason=reason)
    delay = max(backoff(rule, tried.attempts), early)
    why_not = why_not_again(rule, tried, delay)
    if why_not:
        return replace(again, reason=more(reason, f"It is not sent again: {why_not}"))
    return Step(UNKNOWN, delay, reason, RESEND)
