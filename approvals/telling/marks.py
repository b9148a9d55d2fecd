"""When people are reminded of a request: at marks of the time that there is to decide. Pure."""

from datetime import datetime
from typing import Final

MARKS: Final = ((5, "half"), (9, "most"))  # in tenths


def next_at(created_at: datetime, decide_by: datetime, told: int) -> datetime | None:
    """Say when the next reminder is due, after so many."""
    if told >= len(MARKS):
        return None
    tenths, _ = MARKS[told]
    return created_at + (decide_by - created_at) * tenths / 10
