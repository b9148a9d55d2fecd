"""What remains of a run when nothing more is made good for: fees, notices, what was waived, and what nobody has done yet. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from compensation.lists import listed
from compensation.models import WorkItem
from compensation.states import AT_WORK, ITEM_OVER, WAIVED

LONGEST: Final = 1_000  # of one line


def residue(items: Iterable[WorkItem], grounds: Mapping[UUID, str]) -> list[str]:
    """Give the lines, each once, in the order of the items; `grounds` says why items were waived or declined, by their ids."""
    lines: dict[str, None] = {}
    for item in items:
        lines |= dict.fromkeys(line[:LONGEST] for line in [*listed(item.left), *_unmade(item, grounds)])
    return list(lines)


def _unmade(item: WorkItem, grounds: Mapping[UUID, str]) -> list[str]:
    """Say of what was not made good for why it was waived or declined, or where it stands."""
    if item.state == WAIVED:
        return [f"Waived: {item.summary}{_why(grounds.get(item.pk, ''))}"]
    if item.pk in grounds:
        return [f"Not made good for: {item.summary}{_why(grounds[item.pk])}"]
    if item.state in ITEM_OVER:
        return []
    return [f"{'Under way' if item.state in AT_WORK else 'Not made good for'}: {item.summary}{_why(item.state_reason)}"]


def _why(reason: str) -> str:
    return f" ({reason.rstrip('.')})" if reason else ""
