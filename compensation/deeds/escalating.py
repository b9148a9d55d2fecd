"""Escalating a work item by hand: the next on its ladder are told now, although their time has not come (R-J2)."""

from typing import Any
from uuid import UUID

from compensation.alerts import alarms, ladder
from compensation.deeds.standing import hold, receipt
from console.exact import Object
from console.http import reasons
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once


class NeedsNobody(Refusal):
    """This work item does not wait for a person now, so that there is nothing to escalate."""

    code = "needs_nobody"


class TopOfLadder(Refusal):
    """Everybody on the ladder of this work item was told; nobody stands above them. Hand it over instead."""

    code = "top_of_ladder"


@move("escalate item")
def escalate(by: Actor, item_id: UUID, *, reason: str, version: int | None = None, key: str) -> dict[str, Any]:
    """Take a work item that needs somebody a rung up its ladder; whoever claimed it stays named.

    Raises NotFound, NotAnOperator, ItemOver, StaleVersion, NeedsNobody, TopOfLadder, ReasonMissing."""
    why = reasons.given(reason)
    asked: Object = {"item": str(item_id), "reason": why}
    return once(by, key, "escalate_item", asked, lambda: _escalate(by, item_id, why, version), about=item_id)


def _escalate(by: Actor, item_id: UUID, reason: str, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version, ladder=True)
    item, rungs = held.item, alarms.rungs(held.item)
    if not alarms.needs_somebody(item):
        raise NeedsNobody(**held.standing)
    if item.level >= len(rungs):
        raise TopOfLadder(ladder=[rung.to for rung in rungs], **held.standing)
    ladder.escalate(by, item, held.now, reason)
    return receipt(held, to=item.owner_group, level=item.level)
