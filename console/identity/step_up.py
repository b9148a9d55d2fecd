"""Whether it is really this person, just now: what a rule may ask for before somebody's word counts."""

from datetime import datetime, timedelta
from typing import Final

from console.clock import instant
from console.http.refusals import Forbidden
from console.ledger.actors import Actor

RECENT_SECONDS: Final = 300  # where no policy says how recent: making a key, breaking the glass


class StepUpNeeded(Forbidden):
    """Confirm that it is you, and send it again: this needs a fresh proof of it."""

    code = "step_up_needed"


def check_stepped_up(by: Actor, within_seconds: int, now: datetime) -> datetime:
    """Give when this person last proved who they are, which must be at most so many seconds ago. Raises StepUpNeeded.

    Both instants are the database's."""
    at = by.stepped_up_at
    if at is None or now - at > timedelta(seconds=within_seconds):
        raise StepUpNeeded(within_seconds=within_seconds, since=instant(at))
    return at
