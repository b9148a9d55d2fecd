"""What a row of the queue of unknowns tells: what, how old, whose, what was last learnt, and when it is asked next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from console.exact import decode
from console.identity.models import Member
from console.pages import resolve_card
from console.pages.findings import ShownFinding, finding
from console.pages.resolve_card import Keeping
from runs import catalogue
from runs.contracts.operation import OperationDocument
from runs.models import Attempt, Effect, Resolution, Run
from runs.states import CANCEL, LOOKS, READ, RESOLUTION_PROPOSED, RUNNING
from runs.unknowns import queue
from runs.unknowns.asking import look_of
from runs.unknowns.standing import may_act, since


@dataclass(frozen=True, slots=True)
class Learnt:
    """The last that was heard of it: from which kind of attempt, when, and what; `kind` is act, status, read or lost."""

    kind: str
    outcome: str
    state: str
    http_status: int | None
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Row:
    """See unknown/_row.html."""

    id: UUID
    number: int
    run: Run
    summary: str
    amount: Any
    currency: str
    operation: str
    dependency: str
    state: str
    required: bool
    irreversible: bool
    since: datetime
    keeping: Keeping
    learnt: Learnt | None
    asks: bool
    next_at: datetime | None
    under_way: bool
    waiting: ShownFinding | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A finding that waits for this member's word, with its effect and run."""

    finding: ShownFinding
    effect: Effect
    run: Run


def rows(member: Member, found: Sequence[Effect], now: datetime) -> list[Row]:
    """Show effects of the queue to a member."""
    documents = documents_of(found)
    findings = queue.resolutions([effect.pk for effect in found]) if found else {}
    return [row(member, effect, documents[effect.operation_id], findings.get(effect.pk, []), now) for effect in found]


def row(member: Member, effect: Effect, document: OperationDocument, found: Sequence[Resolution], now: datetime) -> Row:
    """Show one effect of the queue."""
    arguments = decode(effect.arguments)
    money: Mapping[str, Any] = arguments if isinstance(arguments, dict) else {}
    attempts = list(effect.attempts.all())
    waiting = next((each for each in found if each.state == RESOLUTION_PROPOSED), None)
    return Row(
        id=effect.pk, number=effect.number, run=effect.run, summary=effect.summary, amount=money.get("amount"),
        currency=str(money.get("currency") or ""), operation=effect.operation_name, dependency=effect.dependency_name,
        state=effect.state, required=effect.required, irreversible=effect.irreversible,
        since=since(effect) or effect.created_at,
        keeping=resolve_card.keeping(member, effect, document, now), learnt=_learnt(attempts),
        asks=bool(look_of(document, [attempt.kind for attempt in attempts])),
        next_at=effect.next_attempt_at, under_way=any(attempt.state == RUNNING for attempt in attempts),
        waiting=finding(waiting, member) if waiting else None,
    )  # fmt: skip


def waiting(member: Member, found: Iterable[Resolution]) -> list[Waiting]:
    """Give the findings that this member may confirm or decline."""
    listed = list(found)
    documents = documents_of([each.effect for each in listed])
    return [
        Waiting(finding(each, member), each.effect, each.effect.run)
        for each in listed
        if may_act(member, each.effect, documents[each.effect.operation_id])
    ]


def documents_of(found: Iterable[Effect]) -> dict[UUID, OperationDocument]:
    """Give the contracts that effects were accepted under, by id, in one query."""
    ids = {effect.operation_id for effect in found}
    return {pk: each.document for pk, each in catalogue.operations_by_id(ids).items()} if ids else {}


def _learnt(attempts: Sequence[Attempt]) -> Learnt | None:
    heard = [attempt for attempt in attempts if attempt.state != RUNNING and attempt.kind != CANCEL]
    if not heard:
        return None
    last = max(heard, key=lambda attempt: attempt.number)
    kind = "read" if last.kind == READ else "status" if last.kind in LOOKS else "act"
    return Learnt(kind, last.outcome, last.state, last.http_status, last.reason, last.ended_at or last.started_at)
