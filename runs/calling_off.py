"""What follows when the other side was asked to stop: its answer is evidence, and what became of it is found out as ever. Pure."""

from runs.contracts.retry import Retry
from runs.finding_out import NOTHING, FindingOut
from runs.outcome import Step, Tried, backoff, more
from runs.states import ACCEPTED, CANCEL, OVERDUE

UNHEARD = frozenset({"not_sent", "transient", "overload"})
MOST_ASKED = 3
SAID = {
    "succeeded": "The other side says that it stopped it.",
    "partial": "The other side says that it stopped a part of it.",
    "rejected": "The other side says that it can no longer be stopped.",
    "pending": "The other side says that it is stopping it.",
    "absent": "The other side knows of nothing to stop.",
}


def after_cancel(
    outcome: str, reason: str, state: str, rule: Retry, tried: Tried, *, asked: int, finding: FindingOut = NOTHING
) -> Step:
    """Decide what follows the answer to a wish to stop an effect in `state`; `asked` counts what was asked since the last act.

    A wish that was not heard is said again a few times. After that it is looked at once, for the answer proves nothing of the effect."""
    if outcome in UNHEARD and asked < MOST_ASKED:
        return Step(state, backoff(rule, asked), more(reason, "It was asked to stop, and did not hear."), CANCEL)
    said = more(SAID.get(outcome, "It was asked to stop, and said nothing that can be read."), reason)
    if finding.look is not None:
        return Step(state, 0.0, said, finding.look.kind)
    if state == ACCEPTED and finding.told_within_seconds is not None:
        passed = (tried.now - tried.first_at).total_seconds()
        return Step(state, max(finding.told_within_seconds - passed, 0.0), said, OVERDUE)
    return Step(state, None, said)
