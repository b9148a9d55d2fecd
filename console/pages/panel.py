"""One panel of a run's page, as a room gives it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from console.pages.room import MemberRequest
from runs.models import Run

ITEMS = "items"  # the word of a run's address for a place among its work items


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of a run's page: `name` is its anchor, `template` draws it from `says`; an urgent one stands before the effects, and
    one that only offers a move stands with the others of its kind, below the cover."""

    name: str
    title: str
    template: str
    says: Mapping[str, Any]
    icon: str = ""
    tone: str = "plain"
    count: int | None = None
    urgent: bool = False
    only_a_move: bool = False


Teller: TypeAlias = Callable[[MemberRequest, Run], Panel | None]
