"""What a row of the desk tells: what, what it makes good for, how it stands and why, whose it is, and until when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compensation.deeds.seconding import may_confirm
from compensation.deeds.standing import may_act
from compensation.queries.items import waiting_endings
from compensation.queries.seen import Ending, Item
from compensation.sentences import standing
from compensation.states import FOR_PERSON, MANUAL, NEEDS_SOMEBODY, RESOLVE, RESOLVED, WAITING, WAIVED
from console.identity.models import Member
from runs.states import UNKNOWN

CHANGED = "What is there is not what the effect left. Somebody says whether it goes on."


@dataclass(frozen=True, slots=True)
class Row:
    """See compensation/_row.html."""

    item: Item
    why: str
    amount: Any
    currency: str
    is_mine: bool
    may_act: bool
    overdue: bool
    needs_somebody: bool
    next_step: str
    waiting: Ending | None
    is_mine_said: bool


def rows(member: Member, found: Sequence[Item], now: datetime) -> list[Row]:
    """Show items of a list to a member, with what waits for a second person."""
    waiting = waiting_endings([item.id for item in found if item.is_open])
    return [row(member, item, now, waiting.get(item.id)) for item in found]


def row(member: Member, item: Item, now: datetime, waiting: Ending | None) -> Row:
    """Show one item to a member; `waiting` is what somebody said of its end that waits for a second person."""
    money: Mapping[str, Any] = item.arguments if isinstance(item.arguments, dict) else {}
    return Row(
        item=item, why=why(item), amount=money.get("amount"), currency=str(money.get("currency") or ""),
        is_mine=item.owner is not None and item.owner.id == member.pk, may_act=may_act(member, item), overdue=item.is_overdue(now),
        needs_somebody=needs_somebody(item), next_step=next_step(item, waiting, member), waiting=waiting,
        is_mine_said=waiting is not None and waiting.proposed_by.id == member.pk,
    )  # fmt: skip


def needs_somebody(item: Item) -> bool:
    """Tell whether nothing goes on about it before a person does something."""
    return item.is_open and (item.state in NEEDS_SOMEBODY or item.waits_for == FOR_PERSON)


def why(item: Item) -> str:
    """Say how it stands and why, with what the record says of it."""
    said = standing(item.state, item.waits_for)
    if item.waits_for == FOR_PERSON and item.is_open:
        said = "A person does this." if item.kind == MANUAL else CHANGED if item.difference else said
    reason = item.state_reason.strip()
    if not reason or reason.rstrip(".").lower() in said.lower():
        return said
    reason = f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
    return reason if _says_it_all(item, said) else f"{said} {reason}"


def _says_it_all(item: Item, said: str) -> bool:
    """Tell whether the reason alone says how it stands: what it waits for, by name, that nobody knows, or how a person ended it."""
    waits = item.state == WAITING and item.kind != MANUAL
    return said == CHANGED or item.stands == UNKNOWN or waits or item.state in {RESOLVED, WAIVED}


def next_step(item: Item, waiting: Ending | None, member: Member) -> str:
    """Say what somebody does about it next."""
    if waiting is not None:
        said = "resolved by hand" if waiting.ending == RESOLVE else "waived"
        if waiting.proposed_by.id == member.pk:
            return f"You said that it is {said}; another member confirms or declines that."
        if may_confirm(member, item.ladder):
            return f"Confirm or decline that it is {said}, as {waiting.proposed_by.name} says."
        return f"{waiting.proposed_by.name} said that it is {said}; another member confirms or declines that."
    if item.difference:
        return "Look at what was found, and accept it, do it by hand, or waive it."
    if item.kind == MANUAL:
        return "Do it, and say with evidence that it is done."
    return "Try it again, do it by hand, or waive it."
