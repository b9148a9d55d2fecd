"""The second person's word about a finding that waits: confirmed, declined, or taken back by whoever made it (R-F5)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from console.clock import instant
from console.exact import Object
from console.http import reasons
from console.http.refusals import Forbidden, NotFound, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.models import Resolution
from runs.states import (
    ACTS,
    DECLINED,
    IN_FORCE,
    PARTIAL,
    RESOLUTION_PROPOSED,
    REST_SETTLED,
    UNKNOWN,
    WITHDRAWN,
)
from runs.unknowns import notices
from runs.unknowns.overtaking import overtake_one, word
from runs.unknowns.resolving import ExitNotAllowed, recorded, take_effect, way_out
from runs.unknowns.standing import (
    Held,
    NotAnOperator,
    NotUnknown,
    check_unconfirmed,
    hold,
    may_act,
    may_confirm,
)


class FindingDecided(Refusal):
    """This finding is decided; `state` says how."""

    code = "finding_decided"


class FindingOutdated(Refusal):
    """It was done again after this was found, so that the finding does not tell of it any more; find out anew."""

    code = "finding_outdated"


class SecondPerson(Forbidden):
    """Another member than the one who found it confirms or declines a finding."""

    code = "second_person"


class NotYourFinding(Forbidden):
    """Whoever found it withdraws a finding; others decline it."""

    code = "not_your_finding"


def confirm(by: Actor, resolution_id: UUID, *, reason: str = "", key: str) -> dict[str, Any]:
    """Confirm somebody else's finding, which takes effect with that. One whose effect was settled meanwhile is overtaken.

    Raises NotFound, NotAnOperator, SecondPerson, FindingDecided, NotUnknown, FindingOutdated, ExitNotAllowed, AttemptsUsedUp."""
    try:
        return _confirm(by, resolution_id, reason=reason, key=key)
    except (NotUnknown, FindingOutdated):
        overtake_one(by, resolution_id)
        raise


@move("confirm finding")
def _confirm(by: Actor, resolution_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    reasons.check_length(reason)
    asked: Object = {"resolution": str(resolution_id), "reason": reason}
    act = lambda: _confirmed(by, resolution_id, reason.strip())  # noqa: E731 - the act of `once`
    return once(by, key, "confirm_finding", asked, act, about=_effect_of(by, resolution_id))


@move("decline finding")
def decline(by: Actor, resolution_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Decline somebody else's finding, with a reason; the effect stays as it is.

    Raises NotFound, NotAnOperator, SecondPerson, FindingDecided."""
    why = reasons.given(reason)
    asked: Object = {"resolution": str(resolution_id), "reason": reason}
    act = lambda: _turned_down(by, resolution_id, DECLINED, why)  # noqa: E731
    return once(by, key, "decline_finding", asked, act, about=_effect_of(by, resolution_id))


@move("withdraw finding")
def withdraw(by: Actor, resolution_id: UUID, *, reason: str = "", key: str) -> dict[str, Any]:
    """Take back one's own finding before it is confirmed. Raises NotFound, NotAnOperator, NotYourFinding, FindingDecided."""
    reasons.check_length(reason)
    asked: Object = {"resolution": str(resolution_id), "reason": reason}
    act = lambda: _turned_down(by, resolution_id, WITHDRAWN, reason.strip())  # noqa: E731
    return once(by, key, "withdraw_finding", asked, act, about=_effect_of(by, resolution_id))


def _confirmed(by: Actor, resolution_id: UUID, reason: str) -> dict[str, Any]:
    held, resolution = _held(by, resolution_id)
    if resolution.proposed_by_id == by.principal:
        raise SecondPerson(**held.standing)
    if not may_confirm(held.member, held.document):
        raise NotAnOperator(
            "Operators and members of the contract's own groups confirm a finding.", group=held.document.unknown.owner
        )
    _check_open(resolution, held)
    check_unconfirmed(held, (PARTIAL,) if resolution.exit == REST_SETTLED else (UNKNOWN,))
    if any(attempt.kind in ACTS and attempt.started_at > resolution.proposed_at for attempt in held.attempts):
        raise FindingOutdated(**held.standing)
    way_out(held, resolution.exit, resolution.then, resolution.extra_attempts)
    if not may_act(resolution.proposed_by, held.effect, held.document):
        raise ExitNotAllowed(
            why="Whoever found this may not act on it any more; decline it and find out anew.", **held.standing
        )
    _decide(resolution, IN_FORCE, by, reason, held.now)
    entries = [(held.run.pk, "resolution.confirmed", word(resolution)), *take_effect(held, resolution)]
    notices.passed_on(by, held.effect, resolution, held.now)
    return recorded(by, held, resolution, entries)


def _turned_down(by: Actor, resolution_id: UUID, state: str, reason: str) -> dict[str, Any]:
    held, resolution = _held(by, resolution_id)
    own = resolution.proposed_by_id == by.principal
    if state == WITHDRAWN and not own:
        raise NotYourFinding(**held.standing)
    if state == DECLINED and own:
        raise SecondPerson("Take back your own finding instead.", **held.standing)
    _check_open(resolution, held)
    _decide(resolution, state, by, reason, held.now)
    return recorded(by, held, resolution, [(held.run.pk, f"resolution.{state}", word(resolution))])


def _held(by: Actor, resolution_id: UUID) -> tuple[Held, Resolution]:
    held = hold(by, _effect_of(by, resolution_id))
    found = Resolution.objects.select_related("proposed_by__user").select_for_update(of=("self",))
    return held, found.get(pk=resolution_id)


def _effect_of(by: Actor, resolution_id: UUID) -> UUID:
    found = Resolution.objects.filter(pk=resolution_id, tenant_id=by.tenant).values_list("effect_id", flat=True).first()
    if found is None:
        raise NotFound
    return found


def _check_open(resolution: Resolution, held: Held) -> None:
    if resolution.state != RESOLUTION_PROPOSED:
        decided = resolution.decided_by
        raise FindingDecided(
            finding=resolution.state, by=decided.user.name if decided else None, at=instant(resolution.decided_at),
            reason=resolution.decided_reason, **held.standing,
        )  # fmt: skip


def _decide(resolution: Resolution, state: str, by: Actor, reason: str, now: datetime) -> None:
    resolution.state, resolution.decided_by_id, resolution.decided_at, resolution.decided_reason = (
        state, by.principal, now, reason,
    )  # fmt: skip
    resolution.save(update_fields=["state", "decided_by", "decided_at", "decided_reason"])
