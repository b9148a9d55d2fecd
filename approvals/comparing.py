"""What a new version of a policy would change for something that is judged already. Pure."""

from dataclasses import dataclass
from typing import Final

from approvals.policy_asks import Ask
from approvals.policy_document import ALLOW, ASK, DENY

SAME: Final = "same"
RELEASED: Final = "released"
DENIED: Final = "denied"
MORE: Final = "more"
OTHERS: Final = "others"
TERMS: Final = "terms"
ASKED: Final = "asked"
# In the order in which a dry run tells them: what is lost first, what nobody has to look at last.
CHANGES: Final = (DENIED, MORE, OTHERS, TERMS, ASKED, RELEASED, SAME)


@dataclass(frozen=True, slots=True)
class Stand:
    """How something is judged: the verdict, and what is asked where it asks."""

    verdict: str
    ask: Ask | None = None


def change(before: Stand, after: Stand) -> str:
    """Name what becomes of something that is judged as `before` when it is judged as `after`."""
    if after.verdict == DENY:
        return SAME if before.verdict == DENY else DENIED
    if after.verdict == ALLOW:
        return SAME if before.verdict == ALLOW else RELEASED
    if before.verdict != ASK or before.ask is None or after.ask is None:
        return ASKED
    return _asked(before.ask, after.ask)


def _asked(before: Ask, after: Ask) -> str:
    if before == after:
        return SAME
    if after.quorum > before.quorum:
        return MORE
    return OTHERS if set(before.panels) != set(after.panels) else TERMS
