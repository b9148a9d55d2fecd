"""What the record says of drivers, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]


def _acquired(facts: Facts, about: "About") -> str:
    return (
        f"“{facts.get('holder')}” drives the run from now on, with token {facts.get('epoch')}; "
        "what is ready waits until a resume has decided."
    )


def _released(facts: Facts, about: "About") -> str:
    whose = f"“{facts['holder']}” let the run go" if facts.get("holder") else "Let the run go"
    return f"{whose}; nobody drives it until somebody takes it."


def _stalled(facts: Facts, about: "About") -> str:
    return f"The run stands still: {facts.get('reason')}."


SENTENCES: Final = {
    "child.accepted": lambda facts, about: f"Opened a run below this one, with the key {facts.get('key')}.",
    "run.acquired": _acquired,
    "run.released": _released,
    "run.stalled": _stalled,
    "run.goes_on": lambda facts, about: "The run goes on; nobody needs to look after it any more.",
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "child.accepted": "Opened a run below this one.",
    "run.acquired": "Another process drove the run from then on; its name is erased.",
    "run.released": "Whoever drove the run let it go; its name is erased.",
    "run.stalled": "The run stood still; why is erased.",
}
