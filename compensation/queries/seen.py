"""Plans, work items, endings and files as their readers see them: texts read, people and effects named."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from compensation import models
from compensation.lists import listed
from compensation.states import FOR_PERSON, ITEM_OPEN, PROPOSED, RUNNING
from console.exact import Object, Value, decode, digest
from console.identity.models import Member
from runs.models import Effect
from runs.states import UNKNOWN


@dataclass(frozen=True, slots=True)
class Person:
    """A member, by name."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """An effect, as far as lists name it."""

    id: UUID
    number: int
    operation: str
    summary: str
    state: str
    state_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A work item. `effect` is what is made good for, `acting` the effect that does it, in its last try; `version` is its plan's.

    `after_count` items must be over first, of which `after` names the first few; `after_steps` are steps of its own plan."""

    id: UUID
    plan: UUID
    plan_state: str
    cause: str
    version: int
    run: UUID
    run_goal: str
    run_state: str
    run_version: int
    agent: str
    number: int
    kind: str
    effect: Named | None
    acting: Named | None
    tries: int
    operation: str
    arguments: Value
    summary: str
    target: str
    need: str
    weight: int
    state: str
    waits_for: str
    state_reason: str
    step: str
    after: tuple[UUID, ...]
    after_count: int
    after_steps: tuple[str, ...]
    authority: str
    deadline_at: datetime | None
    expects: tuple[Object, ...]
    difference: tuple[Object, ...]
    residue: tuple[str, ...]
    left: tuple[str, ...]
    verification: str
    verified_by: str
    instructions: str
    checklist: tuple[Object, ...]
    needs_second: bool
    ladder: tuple[Object, ...]
    level: int
    next_alert_at: datetime | None
    escalated_at: datetime | None
    owner: Person | None
    owner_group: str
    owned_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    erased_at: datetime | None

    @property
    def is_open(self) -> bool:
        """Whether something is still to be done about it."""
        return self.state in ITEM_OPEN

    @property
    def stands(self) -> str:
        """Its state as people read it: what waits for a person, and what nobody knows the end of, is not as the others that wait or run."""
        if self.is_open and self.waits_for == FOR_PERSON:
            return FOR_PERSON
        return (
            UNKNOWN
            if self.state == RUNNING and self.acting is not None and self.acting.state == UNKNOWN
            else self.state
        )

    @property
    def difference_digest(self) -> str:
        """The digest of what was found else than expected, which goes along when somebody lets it go on; "" where nothing was."""
        return digest([*self.difference]).hex() if self.difference else ""

    def is_overdue(self, now: datetime) -> bool:
        """Tell whether it is open past its deadline."""
        return self.is_open and self.deadline_at is not None and self.deadline_at <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file beside a work item; `kept` is False once its bytes were erased."""

    id: UUID
    name: str
    media_type: str
    size: int
    digest: str
    uploaded_by: Person
    uploaded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What somebody said ends a work item, and whether it stands."""

    id: UUID
    number: int
    ending: str
    evidence: str
    link: str
    reason: str
    authority: str
    left: tuple[str, ...]
    needs_second: bool
    state: str
    proposed_by: Person
    proposed_at: datetime
    decided_by: Person | None
    decided_at: datetime | None
    decided_reason: str

    @property
    def waits(self) -> bool:
        """Whether it waits for a second person."""
        return self.state == PROPOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan with its work items in order; `asked_by` is an actor of the record, `asked_by_name` who that is."""

    id: UUID
    run: UUID
    run_goal: str
    number: int
    cause: str
    reason: str
    state: str
    version: int
    asked_by: str
    asked_by_name: str
    asked_at: datetime
    decided_by: Person | None
    decided_at: datetime | None
    decided_reason: str
    erased_at: datetime | None
    items: tuple[Item, ...] = ()


def item(row: models.WorkItem) -> Item:
    """Read a row that was selected with RELATED."""
    run = row.run
    return Item(
        id=row.pk, plan=row.plan_id, plan_state=row.plan.state, cause=row.plan.cause, version=row.plan.ledger_seq,
        run=row.run_id, run_goal=run.goal, run_state=run.state, run_version=run.ledger_seq, agent=run.agent.name,
        number=row.number, kind=row.kind, effect=named(row.effect), acting=named(row.acting), tries=row.tries,
        operation=row.operation, arguments=decode(row.arguments, 128) if row.arguments else None, summary=row.summary, target=row.target,
        need=row.need, weight=row.weight, state=row.state, waits_for=row.waits_for, state_reason=row.state_reason,
        step=row.step, after=tuple(row.after), after_count=row.after_count, after_steps=tuple(row.after_steps),
        authority=row.authority, deadline_at=row.deadline_at,
        expects=listed(row.expects), difference=listed(row.difference), residue=listed(row.residue), left=listed(row.left),
        verification=row.verification, verified_by=row.verified_by, instructions=row.instructions, checklist=listed(row.checklist),
        needs_second=row.needs_second, ladder=listed(row.ladder), level=row.level, next_alert_at=row.next_alert_at,
        escalated_at=row.escalated_at, owner=person(row.owner), owner_group=row.owner_group, owned_at=row.owned_at,
        created_at=row.created_at, started_at=row.started_at, ended_at=row.ended_at, erased_at=run.erased_at,
    )  # fmt: skip


RELATED = ("plan", "run__agent", "effect", "acting", "owner__user")


def named(effect: Effect | None) -> Named | None:
    """Name an effect."""
    if effect is None:
        return None
    return Named(effect.pk, effect.number, effect.operation_name, effect.summary, effect.state, effect.state_reason)


def somebody(member: Member) -> Person:
    """Name a member; `user` is read with it."""
    return Person(member.pk, member.user.name)


def person(member: Member | None) -> Person | None:
    """Name a member, if there is one."""
    return None if member is None else somebody(member)


def ending(row: models.Ending) -> Ending:
    """Read a row whose people are read with it."""
    return Ending(
        id=row.pk, number=row.number, ending=row.ending, evidence=row.evidence, link=row.link, reason=row.reason,
        authority=row.authority, left=listed(row.left), needs_second=row.needs_second, state=row.state,
        proposed_by=somebody(row.proposed_by), proposed_at=row.proposed_at, decided_by=person(row.decided_by),
        decided_at=row.decided_at, decided_reason=row.decided_reason,
    )  # fmt: skip


def file(row: models.EvidenceFile) -> File:
    """Read a row whose person is read with it; its bytes stay where they are."""
    return File(
        id=row.pk, name=row.name, media_type=row.media_type, size=row.size, digest=bytes(row.digest).hex(),
        uploaded_by=somebody(row.uploaded_by), uploaded_at=row.uploaded_at,
    )  # fmt: skip


def plan(row: models.Plan, asked_by_name: str, items: Sequence[Item] = ()) -> Plan:
    """Read a row whose run and person are read with it."""
    return Plan(
        id=row.pk, run=row.run_id, run_goal=row.run.goal, number=row.number, cause=row.cause, reason=row.reason, state=row.state,
        version=row.ledger_seq, asked_by=row.asked_by, asked_by_name=asked_by_name, asked_at=row.asked_at,
        decided_by=person(row.decided_by), decided_at=row.decided_at,
        decided_reason=row.decided_reason, erased_at=row.erased_at, items=tuple(items),
    )  # fmt: skip
