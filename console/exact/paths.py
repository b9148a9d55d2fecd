"""Dotted paths into a value: `arguments.amount`, `body.items.0.id`. Used by conditions and templates alike."""

import re
from enum import Enum
from typing import Final, TypeAlias

from console.exact.value import Value

Path: TypeAlias = tuple[str, ...]

LONGEST = 200
STEPS = 16
_PATH = re.compile(r"[^\s.{}\x00-\x1f\x7f]+(?:\.[^\s.{}\x00-\x1f\x7f]+)*")
_INDEX = re.compile(r"0|[1-9][0-9]{0,5}")


class Absent(Enum):
    """The mark for "there is nothing at this path", which is not the same as null."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


class BadPath(ValueError):
    """This is not a dotted path that is taken."""


def path_of(text: str) -> Path:
    """Read a dotted path; BadPath when it is empty, too long, or has blank steps, spaces or braces."""
    steps = tuple(text.split("."))
    if len(text) > LONGEST or len(steps) > STEPS or not _PATH.fullmatch(text):
        raise BadPath(f"a path is at most {STEPS} names joined by dots, without spaces or braces")
    return steps


def follow(value: Value, path: Path) -> Value | Absent:
    """Give what stands at the path (a number is an index in a list), or ABSENT."""
    for step in path:
        if isinstance(value, dict):
            if step not in value:
                return ABSENT
            value = value[step]
        elif isinstance(value, list) and _INDEX.fullmatch(step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return ABSENT
    return value
