"""Breaking the glass for one request: no vote, never counted as one, and all else that holds of an approval holds of it too."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import record, states, telling
from approvals.breaking.refusals import BadTimeBox, NoGlassToBreak, NotAmongBreakers, TargetNotTyped
from approvals.breaking.typing import differences, is_typed
from approvals.deciding.holding import held
from approvals.deciding.looking import check_version
from approvals.deciding.refusals import AlreadyResolved, SeparationOfDuties
from approvals.deciding.standing import check_open, check_view, how
from approvals.models import BreakGlass, Request
from approvals.policies import asked
from approvals.policy_asks import Ask, BreakGlassTerms
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Value
from console.http.reasons import given
from console.identity.groups import groups_of
from console.identity.models import Member
from console.identity.step_up import RECENT_SECONDS, check_stepped_up
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.telemetry import traces

SHORTEST: Final = 60
LONGEST_TARGET: Final = 4000


@move("break glass")
def break_glass(
    by: Actor, request_id: UUID, *, shown_digest: str, target: str, reason: str, seconds: int, key: str, unless: Callable[[UUID], None],
    shown_target: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Release a pending request over the heads of its approvers, for at most `seconds`; everybody is told, and somebody else reviews it.

    `target` is the target as the member typed it, and `shown_target` the version of its state that they were shown, however old: in an
    emergency nobody waits for a look, but at use it is read all the same. `unless` is asked whether anything forbids a yes now. Raises
    NoGlassToBreak, NotAmongBreakers, SeparationOfDuties, StepUpNeeded, TargetNotTyped, BadTimeBox, ReasonMissing, ReasonTooLong,
    and what a decision raises about a request that is not open any more, or was shown otherwise."""
    why = given(reason, "Say why it cannot wait; everybody is told.")
    if len(target) > LONGEST_TARGET:
        raise TargetNotTyped(path="/target")
    request = {
        "request": str(request_id),
        "shown": shown_digest,
        "target": target,
        "reason": reason,
        "seconds": seconds,
        **({"shown_target": shown_target} if shown_target else {}),
    }
    told = _Told(shown_digest, shown_target, target, why, seconds)

    def act() -> dict[str, Any]:
        return _released(by, request_id, told, unless)

    return once(by, key, "break glass", request, act, about=request_id)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the member was shown, typed and said."""

    shown_digest: str
    shown_target: str | None
    typed: str
    why: str
    seconds: int


def _released(by: Actor, request_id: UUID, told: _Told, unless: Callable[[UUID], None]) -> dict[str, Any]:
    request = held(request_id)
    traces.link(request.traceparent)
    now = clock.now()
    ask, terms = _terms(request)
    member = _breaker(by, request, terms)
    check_open(request, now)
    unless(request.tenant_id)
    check_view(request, told.shown_digest)
    check_version(request, told.shown_target)
    proven_at = check_stepped_up(by, min(ask.step_up_within_seconds or RECENT_SECONDS, RECENT_SECONDS), now)
    if not is_typed(told.typed, request.target):
        raise TargetNotTyped(path="/target", differs=differences(told.typed, request.target))
    if not SHORTEST <= told.seconds <= terms.within_seconds:
        raise BadTimeBox(path="/seconds", least=SHORTEST, most=terms.within_seconds)
    glass = BreakGlass(
        id=uuid7(), tenant_id=request.tenant_id, request=request, member=member, target=told.typed, reason=told.why, opened_at=now,
        ends_at=now + timedelta(seconds=told.seconds),
    )  # fmt: skip
    glass.save(force_insert=True)
    _approve(request, glass, now)
    facts: dict[str, Value] = {
        "glass": str(glass.pk), "member": str(member.pk), "target": told.typed, "reason": told.why, "ends_at": instant(glass.ends_at),
        "use_by": instant(request.use_by), "shown_digest": told.shown_digest, "shown_target": told.shown_target,
        "stepped_up_at": instant(proven_at),
    }  # fmt: skip
    record.write([(request.pk, "request.glass_broken", facts)], by, now)
    telling.glass_broken(by, glass, request)
    ring_after_commit(request.pk, request.subject, work=True)
    return {
        "receipt": "glass_broken", "request": str(request.pk), "glass": str(glass.pk), "state": states.APPROVED, "at": instant(now),
        "ends_at": instant(glass.ends_at), "use_by": instant(request.use_by),
    }  # fmt: skip


def terms_of(request: Request) -> BreakGlassTerms | None:
    """Give by whom and for how long the glass may be broken for a request; None where it may not."""
    ask = asked(request)
    return ask.break_glass if ask else None


def may_break(member: Member, request: Request) -> bool:
    """Tell whether a member is one of those who may break the glass for a request that is pending."""
    terms = terms_of(request)
    return (
        terms is not None
        and member.active
        and member.pk not in request.apart
        and not set(terms.groups).isdisjoint(groups_of(member))
    )


def _terms(request: Request) -> tuple[Ask, BreakGlassTerms]:
    ask = asked(request)
    if ask is None or ask.break_glass is None:
        raise NoGlassToBreak
    return ask, ask.break_glass


def _breaker(by: Actor, request: Request, terms: BreakGlassTerms) -> Member:
    """Give the member that the actor is, who may break the glass for this. Raises SeparationOfDuties, NotAmongBreakers."""
    if by.kind != "member" or by.id in request.apart:
        raise SeparationOfDuties
    member = Member.objects.filter(pk=by.principal, tenant_id=request.tenant_id, active=True).first()
    if member is None or set(terms.groups).isdisjoint(groups_of(member)):
        raise NotAmongBreakers(groups=list(terms.groups))
    return member


def _approve(request: Request, glass: BreakGlass, now: datetime) -> None:
    request.use_by = min(glass.ends_at, now + timedelta(seconds=request.use_within_seconds))
    pending = Request.objects.filter(
        pk=request.pk, state=states.PENDING, subject_digest=request.subject_digest, decide_by__gt=now
    )
    changes = {"state": states.APPROVED, "decided_at": now, "use_by": request.use_by, "break_glass": glass}
    if not pending.update(**changes):
        raise AlreadyResolved(**how(request))
