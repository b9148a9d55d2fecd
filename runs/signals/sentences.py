"""What the record says of signals, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
SOURCES: Final = {"agent": "an agent", "member": "a person", "webhook": "a signed message"}


def _came(facts: Facts) -> str:
    return f"The signal “{facts.get('name')}” about “{facts.get('correlation')}”, from {SOURCES.get(str(facts.get('source')), 'outside')},"


def _taken(facts: Facts, about: "About") -> str:
    return f"{_came(facts)} came, and a wait took it."


def _late(facts: Facts, about: "About") -> str:
    return f"{_came(facts)} came too late for this run; that was kept, and changes nothing."


SENTENCES: Final = {
    "signal.taken": _taken,
    "signal.late": _late,
    "signal.remains": lambda facts, about: "Kept of a signal its name, its digest and its times.",
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "signal.taken": "A signal came, and a wait took it; what it said is erased.",
    "signal.late": "A signal came too late for this run; what it said is erased.",
}
