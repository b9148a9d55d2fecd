"""A task as the pages show it: what is to be done and exactly what about, who holds it until when, and what may be reported."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import cast
from uuid import UUID

from django.http import QueryDict

from console.exact import Object, Value, decode
from console.identity.models import Member
from console.pages.blanks import Blank, blanks
from console.pages.questions import number_of
from console.pages.templatetags.arguments import in_order
from console.pages.templatetags.states import shown
from console.pages.templatetags.times import span
from runs import catalogue
from runs.contracts.executors import Permit
from runs.contracts.operation import OperationDocument
from runs.models import Attempt, Effect, Run
from runs.states import DISPATCHED, ENDED, READY, RUNNING

RENEWALS = 4  # how often a lease is renewed in its own time while the page is open
SOONEST, LATEST = 5, 300  # seconds between two renewals
# What a person can say came of it, in their words; in the order in which a form offers them.
SAID: dict[str, tuple[str, str]] = {
    "succeeded": ("It is done", "all of it, as asked"),
    "partial": ("Done in part", "some of it happened, and some did not"),
    "accepted": ("Taken on", "the other side will do it, and say so later"),
    "rejected": ("Refused", "for a reason of business; nothing was done"),
    "denied": ("Not allowed", "we may not do this; nothing was done"),
    "invalid": ("Makes no sense", "it cannot be done as it is asked; nothing was done"),
    "conflict": ("Changed meanwhile", "what it was to act on is not as it was; nothing was done"),
    "transient": ("Not now", "nothing was done, and another time it may be"),
    "overload": ("No room", "nothing was done; they are too busy"),
    "unknown": ("Cannot tell", "it may have happened or not; operators find out"),
}


@dataclass(frozen=True, slots=True)
class Hold:
    """This member's attempt: since when, until when, and by which fence its report is known."""

    attempt: UUID
    fence: int
    began_at: datetime
    lease_expires_at: datetime | None
    ends_at: datetime
    renew_seconds: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that may be reported, in a person's words."""

    name: str
    label: str
    hint: str
    chosen: bool


@dataclass(slots=True, kw_only=True)
class Task:
    """What a template is told about a task; see the top of tasks/_card.html."""

    id: UUID
    number: int
    serial: str
    state: str
    state_reason: str
    operation: str
    summary: str
    target: str
    arguments: object
    reason: str
    instructions: str
    groups: tuple[str, ...]
    run: Run
    requester_name: str
    request_id: UUID | None
    irreversible: bool
    residue: tuple[str, ...]
    if_wrong: str
    created_at: datetime
    deadline_at: datetime
    ended_at: datetime | None
    hold: Hold | None
    lost: Hold | None
    reported: Attempt | None
    may_begin: bool
    why_not: str
    lease: str
    longest: str
    evidence_needed: bool
    result: Value
    outcomes: list[Outcome] = field(default_factory=list)
    blanks: list[Blank] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Line:
    """What a row of the list is told; see tasks/_list.html."""

    id: UUID
    summary: str
    operation: str
    run: Run
    groups: list[str]
    irreversible: bool
    created_at: datetime
    deadline_at: datetime
    lease_expires_at: datetime | None


def lines(member: Member, found: Iterable[Effect]) -> list[Line]:
    """Make the rows of a list of effects whose attempts have been read."""
    return [_line(effect, _last(member, effect)) for effect in found]


def task(
    member: Member,
    now: datetime,
    effect: Effect,
    sent: QueryDict | None = None,
    faults: Mapping[str, str] | None = None,
) -> Task:
    """Show an effect that people carry out to this member, with what was written into its form before."""
    permit, document = _permit(effect)
    last = _last(member, effect)
    hold = _hold(last, effect, permit, document.attempt_timeout_seconds) if last and last.state != ENDED else None
    holds = bool(hold and _lasts(last, now))
    why_not = _why_not(effect, now)
    chosen = sent.get("outcome", "") if sent is not None else ""
    return Task(
        id=effect.pk, number=effect.number, serial=number_of(effect.pk), state=effect.state, state_reason=effect.state_reason,
        operation=effect.operation_name, summary=effect.summary, target=effect.target,
        arguments=in_order(decode(effect.arguments), effect.operation.argument_names),
        reason=effect.reason, instructions=permit.instructions, groups=permit.groups or ("operators",), run=effect.run,
        requester_name=effect.run.agent.name, request_id=effect.request_id, irreversible=effect.irreversible,
        residue=document.residue, if_wrong=document.if_it_goes_wrong, created_at=effect.created_at, deadline_at=effect.deadline_at,
        ended_at=effect.ended_at, hold=hold if holds else None, lost=hold if hold and not holds else None,
        reported=last if last and last.state == ENDED else None, may_begin=not why_not, why_not=why_not,
        lease=span(permit.lease_seconds), longest=span(document.attempt_timeout_seconds), evidence_needed=permit.evidence_required,
        result=None if effect.result is None else decode(effect.result),
        outcomes=[Outcome(name, *SAID[name], name == chosen) for name in SAID if name in permit.reports.outcomes | {"unknown"}],
        blanks=blanks(permit.form, sent, faults),
    )  # fmt: skip


def schema(effect: Effect) -> Object | None:
    """Give the schema of what a person fills in, in normal form; None when nothing is."""
    return _permit(effect)[0].form


def _permit(effect: Effect) -> tuple[Permit, OperationDocument]:
    document = catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document
    return cast("Permit", document.permit), document


def _line(effect: Effect, last: Attempt | None) -> Line:
    held = last is not None and last.state == RUNNING and effect.state == DISPATCHED
    return Line(
        id=effect.pk, summary=effect.summary, operation=effect.operation_name, run=effect.run,
        groups=list(effect.operation.groups) or ["operators"], irreversible=effect.irreversible, created_at=effect.created_at,
        deadline_at=effect.deadline_at, lease_expires_at=last.lease_expires_at if held and last else None,
    )  # fmt: skip


def _last(member: Member, effect: Effect) -> Attempt | None:
    """Give the last attempt that this member began, if it is the effect's last."""
    attempts = list(effect.attempts.all())
    return attempts[-1] if attempts and attempts[-1].worker == f"member:{member.pk}" else None


def _hold(attempt: Attempt, effect: Effect, permit: Permit, longest: float) -> Hold:
    every = min(max(permit.lease_seconds / RENEWALS, SOONEST), LATEST)
    ends_at = min(attempt.started_at + timedelta(seconds=longest), effect.deadline_at)
    return Hold(attempt.pk, attempt.fence, attempt.started_at, attempt.lease_expires_at, ends_at, int(every))


def _lasts(attempt: Attempt | None, now: datetime) -> bool:
    if attempt is None or attempt.state != RUNNING:
        return False
    return attempt.lease_expires_at is not None and attempt.lease_expires_at > now


def _why_not(effect: Effect, now: datetime) -> str:
    """Say why it cannot be begun as it stands, or nothing."""
    if effect.state == DISPATCHED:
        return "Somebody else has begun it."
    if effect.state != READY:
        return shown("effect", effect.state).meaning
    if effect.run.ended_at is not None or effect.run.state != RUNNING:
        return "Its run does not go on."
    if effect.deadline_at <= now:
        return "Its deadline has passed."
    if effect.next_attempt_at is not None and effect.next_attempt_at > now:
        return "It is tried again later."
    return ""
