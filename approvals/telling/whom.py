"""Whom a request is told to, and why: those whose word would fill a seat, their own or in another's place; never who stands apart."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Q

from approvals.delegating import covers, handed_over, lent
from approvals.models import Delegation, Request
from approvals.seats import may_fill
from console.identity.models import Member
from console.notices.audience import Audience


def asked(tenant_id: UUID, requests: Sequence[Request], groups: Collection[str] | None = None) -> dict[UUID, Audience]:
    """Give for each request whom it asks now, each with why; only those of `groups` where these are named.

    Where that is nobody, the administrators are told, for a notice that reaches nobody is lost. In two queries, however many requests."""
    active = Member.objects.filter(tenant_id=tenant_id, active=True).select_related("user").order_by("pk")
    members = {each.pk: each for each in active.filter(Q(roles__contains=["approver"]) | Q(roles__contains=["admin"]))}
    handed = handed_over(tenant_id)
    found: dict[tuple[object, ...], Audience] = {}
    for request in requests:
        if (alike := _alike(request)) not in found:
            found[alike] = _audience(members, handed, request, groups)
    return {request.pk: found[_alike(request)] for request in requests}


def _alike(request: Request) -> tuple[object, ...]:
    """Give what of a request says whom it asks: of very many that ask the same people these are found once."""
    return request.operation, request.apart, request.panels, *request.groups


def _audience(
    members: dict[UUID, Member], handed: list[Delegation], request: Request, only: Collection[str] | None
) -> Audience:
    groups = frozenset(request.groups if only is None else only)
    own = {each.pk: groups & set(each.groups) for each in members.values()}
    why = {
        member_id: f"You were told because you approve for {_spoken(speaks_for)}."
        for member_id, speaks_for in own.items()
        if may_fill(members[member_id], speaks_for, request)
    }
    for delegation in handed:
        speaks_for = groups & lent(delegation)
        if (
            delegation.taker_id in members
            and delegation.giver_id not in request.apart  # who let nobody decide what they or their agent asked
            and covers(delegation, request.operation, speaks_for)
            and may_fill(delegation.giver, speaks_for, request)
        ):
            said = f"You were told because {delegation.giver.user.name} handed their decisions to you."
            why.setdefault(delegation.taker_id, said)
    for apart in request.apart:
        why.pop(apart, None)
    if why:
        return Audience([members[each] for each in sorted(why)], f"approvers of {_spoken(groups)}", why)
    admins = [each for each in members.values() if "admin" in each.roles]
    said = f"You were told because you administer, and nobody can approve for {_spoken(groups)}."
    return Audience(
        admins, f"administrators, for nobody approves for {_spoken(groups)}", {each.pk: said for each in admins}
    )


def _spoken(groups: Collection[str]) -> str:
    *most, last = sorted(groups) or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last
