"""What an entry about a pause says, as a sentence that a person reads. Pure."""

from collections.abc import Callable
from typing import Any, TypeAlias

Facts: TypeAlias = dict[str, Any]
STOPPED = "emergency stop: everything is stopped, and nobody is asked"  # why what would be asked about is denied

ERASED = {
    "run.paused": "Paused the run; why is erased.",
    "run.pause_lifted": "Lifted the pause of the run; why is erased.",
    "run.pauses_remain": "Kept of its pauses when they were and by whom.",
}


def _paused(facts: Facts, about: object) -> str:
    return f"Paused the run: nothing more begins until the pause is lifted{_because(facts.get('reason'))}"


def _lifted(facts: Facts, about: object) -> str:
    return f"Lifted the pause; what it had stopped may begin again{_because(facts.get('lift_reason'))}"


def _because(reason: object) -> str:
    said = str(reason or "").strip().rstrip(".")
    return f", saying: {said}." if said else "."


SENTENCES: dict[str, Callable[[Facts, Any], str]] = {
    "run.paused": _paused,
    "run.pause_lifted": _lifted,
    "run.pauses_remain": lambda facts, about: ERASED["run.pauses_remain"],
}
