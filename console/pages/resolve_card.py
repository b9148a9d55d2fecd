"""One effect that is not confirmed, as its page shows it: who looks after it, what was learnt, what was found, and the ways out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.http import QueryDict

from console.identity.groups import ROLE_OF
from console.identity.models import Member
from console.identity.queries import owners
from console.pages import effects, finding_form
from console.pages.blanks import Blank, blanks
from console.pages.effects import ShownAttempt, ShownEffect
from console.pages.findings import finding
from runs.contracts.operation import OperationDocument
from runs.effect_keys import effect_key
from runs.models import Effect, Resolution
from runs.states import ACTS, LOOKS, RESEND, RESOLUTION_PROPOSED, RUNNING
from runs.unknowns.asking import look_of
from runs.unknowns.exits import WAITS, Exit, exits, hands_over_to
from runs.unknowns.standing import group_of, is_replaced, is_unconfirmed, may_act, since

SHOWN_LOOKS = 50
NAMED = 200
LOOK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Way:
    """One way out, with the value that chooses it and the fields that belong to it."""

    exit: Exit
    chosen: bool

    @property
    def value(self) -> str:
        """What is posted when it is chosen."""
        return f"{self.exit.name}:{self.exit.then}" if self.exit.then else self.exit.name

    @property
    def next(self) -> str:
        """What will happen; that a second person is waited for is said once for all ways."""
        return self.exit.next.removeprefix(WAITS)


@dataclass(frozen=True, slots=True)
class Keeping:
    """Who looks after it, and what this member may do about that."""

    group: str
    owner_name: str
    is_mine: bool
    since: datetime | None
    may_act: bool
    escalated_at: datetime | None
    overdue: bool
    objective_at: datetime | None


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt, and the looks just before it that brought the same."""

    attempt: ShownAttempt
    before: list[ShownAttempt]


@dataclass(frozen=True, slots=True)
class Asking:
    """Whether the other side can be asked, when it is, and what it said last."""

    can: bool
    reads: bool  # it is read, not asked
    under_way: bool
    next_at: datetime | None
    times: int
    last: ShownAttempt | None
    sends_again: bool = False  # the next step is no question: it is sent once more under its key


def context(
    member: Member,
    now: datetime,
    effect: Effect,
    document: OperationDocument,
    found: Sequence[Resolution],
    sent: QueryDict | None = None,
    faults: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Give all that the page is told; `sent` and `faults` are of a form that was refused."""
    shown = effects.alone(effect, {}, member, now)
    attempts = list(effect.attempts.all())
    ways = exits(effect, attempts, document, now, replaced=is_replaced(effect))
    shown_findings = [finding(each, member, ways) for each in found]
    waiting = next((each for each in shown_findings if each.state == RESOLUTION_PROPOSED), None)
    acts, looks = _kinds(shown.attempts)
    return {
        "effect": shown,
        "run": effect.run,
        "document": document,
        "open": is_unconfirmed(effect),
        "version": effect.run.ledger_seq,
        "sent_as": effect_key(effect.pk) if document.http else "",
        "reference": effect.operation_reference,
        "keeping": keeping(member, effect, document, now),
        "asking": asking(effect, document, shown, looks),
        "tried": tried(sorted([*acts, *looks[-SHOWN_LOOKS:]], key=lambda attempt: attempt.number)),
        "looks_left_out": max(0, len(looks) - SHOWN_LOOKS),
        "ways": [Way(each, sent is not None and _value(each) == sent.get("way", "")) for each in ways],
        "second_person": document.unknown.second_person,
        "tells_results": any(each.allowed and each.name in finding_form.WITH_RESULT for each in ways),
        "waiting": waiting,
        "findings": [each for each in shown_findings if each is not waiting],
        "blanks": result_blanks(document, sent, faults),
        "typed": typed(sent, now),
        "faults": faults or {},
        "hands_to": hands_over_to(document),
    }


def tried(attempts: Sequence[ShownAttempt]) -> list[Tried]:
    """Give the attempts in order; of looks that brought the same one after the other, the last, with those before it folded."""
    groups = [list(group) for _, group in groupby(attempts, _same)]
    return [Tried(group[-1], group[:-1]) for group in groups]


def keeping(member: Member, effect: Effect, document: OperationDocument, now: datetime) -> Keeping:
    """Say who looks after an effect, for a member."""
    by = objective(effect, document)
    return Keeping(
        group=group_of(effect, document), owner_name=effect.owner.user.name if effect.owner else "",
        is_mine=effect.owner_id == member.pk, since=effect.owned_at, may_act=may_act(member, effect, document),
        escalated_at=effect.escalated_at, overdue=by is not None and by <= now, objective_at=by,
    )  # fmt: skip


def objective(effect: Effect, document: OperationDocument) -> datetime | None:
    """Give by when it should be settled: as it was set down, else as the contract has it."""
    began = since(effect)
    if began is None:
        return None
    return effect.objective_at or began + timedelta(seconds=document.unknown.age_objective_seconds)


def asking(effect: Effect, document: OperationDocument, shown: ShownEffect, looks: Sequence[ShownAttempt]) -> Asking:
    """Say whether and when the other side is asked."""
    step = look_of(document, [attempt.kind for attempt in shown.attempts])
    return Asking(
        can=bool(step), reads=step in ("read", "verify"), under_way=any(attempt.state == RUNNING for attempt in shown.attempts),
        next_at=effect.next_attempt_at, times=len(looks), last=looks[-1] if looks else None, sends_again=effect.next_step == RESEND,
    )  # fmt: skip


def result_blanks(document: OperationDocument, sent: QueryDict | None, faults: Mapping[str, str] | None) -> list[Blank]:
    """Give the fields of a result, none of which has to be filled in."""
    named = {name.removeprefix("result."): text for name, text in (faults or {}).items() if name.startswith("result.")}
    return blanks(finding_form.result_schema(document), sent, named)


def typed(sent: QueryDict | None, now: datetime) -> dict[str, str]:
    """Give what was written into the form, or what a new one begins with."""
    if sent is None:
        return {"look_again_at": f"{now + LOOK_AGAIN:%Y-%m-%d %H:%M}"}
    return {name: sent.get(name, "") for name in (*finding_form.TEXTS, "to", "why", "word")}


def hands(
    member: Member, effect: Effect, document: OperationDocument, keeping: Keeping, hands_to: str
) -> dict[str, list[tuple[str, str]]]:
    """Give to whom it can be handed: groups by name, then members."""
    people = owners(member.tenant_id, NAMED)
    groups = {group for person in people for group in person.groups} | set(ROLE_OF) | {hands_to, keeping.group}
    return {
        "groups": [(group, group) for group in sorted(groups)],
        "people": [
            (str(person.pk), person.user.name)
            for person in people
            if person.pk != member.pk and may_act(person, effect, document)
        ],
    }


def _kinds(attempts: Sequence[ShownAttempt]) -> tuple[list[ShownAttempt], list[ShownAttempt]]:
    return [each for each in attempts if each.kind in ACTS], [each for each in attempts if each.kind in LOOKS]


def _same(attempt: ShownAttempt) -> tuple[object, ...]:
    act = attempt.number if attempt.kind in ACTS or attempt.late_at else 0
    return act, attempt.kind, attempt.state, attempt.outcome, attempt.http_status, attempt.reason


def _value(way: Exit) -> str:
    return Way(way, False).value
