"""Who may act on work items and plans, and the item held still, with its run and its effects, while they do.

Locks in the order of the house: the run, its effects, the plan, the item. What an item's acting effect became is read from the effect
itself: the clock may not have told the item yet."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol
from uuid import UUID

from compensation import entries
from compensation.models import Plan, WorkItem
from compensation.states import ITEM_OVER
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.refusals import NotFound, Refusal
from console.identity.groups import belongs
from console.identity.models import Member
from console.ledger.actors import Actor
from runs.models import Attempt, Effect, Run
from runs.states import ACCEPTED, DISPATCHED, IN_FLIGHT, RUNNING, SUCCEEDED, UNKNOWN
from runs.unknowns.standing import NotAnOperator

DESK: Final = frozenset({"operator", "admin"})  # the roles that act on every work item
WHO: Final = "Operators, admins and the members of the group that it belongs to act on a work item."


class ItemOver(Refusal):
    """This work item is over; `state` says how it ended."""

    code = "item_over"


class ItemAtWork(Refusal):
    """The effect that makes good for it is under way, may have happened, or has happened; `todo` says what comes first."""

    code = "item_at_work"


TODO: Final = {
    DISPATCHED: "It is being tried at this moment; wait for the answer.",
    ACCEPTED: "The other side has taken it, or the world is being read to see that it is so; wait for that.",
    UNKNOWN: "Nobody knows whether it happened; find out, and say so with evidence on the page of the effect.",
    SUCCEEDED: "It was done; the work item says so in a moment.",
}


@dataclass(frozen=True, slots=True)
class Held:
    """A work item, locked with all it hangs on, and the member who wants to do something about it."""

    run: Run
    plan: Plan
    item: WorkItem
    acting: Effect | None
    member: Member
    now: datetime

    @property
    def standing(self) -> dict[str, Any]:
        """Say how it stands: state, what it waits for, why, and the version."""
        item = self.item
        return {
            "item": str(item.pk), "state": item.state, "waits_for": item.waits_for, "reason": item.state_reason,
            "version": self.plan.ledger_seq,
        }  # fmt: skip


class Owned(Protocol):
    """What belongs to a group, or to none: a work item, as its row or as its readers see it."""

    @property
    def owner_group(self) -> str: ...


def operates(member: Member) -> bool:
    """Tell whether a member acts on every work item of the tenant."""
    return member.active and not DESK.isdisjoint(member.roles)


def may_act(member: Member, item: Owned) -> bool:
    """Tell whether a member may act on an item: an operator, an admin, or one of the group that it belongs to."""
    return operates(member) or (member.active and bool(item.owner_group) and belongs(member, item.owner_group))


def hold(by: Actor, item_id: UUID, version: int | None = None, *, ladder: bool = False) -> Held:
    """Lock a work item that is open and as it was seen, for a member who may act on it. `version` is its plan's as it was seen; None:
    whichever. `ladder`: that somebody was told of it meanwhile counts too. Raises NotFound, NotAnOperator, ItemOver, StaleVersion."""
    held = hold_any(by, item_id)
    check_open(held)
    check_seen(held, version, ladder=ladder)
    return held


def hold_any(by: Actor, item_id: UUID, may: Callable[[Member, WorkItem], bool] = may_act) -> Held:
    """Lock a work item, open or over, for a member who may do what is asked. Raises NotFound, NotAnOperator."""
    found = WorkItem.objects.filter(pk=item_id, tenant_id=by.tenant)
    run_id = found.values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    seen = found.get()
    effects = _effects(seen)
    plan = Plan.objects.select_for_update(no_key=True).get(pk=seen.plan_id)
    item = found.select_for_update(no_key=True).get()
    item.plan, item.run = plan, run
    member = desk_member(by)
    if member is None or not may(member, item):
        raise NotAnOperator(WHO, group=item.owner_group)
    return Held(run, plan, item, effects.get(item.acting_id) if item.acting_id else None, member, clock.now())


def desk_member(by: Actor) -> Member | None:
    """Give the active member who acts; agents and processes are none."""
    if by.kind != "member":
        return None
    return Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).select_related("user").first()


def check_seen(held: Held, version: int | None, *, ladder: bool = False) -> None:
    """Refuse a deed of somebody who saw the item before something about it was new. Raises StaleVersion."""
    entries.check_seen(held.plan, version, held.standing, held.item.pk, ladder=ladder)


def check_open(held: Held) -> None:
    """Refuse what is over, saying how it ended. Raises ItemOver."""
    if held.run.erased_at is not None:
        raise ItemOver(
            "The contents of its run were erased; nothing more is written about it.",
            erased_at=instant(held.run.erased_at), **held.standing,
        )  # fmt: skip
    if held.item.state in ITEM_OVER:
        raise ItemOver(ended_at=instant(held.item.ended_at), **held.standing)


def check_at_rest(held: Held) -> None:
    """Refuse to go past an effect that is under way, may have happened, or has happened. Raises ItemAtWork."""
    acting = held.acting
    if acting is None:
        return
    tried = Attempt.objects.filter(effect=acting, state=RUNNING).exists()
    state = DISPATCHED if tried and acting.state not in IN_FLIGHT else acting.state
    if state in TODO:
        todo = TODO[state]
        raise ItemAtWork(
            f"{said(ItemAtWork)} {todo}", todo=todo, acting=str(acting.pk), acting_state=acting.state, **held.standing
        )


def receipt(held: Held, **more: Any) -> dict[str, Any]:
    """Give the receipt of a deed, read anew after it was written, and ring for whoever looks at the item or the run."""
    ring_after_commit(held.item.pk, held.plan.pk, held.run.pk)
    item = WorkItem.objects.get(pk=held.item.pk)
    version = Plan.objects.values_list("ledger_seq", flat=True).get(pk=held.plan.pk)
    said: Object = {
        "item": str(item.pk), "run": str(item.run_id), "state": item.state, "waits_for": item.waits_for,
        "acting": str(item.acting_id) if item.acting_id else None, "version": version, "at": instant(held.now),
    }  # fmt: skip
    return said | more


def _effects(item: WorkItem) -> dict[UUID, Effect]:
    """Lock the effect that is made good for and the one that does it, by id."""
    ids = [each for each in (item.effect_id, item.acting_id) if each]
    return {each.pk: each for each in Effect.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)}


def said(refusal: type[Refusal]) -> str:
    """Give the words of a refusal as a page says them before anybody asks."""
    return (refusal.__doc__ or "").strip()
