"""The seats that a request's panels have, who has taken one and how many are free, as approvals/sql/counted.sql counts them."""

from dataclasses import dataclass

from approvals.models import Decision, Request
from approvals.policy_asks import Panel
from approvals.seats import fills, panels


@dataclass(frozen=True, slots=True)
class Seats:
    """A panel as its seats: who has taken one, and how many are free."""

    whom: str
    taken: list[str]
    free: int


def seats(request: Request) -> list[Seats]:
    """Seat everybody whose approval stands, each once, so that as many seats as can be are taken."""
    asked_of = panels(request)
    standing = [vote for vote in request.decisions.all() if vote.verdict == "approve" and vote.withdrawn_at is None]
    taken: dict[tuple[int, int], Decision] = {}
    for vote in standing:
        _seat(vote, asked_of, taken, set())
    return [
        Seats(
            whom(panel),
            found := [name(vote) for (at, _), vote in taken.items() if at == place],
            panel.quorum - len(found),
        )
        for place, panel in enumerate(asked_of)
    ]


def name(vote: Decision) -> str:
    """Name who gave a word, and in whose place: Ann for Ben."""
    own = vote.voice is None or vote.voice_id == vote.member_id
    return vote.member.user.name if own or vote.voice is None else f"{vote.member.user.name} for {vote.voice.user.name}"


def whom(panel: Panel) -> str:
    """Say whom a panel asks: finance or legal, as operator."""
    groups = " or ".join(panel.groups)
    return f"{groups}, as {' or '.join(panel.roles)}" if panel.roles else groups


def _seat(
    vote: Decision, asked_of: tuple[Panel, ...], taken: dict[tuple[int, int], Decision], tried: set[tuple[int, int]]
) -> bool:
    """Give a vote a seat that it fits, if need be by having another move on (Kuhn's augmenting path)."""
    for seat in (
        (place, number) for place, panel in enumerate(asked_of) if _fits(vote, panel) for number in range(panel.quorum)
    ):
        if seat in tried:
            continue
        tried.add(seat)
        if seat not in taken or _seat(taken[seat], asked_of, taken, tried):
            taken[seat] = vote
            return True
    return False


def _fits(vote: Decision, panel: Panel) -> bool:
    """Tell whether a vote may take one of a panel's seats, as approvals/sql/counted.sql counts it."""
    voice, by = vote.voice or vote.member, vote.delegation
    if not all(each.active and "approver" in each.roles for each in (vote.member, voice)):
        return False
    if voice.pk == vote.member_id:
        return fills(voice, voice.groups, panel)
    return (
        by is not None
        and by.revoked_at is None
        and fills(voice, set(voice.groups) & set(by.groups or voice.groups), panel)
    )
