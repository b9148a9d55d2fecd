"""A plan as a table: each work item in its order, with what makes good for it, on what terms, and what remains."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from compensation.deeds.plans import asked_for
from compensation.deeds.standing import operates
from compensation.queries.seen import Item, Plan
from compensation.states import FOR_ORDER, FOR_RECONCILIATION, MANUAL, PROPOSED
from console.identity.models import Member


@dataclass(frozen=True, slots=True)
class Line:
    """A work item in its place: `turn` says when it comes, `by_people` why no machine does it."""

    item: Item
    turn: str
    by_people: str


def of_plan(plan: Plan) -> list[Line]:
    """Give the lines of a plan in the order of their turns: what waits for nothing first."""
    numbers = {item.id: item.number for item in plan.items}
    lines = [Line(item, _turn(item, numbers), _by_people(item)) for item in plan.items]
    depth = depths(plan.items)
    return sorted(lines, key=lambda line: (depth[line.item.id], line.item.number))


class Ordered(Protocol):
    """What has a place in an order: `after_steps` names the steps that come first, and `after` some of what does."""

    @property
    def id(self) -> UUID: ...
    @property
    def step(self) -> str: ...
    @property
    def after(self) -> tuple[UUID, ...]: ...
    @property
    def after_steps(self) -> tuple[str, ...]: ...


def depths(items: Sequence[Ordered]) -> dict[UUID, int]:
    """Give how many turns come before each item's own, among these."""
    found: dict[UUID, int] = {}
    left = {item.id: item for item in items}
    for depth in range(len(items) + 1):
        steps = {item.step for item in left.values()}
        now = [
            pk
            for pk, item in left.items()
            if steps.isdisjoint(item.after_steps) and not any(each in left for each in item.after)
        ]
        if not now:
            break
        found |= dict.fromkeys(now, depth)
        for pk in now:
            del left[pk]
    return {item.id: found.get(item.id, len(items)) for item in items}


def may_decide(member: Member, plan: Plan) -> str:
    """Say why a member does not approve or decline it; nothing where they may try."""
    if plan.state != PROPOSED:
        return "It is decided."
    return "" if operates(member) else "Operators and admins approve or decline it."


def may_not_approve(member: Member, plan: Plan) -> str:
    """Say why a member who may decline it does not approve it; nothing where they may try."""
    if any(item.needs_second for item in plan.items) and asked_for(member, plan.asked_by):
        return "You, or an agent that you answer for, asked for this plan, and something of it takes two: another member approves it."
    return ""


def _turn(item: Item, numbers: dict[UUID, int]) -> str:
    return turn([numbers[each] for each in item.after if each in numbers], item.after_count)


def turn(numbers: Sequence[int], count: int) -> str:
    """Say when something comes: after these, by their numbers, and others that make so many in all."""
    if not count:
        return "at once"
    named = ", ".join(f"No. {number}" for number in sorted(numbers))
    more = count - len(numbers)
    others = f"{more:,} {'other' if more == 1 else 'others'} of its run" if more else ""
    return "after " + " and ".join(filter(None, [named, others]))


def _by_people(item: Item) -> str:
    if item.kind != MANUAL:
        return ""
    reason = "" if item.waits_for in {FOR_ORDER, FOR_RECONCILIATION} else item.state_reason
    return reason or (item.instructions.partition("\n")[0] if item.effect else "Somebody added it by hand.")
