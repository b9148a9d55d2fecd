"""Checklists as they are kept: points in order, each with who did it and when. Pure."""

from collections.abc import Sequence
from typing import Any, Final

from compensation import lists

NOT_DONE: Final[dict[str, Any]] = {"done_by": None, "done_at": None}


def written(texts: Sequence[str]) -> str:
    """Write a checklist down of which nothing is done; empty where there is none."""
    return lists.written({"text": text, **NOT_DONE} for text in texts)


def points(checklist: str) -> list[dict[str, Any]]:
    """Read the points of a checklist: {"text", "done_by", "done_at"}."""
    return [*lists.listed(checklist)]


def still_open(checklist: str) -> list[str]:
    """Name the points that are not done."""
    return [point["text"] for point in points(checklist) if not point["done_at"]]
