"""What the facts about drivers amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Fact, Folded, Reducer
from runs.states import STALLED


def _acquired(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "run", run, epoch=says["epoch"], driver_id=says["driver"], lease_holder=says["holder"], resume_due=True
    )
    if says.get("goes_on"):
        _goes_on(folded, run, fact)


def _released(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, epoch=fact.says["epoch"], lease_holder="")


def _stalled(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, attention=STALLED, attention_since=fact.at, attention_reason=fact.says["reason"])


def _goes_on(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, attention="", attention_since=None, attention_reason="")


def _child_accepted(folded: Folded, run: str, fact: Fact) -> None:
    """Nothing of the run itself changes: that it is its parent, the child says."""


REDUCERS: dict[str, Reducer] = {
    "child.accepted": _child_accepted,
    "run.acquired": _acquired,
    "run.released": _released,
    "run.stalled": _stalled,
    "run.goes_on": _goes_on,
}
