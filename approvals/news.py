"""What whoever asked is told of an answer: how it ended, whether to ask again, and what would be said yes to."""

from collections.abc import Iterable
from datetime import datetime

from approvals.alone.outcomes import UNKNOWN
from approvals.models import Decision, Request
from approvals.states import EXPIRED, LAPSED, REROUTED, WITHDRAWN
from console.exact import Value, decode

# Nobody said no to these; they may be asked again as they were, under a new key. A denial and a revocation are a word.
NOBODY_SAID_NO = frozenset({EXPIRED, LAPSED, WITHDRAWN})


def may_resubmit(request: Request) -> bool:
    """Tell whether asking for the same again makes sense. What a new policy judges by itself, effects of runs, is not asked again."""
    return request.state in NOBODY_SAID_NO or (request.alone and request.state == REROUTED)


def alternative(decisions: Iterable[Decision]) -> Value:
    """Give the arguments that the last denier would say yes to, if one named any."""
    offered = [each for each in decisions if each.alternative and each.withdrawn_at is None]
    return decode(max(offered, key=lambda each: (each.at, each.pk)).alternative, 128) if offered else None


def outcome(request: Request, now: datetime) -> str:
    """Give what became of what stands alone; without a report in its time nobody knows, whether the clock has passed or not."""
    unreported = request.alone and not request.outcome and request.finish_by is not None and request.finish_by <= now
    return UNKNOWN if unreported else request.outcome
