"""What the state of an acting effect means for the work item that it is for. Pure: the table is the rule, and following applies it."""

from dataclasses import dataclass
from typing import Final

from compensation.states import DONE, FAILED, FOR_APPROVAL, FOR_PERSON, RUNNING, VERIFYING, WAITING
from console.exact import decode
from runs.models import Effect
from runs.states import (
    ACCEPTED,
    AWAITING_APPROVAL,
    DENIED,
    EXPIRED,
    LAPSED,
    OPEN,
    PARTIAL,
    REJECTED,
    SUCCEEDED,
    UNKNOWN,
    VERIFY,
    WITHDRAWN,
)
from runs.states import FAILED as NOT_DONE

CONFLICT: Final = "conflict"  # the outcome of what was withdrawn because the world is not as the original left it
IN_PART: Final = "It was done in part"
CHANGED_SINCE: Final = "What it would change was changed since."
ASKED_FOR: Final = "Nothing was done: somebody has to say what is right now."
NOT_KNOWN: Final = "Nobody knows whether it was done; that is found out, and it is not simply done again"
WENT_WRONG: Final = {
    REJECTED: "The other side refused it", NOT_DONE: "It was tried and not done", DENIED: "It was not allowed",
    LAPSED: "It was approved and not begun in time", EXPIRED: "Its time ran out before it was begun", WITHDRAWN: "It was withdrawn",
    PARTIAL: IN_PART,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a work item stands by its acting effect."""

    state: str
    waits_for: str = ""
    reason: str = ""


def stand(effect: Effect) -> Stand:
    """Tell where the work item of this acting effect stands."""
    state, said = effect.state, effect.state_reason
    if state == WITHDRAWN and effect.outcome == CONFLICT:
        return Stand(WAITING, FOR_PERSON, f"{said or CHANGED_SINCE} {ASKED_FOR}")
    if state in WENT_WRONG:
        return Stand(FAILED, reason=_because(WENT_WRONG[state], "" if said == state else said))  # no word twice
    if state == ACCEPTED and effect.next_step == VERIFY:
        return Stand(VERIFYING, reason="The answer says that it was done; the world is read, to see whether it was.")
    return {
        SUCCEEDED: Stand(DONE),
        AWAITING_APPROVAL: Stand(WAITING, FOR_APPROVAL, "Somebody has to approve it."),
        UNKNOWN: Stand(RUNNING, reason=_because(NOT_KNOWN, said)),
    }.get(state, Stand(RUNNING))


def may_have_happened(effect: Effect) -> bool:
    """Tell whether an acting effect was done, may be done yet, or was done in part: then nothing is tried in its place."""
    return effect.state in OPEN or effect.state in {SUCCEEDED, PARTIAL}


def in_part(effect: Effect) -> list[str]:
    """Say what of a partial compensation was done, as far as its result says it."""
    result = decode(effect.result.encode()) if effect.result else None
    if not isinstance(result, dict):
        return [f"{IN_PART}: {effect.summary}"]
    return [f"{IN_PART}: {name.replace('_', ' ')}: {_short(value)}" for name, value in sorted(result.items())]


def _short(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_short(each) for each in value)[:300] or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_short(each)}" for name, each in sorted(value.items()))[:300]
    return str(value)[:300]


def _because(what: str, reason: str) -> str:
    said = reason.strip()
    return f"{what}: {said}" if said else _sentence(what)


def _sentence(what: str) -> str:
    return f"{what}."
