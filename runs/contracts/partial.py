"""How a contract tells that something was done in part, and what it keeps of that (R-B2)."""

from dataclasses import dataclass
from typing import Any

from console.exact.conditions import Condition, evaluate, parse
from console.exact.value import Object
from runs.contracts.templates import Shape, fill, shape

ROOTS = frozenset({"status", "headers", "body"})


@dataclass(frozen=True, slots=True)
class PartialRule:
    """The condition that decides before the outcome table does, and the parts that are kept (None: what the table keeps)."""

    when: Condition
    parts: Shape | None

    def holds(self, answer: Object) -> bool:
        """Tell whether an answer {status, headers, body} says that it was done in part."""
        return evaluate(self.when, answer)

    def kept(self, answer: Object) -> Any:
        """Give which parts were done and which were not, as far as the answer says; None where the contract does not say."""
        return None if self.parts is None else fill(self.parts, answer, lenient=True)


def partial_rule(section: Object | None) -> PartialRule | None:
    """Read a contract's section; None where nothing decides by itself: words, or nothing."""
    how: Any = (section or {}).get("recognised_by")
    if not isinstance(how, dict):
        return None
    parts: Any = (section or {}).get("parts")
    return PartialRule(parse(how), None if parts is None else shape(parts, ROOTS))
