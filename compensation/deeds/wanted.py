"""A work item as somebody wants it added: read strictly before anything is locked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from compensation.states import NEEDS, REQUIRED
from console.exact import Object
from console.http import reasons
from console.http.refusals import InvalidContent
from runs.contracts.undoing import OWNER

LONGEST_SUMMARY: Final = 500
LONGEST_INSTRUCTIONS: Final = 10_000
MOST_POINTS: Final = 50
LONGEST_POINT: Final = 500
MOST_AFTER: Final = 50
LONGEST_SECONDS: Final = 366 * 86_400
FITS: Final = {
    "summary": "Say what is to be done in a line of 1 to 500 characters.",
    "instructions": "Instructions have at most 10,000 characters.",
    "checklist": "A checklist has at most 50 points of up to 500 characters.",
    "need": "It is required or allowed.",
    "deadline_seconds": "It is to be done within a year.",
    "after": "At most 50 work items come before it.",
}


class BadItem(InvalidContent):
    """A work item has a summary, and what else is said of it fits; `path` says what does not."""

    code = "bad_item"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A work item as somebody wants it. Spans in seconds; `after` names items of the same run that are to be over first."""

    summary: str
    instructions: str = ""
    checklist: Sequence[str] = ()
    need: str = REQUIRED
    deadline_seconds: int | None = None
    owner_group: str = OWNER
    after: Sequence[UUID] = ()
    needs_second: bool = False
    reason: str = ""

    def asked(self) -> Object:
        """Give what equality of keys compares."""
        return {
            "summary": self.summary, "instructions": self.instructions, "checklist": [*self.checklist], "need": self.need,
            "deadline_seconds": self.deadline_seconds, "owner_group": self.owner_group, "after": [str(each) for each in self.after],
            "needs_second": self.needs_second, "reason": self.reason,
        }  # fmt: skip


def checked(wanted: Wanted) -> Wanted:
    """Give what is wanted without what surrounds its texts. Raises BadItem, ReasonMissing, ReasonTooLong."""
    wanted = replace(
        wanted, summary=" ".join(wanted.summary.split()), instructions=wanted.instructions.strip(),
        checklist=[each.strip() for each in wanted.checklist if each.strip()], owner_group=wanted.owner_group.strip() or OWNER,
        after=sorted(set(wanted.after)), reason=reasons.given(wanted.reason),
    )  # fmt: skip
    limits = {
        "summary": 1 <= len(wanted.summary) <= LONGEST_SUMMARY,
        "instructions": len(wanted.instructions) <= LONGEST_INSTRUCTIONS,
        "checklist": len(wanted.checklist) <= MOST_POINTS and all(len(each) <= LONGEST_POINT for each in wanted.checklist),
        "need": wanted.need in NEEDS,
        "deadline_seconds": wanted.deadline_seconds is None or 0 < wanted.deadline_seconds <= LONGEST_SECONDS,
        "after": len(wanted.after) <= MOST_AFTER,
    }  # fmt: skip
    wrong = next((name for name, fits in limits.items() if not fits), None)
    if wrong is not None:
        raise BadItem(FITS[wrong], path=f"/{wrong}")
    return wanted
