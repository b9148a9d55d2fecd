"""The state of what would be acted on: what its reader last said, how old that may be, and asking for another look.

Workers read, because secrets are there; nothing in this room calls anybody. A request whose contract has a reader says how old a reading
may be (`read_within_seconds`), and when it is to be read next (`read_due_at`)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from approvals.models import Request
from approvals.states import PENDING
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object, decode
from console.http.refusals import NotFound, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move

LONGEST_STATE = 20_000  # characters of a state that are kept and shown; of a longer one only the version is known


class LookAgain(Refusal):
    """What is known of the target is too old to decide on; it is being read again, so look again in a moment."""

    code = "look_again"
    status = 412


class HasNoReader(Refusal):
    """The contract does not say how the state of this target is read."""

    code = "has_no_reader"


def is_stale(request: Request, now: datetime) -> bool:
    """Tell whether the target has a reader, and was not read, or longer ago than its contract allows."""
    if request.read_within_seconds is None:
        return False
    return request.target_read_at is None or request.target_read_at < now - timedelta(
        seconds=request.read_within_seconds
    )


def is_being_read(request: Request, now: datetime) -> bool:
    """Tell whether a worker reads it at this moment, or is about to."""
    in_hand = request.reading_until is not None and request.reading_until > now
    return in_hand or (request.read_due_at is not None and request.read_due_at <= now)


def check_fresh(request: Request, now: datetime) -> None:
    """Refuse a yes to a state that nobody has looked at lately. Raises LookAgain."""
    if is_stale(request, now):
        raise LookAgain(
            read_at=instant(request.target_read_at), within_seconds=request.read_within_seconds, state=request.state,
            version=request.ledger_seq,
        )  # fmt: skip


@move("read target")
def read_again(by: Actor, request_id: UUID) -> dict[str, Any]:
    """Have the target of a pending request read now. One that is being read is not asked for twice. Raises NotFound, HasNoReader."""
    request = Request.objects.select_for_update(no_key=True).filter(pk=request_id).first()
    if request is None:
        raise NotFound
    if request.read_within_seconds is None:
        raise HasNoReader(state=request.state, version=request.ledger_seq)
    now = clock.now()
    asked = request.state == PENDING and request.decide_by > now and not is_being_read(request, now)
    if asked:
        Request.objects.filter(pk=request.pk).update(read_due_at=now)
        ring_after_commit(request.pk)
    return {"receipt": "asked" if asked else "standing", "request": str(request.pk), "at": instant(now)}


def state_of(request: Request) -> Object | None:
    """Give what the target's reader last said, as data; None when nothing was read, or it was too large to keep."""
    value = decode(request.target_state, 128) if request.target_state else None
    return value if isinstance(value, dict) else None
