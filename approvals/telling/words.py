"""The words of messages about approvals: short, times absolute, and nothing of the arguments but what the summary says."""

from datetime import datetime
from typing import Final

from approvals.models import Request
from approvals.states import APPROVED, DENIED, EXPIRED, LAPSED, REROUTED, REVOKED, WITHDRAWN

LONGEST: Final = 300  # of what others wrote, in one line
HOW: Final = {
    APPROVED: "Approved", DENIED: "Denied", EXPIRED: "Expired", WITHDRAWN: "Withdrawn", LAPSED: "Lapsed", REVOKED: "Revoked",
    REROUTED: "Judged again",
}  # fmt: skip
MEANS: Final = {
    APPROVED: "It may be done until {use_by}.",
    DENIED: "It is not done.",
    EXPIRED: "Nobody decided in time. It is not done.",
    WITHDRAWN: "There is nothing left to decide.",
    LAPSED: "It was approved and not begun in time. It is not done.",
    REVOKED: "What was not begun is not done.",
    REROUTED: "The policy or the target changed, and another request may take its place.",
}


def in_a_line(text: str) -> str:
    """Give a text in one line of bearable length, and say so when something is left out."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} … (more on the page)"


def at(moment: datetime | None) -> str:
    """Give a moment in absolute words."""
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else "no time"


def what(request: Request) -> str:
    """Say what a request is about: its summary, as the contract words it."""
    return in_a_line(request.summary)


def asks(request: Request, agent: str) -> str:
    """Say who asks, for which target and until when."""
    return f"{agent} asks. Target: {in_a_line(request.target)}. {until(request)}"


def until(request: Request) -> str:
    """Say until when it can be decided, and what silence means."""
    return f"Decide by {at(request.decide_by)}; if nobody does, it will not be done."


def path(request: Request) -> str:
    """Give the page of a request, which shows and never decides."""
    return f"/approvals/{request.pk}"
