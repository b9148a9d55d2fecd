"""What is to be made good for, in what order and on what terms: from what happened, what its contracts say, and the reason. Pure (R-J1).

The same facts give the same plan, whatever order they come in; what a plan covers already is not planned again."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from compensation import checklists, lists
from compensation.plans.order import Ordered, Turn, before
from compensation.states import (
    ASKED,
    CANCELLED,
    EFFECT,
    EXPIRED,
    FOR_ORDER,
    FOR_PERSON,
    FOR_RECONCILIATION,
    MANUAL,
    MUST_BE_UNDONE,
    OVERRAN,
    RUN_FAILED,
)
from console.exact import Object, Value, canonical
from runs.compensating import filling
from runs.contracts.templates import CannotFill
from runs.contracts.undoing import Undoing
from runs.states import IN_FLIGHT, PARTIAL, SUCCEEDED, UNKNOWN

# Planned although the contract's `on` does not name it.
WHATEVER_IT_SAYS: Final = frozenset({ASKED, MUST_BE_UNDONE, OVERRAN})
CLOSINGS: Final = frozenset({CANCELLED, RUN_FAILED, EXPIRED})
HAPPENED: Final = frozenset({SUCCEEDED, PARTIAL})
MAY_HAVE: Final = IN_FLIGHT | {UNKNOWN}
WEIGHTS: Final = {"low": 0, "normal": 2, "high": 4}

# Why nothing is planned for an effect.
DID_NOT_HAPPEN, COVERED, OF_COMPENSATION = "did_not_happen", "already_compensated", "compensation_of_compensation"
ONLY_READS, NOT_BY_ITSELF = "only_reads", "not_by_itself"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An effect as planning looks at it. `item` is the work item that covers it, and `item_open` whether that is still to be done."""

    id: UUID
    number: int
    operation: str
    undoing: Undoing
    state: str
    key: str = ""
    summary: str = ""
    target: str = ""
    tier: str = "normal"
    consequential: bool = False
    irreversible: bool = False
    reads: bool = False
    cleanup: bool = False
    arguments: Object
    result: Value = None
    compensates: UUID | None = None
    late: str = ""  # what came after it had ended in vain and says that it was done
    item: UUID | None = None
    item_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A work item as it is planned, in a step of its plan. `turn` says what comes first; arguments are "" until what happened is known."""

    effect: UUID
    step: str
    kind: str
    operation: str
    arguments: str
    summary: str
    target: str
    need: str
    weight: int
    waits_for: str
    state_reason: str
    turn: Turn
    authority: str
    deadline_at: datetime | None
    expects: str
    residue: str
    verification: str
    instructions: str
    checklist: str
    needs_second: bool
    ladder: str
    owner_group: str


@dataclass(frozen=True, slots=True)
class Left:
    """An effect for which nothing is planned, and why."""

    effect: UUID
    why: str
    item: UUID | None = None


@dataclass(frozen=True, slots=True)
class Planning:
    """What is planned, in the order of the effects, and what is not; `approve_first` where a contract wants the plan approved."""

    items: tuple[Planned, ...]
    left: tuple[Left, ...]
    approve_first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Why something is made good for. `named` are the effects that somebody asked for (None: all that the cause is for), `takes` says of
    each compensating operation in force which arguments it takes."""

    cause: str
    reason: str
    now: datetime
    takes: Mapping[str, Collection[str]]
    named: frozenset[UUID] | None = None


def plan(effects: Iterable[Known], case: Case) -> Planning:
    """Plan what is to be made good for among the effects of one run."""
    known = sorted(effects, key=lambda each: each.number)
    looked_at = known if case.named is None else [each for each in known if each.id in case.named]
    left = [Left(each.id, why, each.item) for each in looked_at if (why := _why_not(each, case))]
    without = {each.effect for each in left}
    chosen = [each for each in looked_at if each.id not in without]
    order = before([_ordered(each) for each in chosen], [_ordered(each) for each in known if each.item_open])
    items = tuple(_planned(each, order[each.id], case) for each in chosen)
    return Planning(items, tuple(left), any(each.undoing.plan_first for each in chosen))


def _ordered(each: Known) -> Ordered:
    return Ordered(each.id, each.number, each.operation, each.undoing.after)


def _why_not(each: Known, case: Case) -> str:
    """Say why nothing is planned for an effect; "" where something is."""
    if each.item is not None:
        return COVERED
    if each.reads:
        return ONLY_READS
    if each.state not in HAPPENED | MAY_HAVE and not each.late:
        return DID_NOT_HAPPEN
    if _is_refused(each) and case.cause not in {MUST_BE_UNDONE, OVERRAN}:  # of those, people are told
        return OF_COMPENSATION
    if not _is_called_for(each, case.cause):
        return NOT_BY_ITSELF
    # Of a whole run that is to be made good for, what makes good for something already is not meant.
    return OF_COMPENSATION if each.compensates is not None and case.named is None else ""


def _is_called_for(each: Known, cause: str) -> bool:
    """Tell whether its contract, or the cause whatever it says, calls for it; what cleans up while a run closes is not undone by that."""
    return cause in WHATEVER_IT_SAYS or (cause in each.undoing.on and not (each.cleanup and cause in CLOSINGS))


def _is_refused(each: Known) -> bool:
    """Tell whether it makes good for something, and its contract does not let that be made good for."""
    return each.compensates is not None and not each.undoing.of_compensation


def _planned(each: Known, turn: Turn, case: Case) -> Planned:
    undoing = each.undoing
    people = why_people(each, case.takes)
    arguments, expects = (
        ("", "") if people or each.state in MAY_HAVE else filled(each, case.reason or case.cause, case.takes)
    )
    due = None if undoing.deadline_seconds is None else case.now + timedelta(seconds=undoing.deadline_seconds)
    return Planned(
        effect=each.id, step=each.operation, kind=MANUAL if people else EFFECT,
        operation="" if people else undoing.operation or "", arguments=arguments,
        summary=f"Compensate: {each.summary}", target=each.target, need=undoing.need, weight=weight(each),
        waits_for=_waits_for(each, turn, people), state_reason=people, turn=turn, authority=undoing.authority, deadline_at=due,
        expects=expects, residue=lists.written(undoing.residue), verification=undoing.verification,
        instructions=_instructions(undoing, people), checklist=checklists.written(undoing.checklist),
        needs_second=undoing.second_person, ladder=_ladder(undoing), owner_group=undoing.owner,
    )  # fmt: skip


def why_people(each: Known, takes: Collection[str]) -> str:
    """Say why people do it; "" where an operation does."""
    operation, why = each.undoing.operation, each.undoing.why_none
    if each.late:
        return f"It ended as {each.state}, and may have been done all the same. {each.late}"
    if each.irreversible:
        return f"It cannot be undone. {why}".strip()
    if _is_refused(each):
        return (
            "It makes good for something itself, and its contract does not let an operation make good for that in turn."
        )
    if not operation:
        return f"No operation makes good for it. {why}".strip()
    return "" if operation in takes else f"The contract of {operation}, which would make good for it, is not in force."


def _waits_for(each: Known, turn: Turn, people: str) -> str:
    if each.state in MAY_HAVE:
        return FOR_RECONCILIATION
    if turn.count:
        return FOR_ORDER
    return FOR_PERSON if people else ""


def filled(each: Known, reason: str, takes: Mapping[str, Collection[str]]) -> tuple[str, str]:
    """Give the arguments of the compensating effect and what must still be so, canonical; nothing where what happened does not give them:
    whoever begins it then finds out why."""
    named = {"id": str(each.id), "key": each.key}
    facts: Object = {"arguments": each.arguments, "result": each.result, "effect": named, "reason": reason}
    try:
        arguments = filling.arguments(each.undoing, facts, takes[each.undoing.operation or ""])
        return canonical(arguments), filling.expects(each.undoing, facts)
    except CannotFill:
        return "", ""


def weight(each: Known) -> int:
    """Say how much depends on it, from 0 to 9: by its tier, whether a mistake costs something outside, and whether it can be undone."""
    return WEIGHTS.get(each.tier, 2) + 3 * each.consequential + 2 * each.irreversible


def _instructions(undoing: Undoing, people: str) -> str:
    return "\n\n".join(part for part in (people, undoing.instructions) if part)


def _ladder(undoing: Undoing) -> str:
    rungs: list[Value] = [{"after_seconds": rung.after_seconds, "to": rung.to} for rung in undoing.ladder]
    return canonical(rungs)
