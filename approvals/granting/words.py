"""Who may speak for a standing approval, and when their words stand in for those that a rule asks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import permutations
from typing import Final
from uuid import UUID

from approvals.models import Grant
from approvals.policy_asks import Ask, GrantBounds, Panel

PEOPLE: Final = 2  # who proposes it, and who confirms it
ROLE: Final = "role:"
APPROVER: Final = "role:approver"


@dataclass(frozen=True, slots=True)
class Word:
    """What one person said a standing approval with: groups, roles (`role:approver`), and when they had proved who they are."""

    member: UUID
    said_as: frozenset[str]
    at: datetime
    proved_at: datetime | None


def words_of(grant: Grant) -> list[Word]:
    """Give the words that a grant stands by, one or two."""
    words = [Word(grant.owner_id, frozenset(grant.owner_as), grant.created_at, grant.owner_proved_at)]
    if grant.confirmed_by_id is not None and grant.confirmed_at is not None:
        words.append(
            Word(grant.confirmed_by_id, frozenset(grant.confirmed_as), grant.confirmed_at, grant.confirmed_proved_at)
        )
    return words


def fill(ask: Ask, words: Sequence[Word]) -> bool:
    """Tell whether these words are all that is asked: each place of each panel taken by another person's."""
    places = [panel for panel in ask.panels for _ in range(panel.quorum)]
    if len(places) > len(words):
        return False
    return any(
        all(sits(word, panel) for word, panel in zip(seated, places, strict=True))
        for seated in permutations(words, len(places))
    ) and all(proven(word, ask) for word in words)


def sits(word: Word, panel: Panel) -> bool:
    """Tell whether a word counts in a panel."""
    roles = {ROLE + role for role in panel.roles}
    return (
        APPROVER in word.said_as
        and bool(word.said_as & set(panel.groups))
        and (not roles or bool(word.said_as & roles))
    )


def proven(word: Word, ask: Ask) -> bool:
    """Tell whether the person had proved who they are lately enough for what is asked."""
    if ask.step_up_within_seconds is None:
        return True
    return word.proved_at is not None and word.at - word.proved_at <= timedelta(seconds=ask.step_up_within_seconds)


def too_wide(bounds: GrantBounds, grant: Grant) -> str:
    """Say in which way a grant is wider than a rule allows; empty when it is not."""
    if grant.uses_most > bounds.uses:
        return "uses_most"
    if grant.ends_at - grant.starts_at > timedelta(seconds=bounds.within_seconds):
        return "ends_at"
    if bounds.amount_path and grant.amount_path != bounds.amount_path:
        return "amount_path"
    if bounds.amount_most is not None and (grant.amount_most is None or grant.amount_most > bounds.amount_most):
        return "amount_most"
    return ""
