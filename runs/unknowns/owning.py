"""Looking after what is not confirmed: claimed, let go, handed to a member or a group. One owner at a time, and each change recorded."""

from typing import Any
from uuid import UUID

from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http import reasons
from console.identity.owning import check_free, check_group, check_lets_go, check_takes, one_of
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import record
from runs.models import Effect
from runs.unknowns import notices
from runs.unknowns.standing import Held, check_unconfirmed, group_of, hold, may_act, version_of


@move("claim unknown")
def claim(by: Actor, effect_id: UUID, *, key: str) -> dict[str, Any]:
    """Look after an effect from now on. Raises NotFound, NotAnOperator, NotUnknown, AlreadyClaimed."""
    return once(by, key, "claim_unknown", {"effect": str(effect_id)}, lambda: _claim(by, effect_id), about=effect_id)


@move("release unknown")
def release(by: Actor, effect_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Let an effect go, so that somebody else looks after it. Raises NotFound, NotAnOperator, NotUnknown, NotClaimed, NotYours."""
    why = reasons.given(reason)
    asked: Object = {"effect": str(effect_id), "reason": why}
    return once(by, key, "release_unknown", asked, lambda: _release(by, effect_id, why), about=effect_id)


@move("hand over unknown")
def hand_over(
    by: Actor, effect_id: UUID, *, to_member: UUID | None = None, to_group: str = "", reason: str, key: str
) -> dict[str, Any]:
    """Hand an effect to a member, or to a group whose members find it. Raises NotFound, NotAnOperator, NotUnknown, BadHandOver."""
    why, group = reasons.given(reason), one_of(to_member, to_group)
    asked: Object = {
        "effect": str(effect_id),
        "member": str(to_member) if to_member else None,
        "group": group,
        "reason": why,
    }
    return once(
        by, key, "hand_over_unknown", asked, lambda: _hand_over(by, effect_id, to_member, group, why), about=effect_id
    )


def _claim(by: Actor, effect_id: UUID) -> dict[str, Any]:
    held = hold(by, effect_id)
    check_unconfirmed(held)
    check_free(held.effect.owner_id, held.effect.owned_at, held.standing)
    return _changed(by, held, "unknown.claimed", {"owner": str(by.principal)}, owner_id=by.principal)


def _release(by: Actor, effect_id: UUID, reason: str) -> dict[str, Any]:
    held = hold(by, effect_id)
    check_unconfirmed(held)
    owner = check_lets_go(held.member, held.effect.owner_id, held.standing, relieves="operator" in held.member.roles)
    return _changed(by, held, "unknown.released", {"owner": str(owner.pk), "reason": reason}, owner_id=None)


def _hand_over(by: Actor, effect_id: UUID, to_member: UUID | None, group: str, reason: str) -> dict[str, Any]:
    held = hold(by, effect_id)
    check_unconfirmed(held)
    if to_member is not None:
        check_takes(
            by.tenant,
            to_member,
            group_of(held.effect, held.document),
            lambda member: may_act(member, held.effect, held.document),
        )
        facts: Object = {"owner": str(to_member), "group": held.effect.owner_group, "reason": reason}
        return _told(by, held, reason, _changed(by, held, "unknown.handed_over", facts, owner_id=to_member))
    if group != held.document.unknown.owner:
        check_group(by.tenant, group)
    facts = {"owner": None, "group": group, "reason": reason}
    receipt = _changed(by, held, "unknown.handed_over", facts, owner_id=None, owner_group=group)
    return _told(by, held, reason, receipt)


def _told(by: Actor, held: Held, reason: str, receipt: dict[str, Any]) -> dict[str, Any]:
    """Tell whoever it was handed to."""
    notices.handed_over(by, held.effect, reason, held.now)
    return receipt


def _changed(by: Actor, held: Held, kind: str, facts: Object, **changes: Any) -> dict[str, Any]:
    """Write who looks after it: `owned_at` says since when, also for a group that it was handed to."""
    effect = held.effect
    changes["owned_at"] = None if kind == "unknown.released" else held.now
    Effect.objects.filter(pk=effect.pk).update(**changes)
    record.write([(held.run.pk, kind, {"effect": str(effect.pk), **facts})], by, held.now)
    ring_after_commit(effect.pk, held.run.pk, work=False)
    for name, value in changes.items():
        setattr(effect, name, value)
    return {
        "effect": str(effect.pk), "owner": str(effect.owner_id) if effect.owner_id else None,
        "owner_group": group_of(effect, held.document), "version": version_of(held.run), "at": instant(held.now),
    }  # fmt: skip
