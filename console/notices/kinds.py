"""The kinds of notices: what each tells. An endpoint takes those that it names, or all. Pure."""

from dataclasses import dataclass
from typing import Final

OVERDUE: Final = "effect.overdue"
REMINDER: Final = "effect.still_unknown"
ESCALATED: Final = "effect.escalated"
HANDED_OVER: Final = "effect.handed_over"
SECOND_PERSON: Final = "finding.waits"
TEST: Final = "test"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind, in few words and in a sentence."""

    name: str
    title: str
    means: str


KINDS: Final = (
    Kind(OVERDUE, "Unknown for too long", "The outcome of an effect is unknown for longer than its contract wants."),
    Kind(REMINDER, "Still unknown", "It is unknown still, at a further age that its contract names."),
    Kind(ESCALATED, "Escalated", "It is unknown still, and others have to take it."),
    Kind(HANDED_OVER, "Handed over", "Somebody handed an unknown effect over."),
    Kind(SECOND_PERSON, "A finding waits", "Somebody found out what became of an effect, and a second person has to confirm it."),
)  # fmt: skip
NAMES: Final = tuple(kind.name for kind in KINDS)
TITLES: Final = {**{kind.name: kind.title for kind in KINDS}, TEST: "Test"}
