"""What the tests of contracts share: the example contracts, and copies of them with something changed."""

import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from console.documents import Document, load
from runs.contracts import OperationDocument, normalise, operation_document, validate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "contracts"
DROP = object()


@lru_cache
def examples() -> tuple[Document, ...]:
    """Give every document of the example contracts."""
    return tuple(document for path in sorted(EXAMPLES.glob("*.yaml")) for document in load(path.read_text()))


def example(name: str, kind: str = "Operation") -> Document:
    """Give one document of the example contracts, to be changed at will."""
    (found,) = [each for each in examples() if each.name == name and each.kind == kind]
    return Document(copy.deepcopy(found.value))


def changed(document: Document, changes: dict[str, Any]) -> Document:
    """Give the document with what stands at each dotted path replaced, or dropped."""
    value = copy.deepcopy(document.value)
    for path, new in changes.items():
        *steps, last = path.split(".")
        place: Any = value
        for step in steps:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        key: Any = int(last) if isinstance(place, list) else last
        if new is DROP:
            del place[key]
        else:
            place[key] = new
    return Document(value)


def refund_with(**changes: Any) -> Document:
    """Give the refund contract, changed; `__` stands for the dots of a path."""
    return changed(example("refund"), {path.replace("__", "."): new for path, new in changes.items()})


def faults_of(document: Document) -> set[tuple[str, str]]:
    """Give a document's faults as code and path."""
    return {(fault.code, fault.path) for fault in validate(document)}


def read(document: Document) -> OperationDocument:
    """Give a valid operation as the engine reads it."""
    assert validate(document) == []
    return operation_document(normalise(document).value)
