"""A line of a contract list: a question, the fields that answer it, and what finds out whether they do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from console.exact.value import Object


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list, the fields that answer it, and what finds its open questions."""

    name: str
    fields: tuple[str, ...]
    open_questions: Callable[[Object], Iterator[tuple[str, str]]]
    of_reads: bool = True  # whether the line is asked of what only reads, too


def present(*questions: tuple[str, str]) -> Callable[[Object], Iterator[tuple[str, str]]]:
    """Make a finder for fields that must stand there, even if only to say that there is none."""

    def missing(contract: Object) -> Iterator[tuple[str, str]]:
        return ((field, question) for field, question in questions if not has(contract, field))

    return missing


def has(contract: Object, field: str) -> bool:
    place: Any = contract
    for step in field.split("."):
        if not isinstance(place, dict) or step not in place:
            return False
        place = place[step]
    return True
