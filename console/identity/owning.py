"""Looking after something: what is refused, and to whom a thing may be handed. Each room says itself who acts on its things."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from console.clock import instant
from console.http.refusals import Forbidden, InvalidContent, Refusal
from console.identity.groups import is_known
from console.identity.models import Member


class AlreadyClaimed(Refusal):
    """Somebody looks after this already."""

    code = "already_claimed"


class NotClaimed(Refusal):
    """Nobody looks after this; there is nothing to let go."""

    code = "not_claimed"


class NotYours(Forbidden):
    """Its owner lets it go, or an operator takes it from them."""

    code = "not_yours_to_release"


class BadHandOver(InvalidContent):
    """It is handed to one active member, or to one group that somebody belongs to."""

    code = "bad_hand_over"


def one_of(to_member: UUID | None, to_group: str) -> str:
    """Give the group that is named, where no member is. Raises BadHandOver."""
    group = to_group.strip()
    if (to_member is None) == (not group):
        raise BadHandOver("Name a member or a group, one of the two.", path="/to_group")
    return group


def check_free(owner_id: UUID | None, since: datetime | None, standing: dict[str, Any]) -> None:
    """Refuse a claim of what an active member looks after. Raises AlreadyClaimed."""
    owner = _named(owner_id)
    if owner is not None and owner.active:
        raise AlreadyClaimed(owner=str(owner.pk), by=owner.user.name, since=instant(since), **standing)


def check_lets_go(member: Member, owner_id: UUID | None, standing: dict[str, Any], *, relieves: bool) -> Member:
    """Give whoever looks after it: the member themselves, or whom they may relieve. Raises NotClaimed, NotYours."""
    owner = _named(owner_id)
    if owner is None:
        raise NotClaimed(**standing)
    if owner.pk != member.pk and not relieves:
        raise NotYours(by=owner.user.name, **standing)
    return owner


def check_takes(tenant_id: UUID, to_member: UUID, group: str, may: Callable[[Member], bool]) -> None:
    """Refuse to hand a thing of a group to a member who may not act on it. Raises BadHandOver."""
    target = Member.objects.filter(pk=to_member, tenant_id=tenant_id, active=True).first()
    if target is None:
        raise BadHandOver("There is no active member of this id.", path="/to_member")
    if not may(target):
        raise BadHandOver(f"Only operators and members of {group} look after this.", path="/to_member", group=group)


def check_group(tenant_id: UUID, group: str) -> None:
    """Refuse a group that nobody belongs to. Raises BadHandOver."""
    if not is_known(tenant_id, group):
        raise BadHandOver("Nobody belongs to this group.", path="/to_group", group=group)


def _named(member_id: UUID | None) -> Member | None:
    return None if member_id is None else Member.objects.select_related("user").get(pk=member_id)
