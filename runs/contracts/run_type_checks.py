"""What must be true of a run type's contract beyond its form: its parts agree with each other."""

from collections.abc import Iterator
from typing import Any

from console.documents import Fault
from console.exact.value import Object
from runs.contracts.outcomes import MESSAGE
from runs.contracts.placeholders import answer_faults


def run_type_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of a run type's contract that is well-formed and in normal form."""
    for index, migration in enumerate(contract.get("migrations", [])):
        if migration["from"] >= migration["to"]:
            yield Fault(f"/migrations/{index}/to", "out_of_range", "A migration leads to a later version.")
    yield from _signal_faults(contract.get("signals", {}))
    yield from _cleanup_faults(contract)
    yield from _limit_faults(contract)


def _signal_faults(signals: Object) -> Iterator[Fault]:
    for name, rule in signals.items():
        at = f"/signals/{name}/correlation"
        yield from answer_faults(rule["correlation"], at, MESSAGE)
        if "{" not in rule["correlation"]:
            yield Fault(at, "bad_template", "This is the same of every message; use a {placeholder}.")


def _cleanup_faults(contract: Object) -> Iterator[Fault]:
    operations: Any = contract["operations"]
    for index, name in enumerate(contract.get("cancellation", {}).get("cleanup", [])):
        if operations != "*" and name not in operations:
            yield Fault(
                f"/cancellation/cleanup/{index}", "unknown_name", f"{name} is not among the operations of such runs."
            )


def _limit_faults(contract: Object) -> Iterator[Fault]:
    wall, deadline = contract.get("limits", {}).get("wall_seconds"), contract.get("deadline_seconds")
    if wall is not None and deadline is not None and wall > deadline:
        yield Fault("/limits/wall_seconds", "out_of_range", "This must be within deadline_seconds.")
