"""The second person's word about an ending that waits: confirmed, declined, or taken back by whoever said it (R-J2).

Nobody says both words. A key of one's own acts as oneself, and nobody decides here in another's place, so that who said the first word is
told by the member."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from compensation.deeds.checklist import check_ticked
from compensation.deeds.ending import take_effect, told
from compensation.deeds.overtaking import overtake_one
from compensation.deeds.standing import (
    Held,
    ItemOver,
    check_at_rest,
    check_open,
    check_seen,
    hold_any,
    may_act,
    operates,
)
from compensation.lists import listed
from compensation.models import Ending, WorkItem
from compensation.states import DECLINED, IN_FORCE, PROPOSED, RESOLVE, WITHDRAWN
from compensation.writing import changed, write
from console.clock import instant
from console.exact import Object
from console.http import reasons
from console.http.refusals import Forbidden, NotFound, Refusal
from console.identity.groups import belongs
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.models import Attempt
from runs.states import ACTS
from runs.unknowns.seconding import SecondPerson
from runs.unknowns.standing import NotAnOperator

WHO_CONFIRMS: Final = "Operators, admins and members of the groups on its ladder confirm how a work item ends."


class EndingDecided(Refusal):
    """What was said of this work item is decided; `stands` says how."""

    code = "ending_decided"


class EndingOutdated(Refusal):
    """It was tried again after this was said, or whoever said it may not act on it any more; decline it and say anew how it ends."""

    code = "ending_outdated"


class NotYourEnding(Forbidden):
    """Whoever said it takes it back; others decline it."""

    code = "not_your_ending"


def confirm(by: Actor, ending_id: UUID, *, reason: str = "", version: int | None = None, key: str) -> dict[str, Any]:
    """Confirm what somebody else said, which ends the item. Where the item moved on meanwhile it is overtaken.

    Raises NotFound, NotAnOperator, SecondPerson, EndingDecided, EndingOutdated, ItemOver, ItemAtWork, StaleVersion,
    ChecklistOpen."""
    try:
        return _confirm(by, ending_id, reason=reason, version=version, key=key)
    except (ItemOver, EndingOutdated):
        overtake_one(by, ending_id)
        raise


@move("confirm ending")
def _confirm(by: Actor, ending_id: UUID, *, reason: str, version: int | None, key: str) -> dict[str, Any]:
    reasons.check_length(reason)
    asked: Object = {"ending": str(ending_id), "reason": reason}
    act = lambda: _confirmed(by, ending_id, reason.strip(), version)  # noqa: E731 - the act of `once`
    return once(by, key, "confirm_ending", asked, act, about=_item_of(by, ending_id))


@move("decline ending")
def decline(by: Actor, ending_id: UUID, *, reason: str, version: int | None = None, key: str) -> dict[str, Any]:
    """Decline what somebody else said, with a reason; the item stays as it is.

    Raises NotFound, NotAnOperator, SecondPerson, EndingDecided, StaleVersion."""
    why = reasons.given(reason)
    asked: Object = {"ending": str(ending_id), "reason": reason}
    act = lambda: _turned_down(by, ending_id, DECLINED, why, version)  # noqa: E731
    return once(by, key, "decline_ending", asked, act, about=_item_of(by, ending_id))


@move("withdraw ending")
def withdraw(by: Actor, ending_id: UUID, *, reason: str = "", version: int | None = None, key: str) -> dict[str, Any]:
    """Take back what one said oneself, before it is confirmed. Raises NotFound, NotAnOperator, NotYourEnding, EndingDecided,
    StaleVersion."""
    reasons.check_length(reason)
    asked: Object = {"ending": str(ending_id), "reason": reason}
    act = lambda: _turned_down(by, ending_id, WITHDRAWN, reason.strip(), version)  # noqa: E731
    return once(by, key, "withdraw_ending", asked, act, about=_item_of(by, ending_id))


def may_confirm(member: Member, ladder: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a member may say the second word: who operates, or a group of the ladder, so that the first chooses nobody."""
    return operates(member) or (member.active and any(belongs(member, str(rung["to"])) for rung in ladder))


def _may_speak(member: Member, item: WorkItem) -> bool:
    return may_act(member, item) or may_confirm(member, listed(item.ladder))


def _confirmed(by: Actor, ending_id: UUID, reason: str, version: int | None) -> dict[str, Any]:
    held, ending = _held(by, ending_id)
    if ending.proposed_by_id == by.principal:
        raise SecondPerson("Another member than the one who said it confirms it.", **held.standing)
    if not may_confirm(held.member, listed(held.item.ladder)):
        raise NotAnOperator(WHO_CONFIRMS)
    _check_waits(ending, held)
    check_open(held)
    check_at_rest(held)
    _check_fresh(ending, held)
    check_seen(held, version)
    if ending.ending == RESOLVE:
        check_ticked(held)
    _decide(by, held, ending, IN_FORCE, reason)
    take_effect(by, held, ending)
    return told(held, ending)


def _check_fresh(ending: Ending, held: Held) -> None:
    acts = Attempt.objects.filter(effect=held.acting, kind__in=ACTS, started_at__gt=ending.proposed_at)
    if held.acting is not None and acts.exists():
        raise EndingOutdated(**held.standing)
    if not may_act(ending.proposed_by, held.item):
        raise EndingOutdated("Whoever said this may not act on it any more; decline it.", **held.standing)


def _turned_down(by: Actor, ending_id: UUID, state: str, reason: str, version: int | None) -> dict[str, Any]:
    held, ending = _held(by, ending_id)
    own = ending.proposed_by_id == by.principal
    if state == WITHDRAWN and not own:
        raise NotYourEnding(**held.standing)
    if state == DECLINED and own:
        raise SecondPerson("Take back what you said yourself instead.", **held.standing)
    _check_waits(ending, held)
    check_seen(held, version)
    _decide(by, held, ending, state, reason)
    return told(held, ending)


def _held(by: Actor, ending_id: UUID) -> tuple[Held, Ending]:
    held = hold_any(by, _item_of(by, ending_id), _may_speak)
    found = Ending.objects.select_related("proposed_by__user", "decided_by__user").select_for_update(of=("self",))
    return held, found.get(pk=ending_id)


def _item_of(by: Actor, ending_id: UUID) -> UUID:
    found = Ending.objects.filter(pk=ending_id, tenant_id=by.tenant).values_list("item_id", flat=True).first()
    if found is None:
        raise NotFound
    return found


def _check_waits(ending: Ending, held: Held) -> None:
    if ending.state != PROPOSED:
        decided = ending.decided_by
        raise EndingDecided(
            stands=ending.state, by=decided.user.name if decided else None, at=instant(ending.decided_at),
            **held.standing | {"reason": ending.decided_reason},
        )  # fmt: skip


def _decide(by: Actor, held: Held, ending: Ending, state: str, reason: str) -> None:
    kind = {IN_FORCE: "ending.confirmed", DECLINED: "ending.declined", WITHDRAWN: "ending.withdrawn"}[state]
    change = changed(ending, kind, state=state, decided_by_id=by.principal, decided_at=held.now, decided_reason=reason)
    write(by, [change], held.now)
