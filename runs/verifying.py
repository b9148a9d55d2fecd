"""What follows when an effect is verified: an answer that says "done" proves little, and counts once the world shows it. Pure."""

from dataclasses import replace
from datetime import datetime

from runs.contracts.operation import Verification
from runs.outcome import Step, more
from runs.states import ACCEPTED, SUCCEEDED, UNKNOWN, VERIFY

SAID_DONE = "It said that it was done."
OTHERWISE = {
    "absent": "nothing is found of it",
    "rejected": "what is read says that it was not done",
    "partial": "what is read says that only a part of it was done",
    "conflict": "what is read was not made by this intent",
}


def verified_first(step: Step, was: str, rule: Verification | None) -> Step:
    """Give what follows an answer with the look that comes first where the contract has one: nothing is done before the world shows it.

    An effect that `was` unknown stays unknown meanwhile, as the table of moves has it."""
    if rule is None or step.state != SUCCEEDED:
        return step
    return Step(UNKNOWN if was == UNKNOWN else ACCEPTED, 0.0, step.reason, VERIFY)


def after_verifying(
    outcome: str, reason: str, state: str, rule: Verification, *, since: datetime | None, now: datetime, looks: int,
    retry_after: float | None = None,
) -> Step:  # fmt: skip
    """Decide what follows a look at the world for an effect in `state`, which is verified `since`; `looks` were made since the act.

    Only what is shown makes it done. What is shown otherwise is for a person: an answer said that it was done, so it never failed."""
    if outcome == "succeeded":
        return Step(SUCCEEDED, None, reason)
    if outcome in OTHERWISE:
        return Step(UNKNOWN, None, more(f"{SAID_DONE[:-1]}, and {OTHERWISE[outcome]}.", reason))
    wait = max(rule.wait(looks + 1), min(retry_after or 0.0, rule.max_seconds))
    again = Step(state, wait, reason, VERIFY)
    if state == ACCEPTED and since is not None and (now - since).total_seconds() >= rule.objective_seconds:
        late = f"{SAID_DONE[:-1]}, and the world does not show it in the time it was given."
        return replace(again, state=UNKNOWN, reason=more(late, reason))
    return again
