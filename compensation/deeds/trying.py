"""Trying again by hand: what failed, what was found changed and may go on all the same, and what only waits for its time (R-J2).

Nothing here does the thing twice: a new try is only made where the last one ended in vain, and the database refuses any other."""

from typing import Any, Final
from uuid import UUID

from compensation.deeds.ending import check_nothing_waits
from compensation.deeds.standing import Held, check_at_rest, hold, receipt
from compensation.lists import listed
from compensation.models import WorkItem
from compensation.record import write as record
from compensation.states import EFFECT, FOR_PAUSE, FOR_PERSON, NEEDS_SOMEBODY, PLANNED, WAITING
from compensation.working import starting
from console.exact import Object, Value, canonical, digest
from console.http import reasons
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.compensating.late import is_said_of_tries
from runs.models import Effect
from runs.states import IN_VAIN, READY

SAID_LATE: Final = (
    "an answer came late that says it was done; find out, and say by hand how it ends, so that it is not done twice"
)


class NothingToRetry(Refusal):
    """Only what was tried in vain is tried again; `why` says how this one stands."""

    code = "nothing_to_retry"


class NothingToRun(Refusal):
    """Nothing of this can be put forward: `why` says what it waits for."""

    code = "nothing_to_run"


class DifferenceChanged(Refusal):
    """What was found differs from what you saw; look at it again before you say that it goes on."""

    code = "difference_changed"
    status = 412


NOT_AGAIN: Final = "Only what was tried in vain is tried again: {why}."
NOT_FORWARD: Final = "Nothing of this can be put forward: {why}."
NO_TIME: Final = "its effect does not wait for a time"
WAITS: Final = {
    "plan": "its plan is not approved", "order": "what comes before it is not over",
    "reconciliation": "it is not known whether the original happened", "approval": "people have not approved of it",
    "person": "somebody has to look at it first", "pause": "it is held by a pause, which is lifted first",
}  # fmt: skip


def why_not_again(kind: str, state: str, waits_for: str, acting: str) -> str:
    """Say why an item is not simply tried again; nothing where it is. `acting` is the state of its last try, or nothing."""
    if kind != EFFECT:
        return "people do it; there is no effect to try"
    if state not in NEEDS_SOMEBODY and not (state == WAITING and waits_for == FOR_PERSON):
        return f"it is {state}" + (f" for its {waits_for}" if waits_for else "")
    if acting and acting not in IN_VAIN:
        return "it was done in part, and what was done is kept; what is left is done by hand"
    return ""


def why_not_now(kind: str, state: str, waits_for: str, acting: str) -> str:
    """Say why nothing of an item can be put forward; nothing where it can, or may begin."""
    if acting == READY and waits_for != FOR_PAUSE:
        return ""
    if state in NEEDS_SOMEBODY:
        return "it was tried in vain; try it again instead"
    begins = state in {PLANNED, WAITING} and kind == EFFECT and not acting
    return WAITS.get(waits_for, "" if begins else NO_TIME)


@move("run item now")
def run_now(by: Actor, item_id: UUID, *, version: int | None = None, key: str) -> dict[str, Any]:
    """Do at once what would be done at its next time; nobody's turn comes before another's by that. What is due anyway stays so.

    Raises NotFound, NotAnOperator, ItemOver, StaleVersion, ItemAtWork, NothingToRun."""
    return once(by, key, "run_item_now", {"item": str(item_id)}, lambda: _run_now(by, item_id, version), about=item_id)


@move("retry item")
def retry(by: Actor, item_id: UUID, *, reason: str, version: int | None = None, key: str) -> dict[str, Any]:
    """Try once more what was tried in vain, by an effect of its own that looks at the world as the first did.

    Raises NotFound, NotAnOperator, ItemOver, StaleVersion, ItemAtWork, EndingWaits, NothingToRetry, ReasonMissing."""
    why = reasons.given(reason)
    asked: Object = {"item": str(item_id), "reason": why}
    return once(by, key, "retry_item", asked, lambda: _retry(by, item_id, why, version), about=item_id)


@move("accept difference")
def accept_difference(
    by: Actor, item_id: UUID, *, seen_digest: str, reason: str, version: int | None = None, key: str
) -> dict[str, Any]:
    """Go on although the world is not as the effect left it, as somebody saw it: what is found else than that stops it again.

    Raises NotFound, NotAnOperator, ItemOver, StaleVersion, ItemAtWork, EndingWaits, NothingToRetry, DifferenceChanged,
    ReasonMissing."""
    why = reasons.given(reason)
    asked: Object = {"item": str(item_id), "seen": seen_digest, "reason": why}
    act = lambda: _accept(by, item_id, seen_digest, why, version)  # noqa: E731 - the act of `once`
    return once(by, key, "accept_difference", asked, act, about=item_id)


def difference_digest(item: WorkItem) -> str:
    """Give the digest of what was found else than expected, which a page shows with it; empty where nothing was."""
    return digest([*listed(item.difference)]).hex() if item.difference else ""


def _run_now(by: Actor, item_id: UUID, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version)
    check_at_rest(held)
    acting = held.acting
    if acting is None or acting.state in IN_VAIN:
        return _begun(by, held)
    if acting.state != READY or held.item.waits_for == FOR_PAUSE:
        raise _nothing_to_run(held)
    if acting.next_attempt_at is None or acting.next_attempt_at > held.now:
        Effect.objects.filter(pk=acting.pk, state=READY).update(next_attempt_at=held.now)
        record([(held.plan.pk, "item.hurried", {"item": str(held.item.pk), "is": {}})], by, held.now)
    return receipt(held)


def _begun(by: Actor, held: Held) -> dict[str, Any]:
    """Begin it, if its turn has come and the clock has not seen that yet."""
    if held.item.state in {PLANNED, WAITING} and held.acting is None and held.item.kind == EFFECT:
        starting.begin_due(by, held.run, held.now)
        if WorkItem.objects.values_list("acting_id", flat=True).get(pk=held.item.pk) is not None:
            return receipt(held)
    raise _nothing_to_run(held)


def _nothing_to_run(held: Held) -> NothingToRun:
    item, acting = held.item, held.acting
    why = why_not_now(item.kind, item.state, item.waits_for, acting.state if acting else "") or NO_TIME
    return NothingToRun(NOT_FORWARD.format(why=why), why=why, **held.standing)


def _retry(by: Actor, item_id: UUID, reason: str, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version)
    _check_in_vain(held)
    return _again(by, held, reason, None)


def _accept(by: Actor, item_id: UUID, seen_digest: str, reason: str, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version)
    _check_in_vain(held)
    if not held.item.difference:
        raise NothingToRetry("Nothing was found else than expected.", why="no difference was found", **held.standing)
    if seen_digest != difference_digest(held.item):
        raise DifferenceChanged(seen_digest=difference_digest(held.item), **held.standing)
    return _again(by, held, reason, now_expected(held.item.expects, held.item.difference))


def now_expected(expects: str, difference: str) -> str:
    """Give what must still be so from now on: what was found, where it differed, and the rest as before."""
    found = {each["path"]: _as_found(each) for each in listed(difference)}
    after: dict[str, Value] = {each["path"]: each for each in listed(expects)} | found
    return canonical([*after.values()])


def _as_found(each: dict[str, Any]) -> Object:
    whole: Object = {"digest": each["found_digest"]} if "found_digest" in each else {}  # of what is too long to be kept
    return {"path": each["path"], "equals": each.get("found"), **whole}


def _check_in_vain(held: Held) -> None:
    """Refuse to try again what goes on, may have happened, was done in part, or is said to be done by an answer that came late.

    Raises ItemAtWork, EndingWaits, NothingToRetry."""
    item, acting = held.item, held.acting
    check_at_rest(held)
    check_nothing_waits(held)
    why = why_not_again(item.kind, item.state, item.waits_for, acting.state if acting else "")
    if not why and item.effect_id is not None and is_said_of_tries(item.effect_id):
        why = SAID_LATE
    if why:
        raise NothingToRetry(NOT_AGAIN.format(why=why), why=why, **held.standing)


def _again(by: Actor, held: Held, reason: str, expects: str | None) -> dict[str, Any]:
    said: Object = {"item": str(held.item.pk), "is": {}, "reason": reason, "accepted": expects or ""}
    record([(held.plan.pk, "item.asked_again", said)], by, held.now)
    before = held.item.tries
    starting.try_again(by, held.run, held.item, held.now, expects=expects)
    tries = WorkItem.objects.values_list("tries", flat=True).get(pk=held.item.pk)
    return receipt(held, tries=tries, begun=tries > before)
