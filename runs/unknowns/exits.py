"""The ways out of what is not confirmed: which are open, why the others are not, and what will happen next, said before it is taken. Pure.

Page, API and move read the same list, so that nobody is promised what is then refused (R-F4). There is no plain retry (UNK-07): doing it
again is part of one exit, "it did not happen", and needs what that needs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from runs.contracts.executors import AGENT, HUMAN
from runs.contracts.operation import OperationDocument
from runs.effect_keys import effect_key
from runs.models import Attempt, Effect, Run
from runs.states import (
    ACTS,
    CANNOT_TELL,
    CLOSING,
    DID_NOT_HAPPEN,
    HAPPENED,
    LOOKS,
    MUST_BE_UNDONE,
    PARTIAL,
    RESEND,
    REST_SETTLED,
    RUN_ENDED,
    STILL_PENDING,
    UNKNOWN,
)
from runs.states import RUNNING as UNDER_WAY
from runs.unknowns.asking import look_of

RETRY: Final = "retry"
GIVE_UP: Final = "give_up"
SETTLING: Final = (HAPPENED, DID_NOT_HAPPEN, MUST_BE_UNDONE, REST_SETTLED)  # what a second person may be needed for
WAITS: Final = (
    "It waits until another member confirms it; nothing is sent before, and an answer that comes still counts. Then: "
)
TITLES: Final = {
    (HAPPENED, ""): "It happened",
    (DID_NOT_HAPPEN, RETRY): "It did not happen → try again with the same key",
    (DID_NOT_HAPPEN, GIVE_UP): "It did not happen → give it up",
    (STILL_PENDING, ""): "Still pending",
    (MUST_BE_UNDONE, ""): "It happened, and must be undone",
    (CANNOT_TELL, ""): "Cannot tell → hand it over",
    (REST_SETTLED, ""): "The rest is settled",
}


SENT: Final = "is sent again as soon as a worker is free,"
BEGINS: Final = {AGENT: "its agent may begin it again,", HUMAN: "whoever does it may begin it again,"}


@dataclass(frozen=True, slots=True)
class Exit:
    """One way out. `next` says what will happen when it is taken, `why_not` why it cannot be."""

    name: str
    then: str
    title: str
    next: str
    allowed: bool
    why_not: str
    needs_second: bool
    attempts_left: int | None = None  # of a retry
    needs_extra: bool = False  # a retry whose attempts are used up: some must be granted, with a reason


def exits(
    effect: Effect, attempts: Iterable[Attempt], document: OperationDocument, now: datetime, *, replaced: bool = False
) -> list[Exit]:
    """Give the ways out of an unknown effect, or of one done in part; none when it is settled. `effect.run` is read with it.

    `replaced` says whether another effect took its place that was done or may yet be (runs.unknowns.standing.is_replaced)."""
    tried = list(attempts)
    if effect.state == PARTIAL and effect.reconciled_at is None:
        return [_rest_settled(effect, document)]
    if effect.state != UNKNOWN:
        return []
    return [
        _happened(effect, tried, document),
        _retry(effect, tried, document, now, replaced=replaced),
        _give_up(effect, tried, document),
        _still_pending(effect, tried, document),
        _must_be_undone(effect, tried, document),
        _cannot_tell(effect, document),
    ]


def attempts_left(effect: Effect, attempts: Iterable[Attempt], document: OperationDocument) -> int:
    """Count the times that it may still be sent: what the contract and people allow, less what was; never below nothing."""
    sent = sum(attempt.kind in ACTS for attempt in attempts)
    return max(document.retry.attempts + effect.attempts_granted - sent, 0)


def hands_over_to(document: OperationDocument) -> str:
    """Name the group that takes a case which nothing else resolves."""
    return document.unknown.escalate_to or document.unknown.owner


def _exit(
    name: str, then: str, following: str, document: OperationDocument, why_not: str = "", *, left: int | None = None
) -> Exit:
    second = name in SETTLING and document.unknown.second_person
    if second:
        following = f"{WAITS}{following}"
    return Exit(
        name, then, TITLES[name, then], following, not why_not, why_not, second, left, needs_extra=left == 0 and not why_not
    )  # fmt: skip


def _happened(effect: Effect, attempts: list[Attempt], document: OperationDocument) -> Exit:
    following = f"It becomes succeeded, and what waits for it comes to its turn. {_run_goes_on(effect.run)}"
    return _exit(HAPPENED, "", following + _under_way(attempts), document)


def _must_be_undone(effect: Effect, attempts: list[Attempt], document: OperationDocument) -> Exit:
    planned = f"a work item is planned for what makes good for it: {_by_what(document)}"
    following = f"It becomes succeeded, and {planned}. {_run_goes_on(effect.run)}"
    return _exit(MUST_BE_UNDONE, "", following + _under_way(attempts), document)


def _by_what(document: OperationDocument) -> str:
    operation = None if document.irreversible else document.compensation.operation
    return f"the operation {operation} does it" if operation else "people do it, because no operation does"


def _retry(
    effect: Effect, attempts: list[Attempt], document: OperationDocument, now: datetime, *, replaced: bool
) -> Exit:
    left = attempts_left(effect, attempts, document)
    allowed = document.retry.attempts + effect.attempts_granted
    number = allowed - left + 1
    if left:
        which = f"attempt {number} of {allowed}"
    else:
        used = "The one attempt is" if allowed == 1 else f"All {allowed} attempts are"
        which = f"{used} used up, so grant at least one more, with a reason; it is then attempt {number}"
    first = min((attempt.started_at for attempt in attempts), default=now)
    if now > first + timedelta(seconds=document.retry.total_seconds):
        which += ", and the last by itself, because the contract's time for attempts is over"
    following = (
        f"It becomes ready, and {BEGINS.get(effect.executor, SENT)} with the same key {effect_key(effect.pk)}: {which}. "
        f"Its permission is judged again first, and it is not begun after {_moment(effect.deadline_at)}."
    )
    why_not = "Another effect took its place." if replaced else _why_no_retry(effect, attempts, now)
    return _exit(DID_NOT_HAPPEN, RETRY, following + _under_way(attempts), document, why_not, left=left)


def _why_no_retry(effect: Effect, attempts: list[Attempt], now: datetime) -> str:
    run = effect.run
    if effect.deadline_at <= now:
        return f"Its deadline passed on {_moment(effect.deadline_at)}."
    if effect.compensates_id is not None:  # what makes good for something is begun whatever has become of its run
        return _why_not_while_sent(attempts)
    if run.state == CLOSING:
        return f"Its run is closing, to end as {_words(run.closing_toward)}; nothing in it is begun any more."
    if run.state in RUN_ENDED:
        return f"Its run has ended as {_words(run.state)}; nothing in it is begun any more."
    if run.deadline_at is not None and run.deadline_at <= now:
        return f"Its run's deadline passed on {_moment(run.deadline_at)}."
    return _why_not_while_sent(attempts)


def _give_up(effect: Effect, attempts: list[Attempt], document: OperationDocument) -> Exit:
    if effect.required:
        following = f"It becomes failed, and what waits for it is withdrawn. {_run_fails(effect.run)}"
    else:
        following = f"It becomes failed, and what waits for it is withdrawn. {_run_goes_on(effect.run)}"
    return _exit(DID_NOT_HAPPEN, GIVE_UP, following + _under_way(attempts), document, _why_not_while_sent(attempts))


def _still_pending(effect: Effect, attempts: list[Attempt], document: OperationDocument) -> Exit:
    if look_of(document, [attempt.kind for attempt in attempts]):
        following = "It stays unknown, and the other side is asked again at the moment that you name."
        if any(attempt.state == UNDER_WAY for attempt in attempts):
            following += " It is being asked just now; should that settle it, it is settled."
    elif effect.next_step == RESEND:
        following = "It stays unknown, and is not sent again before the moment that you name."
    else:
        following = "It stays unknown. Nothing can be asked, so look at it again yourself at the moment that you name."
    return _exit(STILL_PENDING, "", f"{following} It keeps its age and its place in the queue.", document)


def _cannot_tell(effect: Effect, document: OperationDocument) -> Exit:
    to = hands_over_to(document)
    following = f"It stays unknown and is handed to {to}, or to the group that you name; nobody owns it until one of them claims it."
    return _exit(CANNOT_TELL, "", following, document)


def _rest_settled(effect: Effect, document: OperationDocument) -> Exit:
    following = f"It stays partial, with what was done, and holds up nothing any more. {_run_goes_on(effect.run)}"
    return _exit(REST_SETTLED, "", following, document)


def _why_not_while_sent(attempts: list[Attempt]) -> str:
    if any(attempt.state == UNDER_WAY and attempt.kind in ACTS for attempt in attempts):
        return "It is being sent again at this moment and may happen yet; wait for the answer."
    return ""


def _under_way(attempts: list[Attempt]) -> str:
    if any(attempt.state == UNDER_WAY and attempt.kind in LOOKS for attempt in attempts):
        return " It is being asked just now; what is answered afterwards is kept as late evidence and changes nothing."
    return ""


def _run_goes_on(run: Run) -> str:
    if run.state in RUN_ENDED:
        return f"The run has ended as {_words(run.state)} and stays so."
    if run.state == CLOSING:
        return f"The run ends as {_words(run.closing_toward)} once nothing in it is in flight or unknown."
    if run.completes_itself:
        return "The run ends by itself once nothing in it is open."
    return "The run goes on, and its agent completes it."


def _run_fails(run: Run) -> str:
    if run.state in RUN_ENDED or run.state == CLOSING:
        return _run_goes_on(run)
    if run.completes_itself:
        return "The run needs it and ends as failed once nothing in it is open, unless it is done in another way."
    return "The run needs it and cannot be completed, unless its agent does it in another way."


def _moment(at: datetime) -> str:
    at = at.astimezone(UTC)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"


def _words(text: str) -> str:
    return text.replace("_", " ")
