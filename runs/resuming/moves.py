"""What a driver may do next, by the decision and by how the run stands. Pure."""

from collections.abc import Iterator

from runs.resuming import made_good
from runs.resuming.facts import Facts
from runs.states import AWAITING_APPROVAL, UNKNOWN, UNSTARTED


def legal(facts: Facts, decision: str) -> list[str]:
    """Give the next legal moves, the most useful first."""
    return list(LEGAL[decision](facts))


def _goes_on(facts: Facts) -> Iterator[str]:
    if facts.corrections:
        yield "Take the corrections into account before anything else; this resume has acknowledged them."
    yield from made_good.legal(facts.run, facts.making_good)
    if facts.to_undo and facts.run.compensation not in made_good.UNDER_WAY:
        yield "Propose what undoes the effects under uncertain.to_undo."
    yield "Propose further effects; what is done, in flight or unknown is never proposed again under another key."
    if any(facts.counts.get(state) for state in UNSTARTED):
        yield "Withdraw what has not begun and is not wanted any more."
    if facts.counts.get(AWAITING_APPROVAL):
        yield "Wait for the answers to what is asked: open a wait for these effects, which releases the run."
    yield "Write a checkpoint at the next boundary."
    yield "Complete the run once its success criteria hold, or fail it with a reason."


def _waits(facts: Facts) -> Iterator[str]:
    yield "Release the run and watch its version by long poll; resume again when it has changed."
    if facts.counts.get(UNKNOWN):
        yield "Leave what is unknown alone: it is reconciled by status query, callback or a person, and never done again meanwhile."


def _needs_a_person(facts: Facts) -> Iterator[str]:
    yield "Nothing by a driver: a person decides. Watch the run's version, and resume again when it has changed."


def _is_over(facts: Facts) -> Iterator[str]:
    yield "Nothing: the run is over or ending. Going on takes an operator who reopens it, with a reason."


LEGAL = {
    "continue": _goes_on, "replan": _goes_on, "compensate": _goes_on, "wait": _waits, "escalate": _needs_a_person,
    "quarantine": _needs_a_person, "terminate": _is_over,
}  # fmt: skip
