"""The ten classes of failure and what this product does about each by default: one table that code, pages, API and docs read (R-B1).

What an answer means is the contract's to say, and what broke before an answer is judged by how far the call had come (runs/call.py).
The outcome that comes of that, with the state that the effect is in, names the class."""

from dataclasses import dataclass
from typing import Final

from runs.states import (
    ACCEPTED,
    DENIED,
    DISPATCHED,
    EXPIRED,
    FAILED,
    LAPSED,
    PARTIAL,
    READY,
    SUCCEEDED,
    UNKNOWN,
    UNSTARTED,
    WITHDRAWN,
)

# Reasons that this product itself gives for not beginning something; they say more than the outcome `not_sent`.
DEADLINE_PASSED: Final = "the deadline has passed."
CONTRACT_UNREADABLE: Final = "This worker cannot read the contract."


@dataclass(frozen=True, slots=True)
class FailureClass:
    """One class of failure: how it is told, and what follows unless the contract says otherwise."""

    name: str
    title: str
    means: str
    told_by: str
    response: str
    outcomes: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    reasons: tuple[str, ...] = ()  # how a reason of our own ends


INVALID_REQUEST: Final = FailureClass(
    "invalid_request",
    "Invalid request",
    "What was asked for makes no sense as it is: an argument, a template or a form is wrong. Nothing was done.",
    "The contract's outcome invalid; or the request could not even be made.",
    "It has failed and is not tried again: the same request would fail the same way. Whoever proposed it "
    "may propose a corrected one.",
    frozenset({"invalid"}),
)
AUTHORIZATION_DENIED: Final = FailureClass(
    "authorization_denied",
    "Authorization or policy denial",
    "Somebody or something that may say no said no: a policy, an approver, or the other side. Nothing was done.",
    "The state denied, by a policy or a person; or the contract's outcome denied, by the other side.",
    "It is over and is not tried again. It needs authority that it does not have: another approval, "
    "another principal, or a changed policy.",
    frozenset({"denied"}),
    frozenset({DENIED}),
)
BUSINESS_REJECTION: Final = FailureClass(
    "business_rejection",
    "Business rejection",
    "The other side understood it and refused it for a reason of its own, such as insufficient funds. "
    "Nothing was done.",
    "The contract's outcome rejected.",
    "It is rejected and is not tried again. The reason is kept; what else could be done is for whoever "
    "wanted it to decide.",
    frozenset({"rejected"}),
)
TRANSIENT: Final = FailureClass(
    "transient",
    "Transient dependency failure",
    "The other side could not be reached, or could not do it just then. Nothing was done.",
    "No connection, before any byte had left (not_sent); or the contract's outcome transient. For what "
    "only reads, also a lost or unreadable answer.",
    "It is tried again under the same key, after a random wait that grows, while the contract calls the "
    "outcome retryable and attempts, time, "
    "deadline and permission are left; then it has failed.",
    frozenset({"transient", "not_sent"}),
)
OVERLOAD: Final = FailureClass(
    "overload",
    "Overload",
    "The other side has too much to do and says so. Nothing was done.",
    "The contract's outcome overload: usually 429, or 503 where that says that nothing was done.",
    "As a transient failure, and not before the time that the other side names (Retry-After). Retries are"
    " a share of first attempts; beyond it they wait.",
    frozenset({"overload"}),
)
PARTIAL_EFFECT: Final = FailureClass(
    "partial_effect",
    "Partial effect",
    "Some of it was done and some was not.",
    "The contract's condition partial.recognised_by, which decides before its outcome table does; or its "
    "outcome partial.",
    "It is partial, with the parts that were done kept, and is not tried again: that could do them twice."
    " The run cannot succeed with it until its rest is settled.",
    frozenset({"partial"}),
    frozenset({PARTIAL}),
)
UNKNOWN_OUTCOME: Final = FailureClass(
    "unknown_outcome",
    "Unknown outcome",
    "It may have been done or not; nobody can tell from what came back.",
    "A write whose answer was lost, late, broken off, too large, unreadable or not foreseen by the "
    "contract, once a byte may have left; or whose worker vanished.",
    "It stays unknown, whatever its age, until there is evidence: it is asked after, read back, or sent "
    "again under the same key where the contract allows that; "
    "otherwise a person finds out. It blocks the end of its run.",
    frozenset({"unknown"}),
    frozenset({UNKNOWN}),
)
CONCURRENCY_CONFLICT: Final = FailureClass(
    "concurrency_conflict",
    "Concurrency conflict",
    "What it was to act on had changed meanwhile, or what was found there comes from another intent.",
    "The contract's outcome conflict; or a read-back that finds something without the proof that it is ours.",
    "Of a call: it is rejected, nothing was done, and the target is read anew before anything else is "
    "proposed. Of a look: nothing automatic follows; a person decides.",
    frozenset({"conflict"}),
)
CANCELLATION_OR_EXPIRY: Final = FailureClass(
    "cancellation_or_expiry",
    "Cancellation or expiry",
    "Nobody wanted it any more, or its time or its permission had run out before it was begun. Nothing was done.",
    "The states withdrawn, expired and lapsed; or a deadline that left no time for a call.",
    "It is over. What comes back later is kept as late evidence and revives nothing.",
    states=frozenset({WITHDRAWN, EXPIRED, LAPSED}),
    reasons=(DEADLINE_PASSED,),
)
CORRUPT_RECOVERY_STATE: Final = FailureClass(
    "corrupt_recovery_state",
    "Corrupt or incompatible recovery state",
    "What was kept cannot be read by this version, or does not hold together.",
    "A contract that a worker cannot read; or a record whose digests or fold do not agree, which "
    "manage.py verify names.",
    "Nobody guesses and nothing restarts by itself: the work is left to a worker that can read it, and a "
    "record that does not hold together is named to people.",
    reasons=(CONTRACT_UNREADABLE,),
)

FAILURES: Final = (
    INVALID_REQUEST, AUTHORIZATION_DENIED, BUSINESS_REJECTION, TRANSIENT, OVERLOAD, PARTIAL_EFFECT, UNKNOWN_OUTCOME,
    CONCURRENCY_CONFLICT, CANCELLATION_OR_EXPIRY, CORRUPT_RECOVERY_STATE,
)  # fmt: skip
BY_NAME: Final = {each.name: each for each in FAILURES}
_BY_OUTCOME: Final = {outcome: each for each in FAILURES for outcome in each.outcomes}
_BY_STATE: Final = {state: each for each in FAILURES for state in each.states}
_IN_ORDER: Final = UNSTARTED | {DISPATCHED, ACCEPTED, SUCCEEDED}  # nothing has gone wrong, as far as the state says


def class_of(outcome: str, state: str = "", state_reason: str = "") -> FailureClass | None:
    """Name the class that an effect's state and its last outcome fall into, or an attempt's outcome without a state; None for no failure.

    What is ready to be tried again has the class of what went wrong the last time."""
    if state in _BY_STATE:
        return _BY_STATE[state]
    if state in _IN_ORDER and not (state == READY and outcome):
        return None
    found = next(
        (each for each in FAILURES if any(state_reason.endswith(end) for end in each.reasons)), _BY_OUTCOME.get(outcome)
    )
    if state == READY and found in {UNKNOWN_OUTCOME, PARTIAL_EFFECT}:
        return None  # somebody found out since that nothing was done
    if state == FAILED and found in {None, UNKNOWN_OUTCOME, PARTIAL_EFFECT}:
        return TRANSIENT  # likewise, and it is not tried again
    return found
