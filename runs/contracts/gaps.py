"""The questions that a contract leaves open, line by line of the two lists (R-M1, R-M2).

A consequential contract with an open question cannot be published. What has a default in the format is answered by it.
"""

from dataclasses import dataclass

from console.documents import Document
from runs.contracts.lines import Line
from runs.contracts.recovery import RECOVERY
from runs.contracts.resume import RESUME

LINES: dict[str, tuple[Line, ...]] = {"Operation": RECOVERY, "RunType": RESUME}


@dataclass(frozen=True, slots=True)
class Gap:
    """An open question: the line of the list that it belongs to, the question, and the field that answers it."""

    line: str
    question: str
    field: str


def gaps(document: Document) -> list[Gap]:
    """Give the open questions of a valid contract, in the order of the list; policies and dependencies have none."""
    found = ((line, line.open_questions(document.value)) for line in lines_of(document))
    return [Gap(line.name, question, field) for line, questions in found for field, question in questions]


def lines_of(document: Document) -> list[Line]:
    """Give the lines that are asked of a contract; what only reads has no effect to ask about."""
    lines = LINES.get(document.kind, ())
    return [line for line in lines if line.of_reads or document.value.get("access") != "read"]


def publishable(document: Document) -> bool:
    """Tell whether the contract may be published: it is not consequential, or leaves nothing open."""
    return not document.value.get("consequential", document.kind == "RunType") or not gaps(document)
