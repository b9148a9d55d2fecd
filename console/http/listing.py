"""A page of a list: its items and the cursor of the next page, if there is one."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from console.http.cursors import seal

Row = TypeVar("Row")


def page(
    rows: Sequence[Row],
    limit: int,
    show: Callable[[Row], Any],
    place: Callable[[Row], bytes],
    binding: Sequence[object],
) -> dict[str, Any]:
    """Show a page of rows, of which one more than `limit` was read to know whether more follow."""
    shown = rows[:limit]
    more = len(rows) > limit
    return {"items": [show(row) for row in shown], "next_cursor": seal(place(shown[-1]), binding) if more else None}
