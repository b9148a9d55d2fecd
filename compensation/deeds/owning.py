"""Looking after work items: claimed, let go, handed to a member or a group. One owner at a time, and each change recorded."""

from typing import Any
from uuid import UUID

from compensation.deeds import notices
from compensation.deeds.standing import Held, check_seen, hold, may_act, operates, receipt
from compensation.writing import changed, write
from console.exact import Object
from console.http import reasons
from console.identity.owning import check_free, check_group, check_lets_go, check_takes, one_of
from console.ledger.actors import Actor
from console.ledger.moves import move, once


@move("claim item")
def claim(by: Actor, item_id: UUID, *, version: int | None = None, key: str) -> dict[str, Any]:
    """Look after a work item from now on. Raises NotFound, NotAnOperator, ItemOver, StaleVersion, AlreadyClaimed."""
    return once(by, key, "claim_item", {"item": str(item_id)}, lambda: _claim(by, item_id, version), about=item_id)


@move("release item")
def release(by: Actor, item_id: UUID, *, reason: str, version: int | None = None, key: str) -> dict[str, Any]:
    """Let a work item go, so that somebody else looks after it. Raises NotFound, NotAnOperator, ItemOver, StaleVersion,
    NotClaimed, NotYours."""
    why = reasons.given(reason)
    asked: Object = {"item": str(item_id), "reason": why}
    return once(by, key, "release_item", asked, lambda: _release(by, item_id, why, version), about=item_id)


@move("hand over item")
def hand_over(
    by: Actor,
    item_id: UUID,
    *,
    to_member: UUID | None = None,
    to_group: str = "",
    reason: str,
    version: int | None = None,
    key: str,
) -> dict[str, Any]:
    """Hand a work item to a member, or to a group whose members find it. Raises NotFound, NotAnOperator, ItemOver, StaleVersion,
    BadHandOver."""
    why, group = reasons.given(reason), one_of(to_member, to_group)
    asked: Object = {
        "item": str(item_id), "member": str(to_member) if to_member else None, "group": group, "reason": why,
    }  # fmt: skip
    act = lambda: _hand_over(by, item_id, to_member, group, why, version)  # noqa: E731 - the act of `once`
    return once(by, key, "hand_over_item", asked, act, about=item_id)


def _claim(by: Actor, item_id: UUID, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id)
    check_free(held.item.owner_id, held.item.owned_at, held.standing)  # who has it says more than that something is new
    check_seen(held, version)
    return _owned(by, held, {}, owner_id=by.principal, owned_at=held.now)


def _release(by: Actor, item_id: UUID, reason: str, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version)
    check_lets_go(held.member, held.item.owner_id, held.standing, relieves=operates(held.member))
    return _owned(by, held, {"reason": reason}, owner_id=None, owned_at=None)


def _hand_over(
    by: Actor, item_id: UUID, to_member: UUID | None, group: str, reason: str, version: int | None
) -> dict[str, Any]:
    held = hold(by, item_id, version)
    whom: dict[str, Any] = {"owner_id": to_member}
    if to_member is not None:
        check_takes(by.tenant, to_member, held.item.owner_group, lambda member: may_act(member, held.item))
    else:
        if group != held.item.owner_group:
            check_group(by.tenant, group)
        whom["owner_group"] = group
    given = _owned(by, held, {"reason": reason}, owned_at=held.now, **whom)
    notices.handed_over(by, held.item, reason, held.now)
    return given


def _owned(by: Actor, held: Held, more: Object, **columns: Any) -> dict[str, Any]:
    write(by, [changed(held.item, "item.owned", more, **columns)], held.now)
    owner = held.item.owner_id
    return receipt(held, owner=str(owner) if owner else None, owner_group=held.item.owner_group)
