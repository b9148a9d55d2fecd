"""Asking the other side now, instead of when it is due. The question waits its turn at the dependency like every other."""

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from console.clock import instant
from console.doorbell import ring_after_commit
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import record
from runs.contracts.operation import OperationDocument
from runs.finding_out import finding_out
from runs.models import Effect
from runs.states import ACCEPTED, LOOKS, RUNNING, UNKNOWN, VERIFY
from runs.unknowns.standing import Held, check_unconfirmed, hold, version_of

AGAIN_SECONDS: Final = 5  # between two questions that people ask for


class AskedJustNow(Refusal):
    """The other side was asked a moment ago, is being asked, or is about to be."""

    code = "asked_just_now"
    recorded = False


class CannotBeAsked(Refusal):
    """The contract has neither a status query nor a read-back; a person finds it out."""

    code = "cannot_be_asked"


@move("ask now")
def ask_now(by: Actor, effect_id: UUID, *, key: str) -> dict[str, Any]:
    """Have the other side asked what became of it. Raises NotFound, NotAnOperator, NotUnknown, CannotBeAsked, AskedJustNow."""
    return once(by, key, "ask_now", {"effect": str(effect_id)}, lambda: _ask(by, effect_id), about=effect_id)


def look_of(document: OperationDocument, tried: Iterable[str] = ()) -> str:
    """Name the look that finds out more: `verify` where that was `tried` (kinds of attempts), else the contract's, or nothing."""
    if document.verify is not None and VERIFY in tried:
        return VERIFY
    look = finding_out(document).look
    return look.kind if look else ""


def _ask(by: Actor, effect_id: UUID) -> dict[str, Any]:
    held = hold(by, effect_id)
    effect = held.effect
    step = look_of(held.document, [attempt.kind for attempt in held.attempts])
    if effect.state != ACCEPTED:
        check_unconfirmed(held, (UNKNOWN,))
    if not step:
        raise CannotBeAsked(**held.standing)
    wait = _wait(held)
    if wait:
        raise AskedJustNow(retry_after=wait, **held.standing)
    Effect.objects.filter(pk=effect.pk).update(next_attempt_at=held.now, next_step=step)
    record.write([(held.run.pk, "unknown.asked", {"effect": str(effect.pk), "step": step})], by, held.now)
    ring_after_commit(effect.pk, held.run.pk)
    return {
        "effect": str(effect.pk), "step": step, "state": effect.state, "version": version_of(held.run), "at": instant(held.now),
    }  # fmt: skip


def _wait(held: Held) -> int:
    """Give the seconds until it may be asked again; 0: now."""
    if any(attempt.state == RUNNING for attempt in held.attempts):
        return AGAIN_SECONDS
    due = held.effect.next_attempt_at
    last = max((attempt.started_at for attempt in held.attempts if attempt.kind in LOOKS), default=None)
    moments: list[datetime] = [at for at in (due, last) if at is not None and at <= held.now]
    since = timedelta(seconds=AGAIN_SECONDS)
    left = max(((at + since - held.now).total_seconds() for at in moments), default=0)
    if due is not None and due <= held.now:
        return max(math.ceil(left), 1)  # it is due, and whoever is free asks
    return max(math.ceil(left), 0)
