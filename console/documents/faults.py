"""A fault of a document: where it is, what kind it is, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong; `path` is a JSON pointer, `code` is stable, `message` is for people."""

    path: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path or '/'}: {self.message} [{self.code}]"


def under(prefix: str, faults: Iterable[Fault]) -> list[Fault]:
    """Give the faults of a part as faults of the whole that holds the part at `prefix`."""
    return [replace(fault, path=prefix + fault.path) for fault in faults]
