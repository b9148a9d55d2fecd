"""A run drawn over time: when each effect waited for people, was attempted, and was not confirmed. Pure.

Time is folded where nothing changes: a stretch between two moments takes the room that its length asks for, but never more than a bound,
and a stretch that was made shorter is marked as such. So an attempt of a second can be seen beside a wait of three hours."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import log2

from console.pages.effects import ShownEffect
from console.pages.templatetags.times import span
from console.pages.templatetags.times import took as lasted
from runs.states import ACTS

DRAWN = 60
LEAST, MOST_ROOM = 0.6, 9.0
FOLDED = timedelta(minutes=1)
WORDS = {
    "act": "Attempt",
    "resend": "Sent again as attempt",
    "status": "Asked about it",
    "read": "Read what is there",
    "verify": "Verified",
    "check": "Checked first",
    "cancel": "Asked to stop",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Something that lasted; `until` is None while it lasts. Its place is in per cent of the width."""

    kind: str  # asked | unknown | act | status
    tone: str
    words: str
    since: datetime
    until: datetime | None
    took: str
    href: str
    left: str = ""
    width: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """One effect with its stretches, in order."""

    number: int
    summary: str
    state: str
    stretches: list[Stretch]


@dataclass(frozen=True, slots=True)
class Fold:
    """A quiet stretch that is drawn shorter than it was."""

    at: str
    length: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """The drawing of a run, from its first moment to its last, or to now."""

    since: datetime
    until: datetime
    lanes: list[Lane]
    folds: list[Fold]
    more: int  # effects that are not drawn


def timeline(
    effects: Sequence[ShownEffect], since: datetime, ended_at: datetime | None, now: datetime, entries: dict[str, str]
) -> Timeline | None:
    """Draw the effects of a run; `entries` gives the place in the history at which an attempt is told, by its id."""
    drawn = [(effect, list(_stretches(effect, entries))) for effect in effects[:DRAWN]]
    # What is not confirmed when its run ends goes on being so.
    until = now if ended_at is None or any(effect.ended_at is None for effect in effects) else ended_at
    moments = [since, until, *(at for _, found in drawn for each in found for at in (each.since, each.until or until))]
    scale = _Scale(moments)
    if not any(found for _, found in drawn):
        return None
    lanes = [
        Lane(effect.number, effect.summary, effect.state, [scale.placed(each, until) for each in found])
        for effect, found in drawn
    ]
    return Timeline(since, until, lanes, scale.folds, max(0, len(effects) - DRAWN))


def _stretches(effect: ShownEffect, entries: dict[str, str]) -> Iterable[Stretch]:
    permit = effect.request
    if permit is not None:
        words = f"Waited for people, {permit.state}" if permit.decided_at else "Waits for people"
        yield _stretch("asked", "wait", words, permit.created_at, permit.decided_at, f"/approvals/{permit.id}")
    if effect.unknown_since is not None:
        yield _stretch(
            "unknown", "unknown", "Not confirmed", effect.unknown_since, effect.ended_at, f"#effect-{effect.number}"
        )
    for attempt in effect.attempts:
        outcome = (attempt.outcome or attempt.state).replace("_", " ")
        acts, words = attempt.kind in ACTS, WORDS.get(attempt.kind, attempt.kind)
        name = f"{words} {attempt.number}" if acts else words
        yield _stretch(
            "act" if acts else "status", _tone(attempt.outcome, attempt.state), f"{name}, {outcome}", attempt.started_at, attempt.ended_at,
            entries.get(str(attempt.id), f"#effect-{effect.number}"),
        )  # fmt: skip


def _stretch(kind: str, tone: str, words: str, since: datetime, until: datetime | None, href: str) -> Stretch:
    return Stretch(kind, tone, words, since, until, lasted(since, until) if until else "", href)


def _tone(outcome: str, state: str) -> str:
    if state == "lost" or outcome == "unknown":
        return "unknown"
    if state == "running":
        return "act"
    return {"succeeded": "good", "rejected": "bad", "denied": "bad", "invalid": "bad", "partial": "wait"}.get(
        outcome, "plain"
    )


class _Scale:
    """Where a moment lies, in per cent: stretches between moments take room as the logarithm of their length, within bounds."""

    def __init__(self, moments: Iterable[datetime]) -> None:
        ordered = sorted(set(moments))
        rooms = [_room(later - earlier) for earlier, later in pairwise(ordered)]
        whole = sum(rooms) or 1.0
        self.at, place = {ordered[0]: 0.0}, 0.0
        self.folds: list[Fold] = []
        for (earlier, later), room in zip(pairwise(ordered), rooms, strict=True):
            wide = 100 * room / whole
            if later - earlier >= FOLDED and room >= MOST_ROOM and wide >= 8:
                self.folds.append(Fold(f"{place + wide / 2:.2f}%", span((later - earlier).total_seconds())))
            place += wide
            self.at[later] = place

    def placed(self, stretch: Stretch, end: datetime) -> Stretch:
        """Give the stretch with its place; one that still lasts reaches the end."""
        left = self.at[stretch.since]
        wide = max(self.at[stretch.until or end] - left, 0.8)
        left = min(left, 100 - wide)
        return Stretch(
            stretch.kind, stretch.tone, stretch.words, stretch.since, stretch.until, stretch.took, stretch.href,
            f"{left:.2f}%", f"{wide:.2f}%",
        )  # fmt: skip


def _room(length: timedelta) -> float:
    return min(MOST_ROOM, max(LEAST, log2(1 + length.total_seconds())))
