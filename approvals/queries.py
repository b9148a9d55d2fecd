"""What pages and the API read of requests, beside the inbox (inbox.py) and what has ended (history.py)."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import F, Prefetch, QuerySet

from approvals.deciding.counting import Counted
from approvals.deciding.refusals import AlreadyCounted, Expired, SeparationOfDuties
from approvals.delegating import covers, givers_for, lent
from approvals.models import Decision, Delegation, Request
from approvals.revisions import revision_of
from approvals.seats import may_fill
from approvals.states import PENDING, REROUTED, WITHDRAWN
from console.identity.models import Member

LATELY = 200


def ended_lately(member: Member, limit: int) -> list[Request]:
    """Give the last requests that were decided or ended without a decision, latest first, among the last 200 of the tenant's."""
    ended = Request.objects.filter(tenant_id=member.tenant_id).exclude(state=PENDING).order_by("-decided_at", "-id")
    mine = set(member.groups) if decides(member) else None
    recent = ended.values_list("pk", "groups")[:LATELY]
    wanted = [request_id for request_id, groups in recent if mine is None or mine & set(groups)][:limit]
    return in_order(wanted)


def one(tenant_id: UUID, request_id: UUID) -> Request | None:
    """Give one request with everything a card shows, in whatever state it is."""
    found = with_votes(Request.objects.filter(tenant_id=tenant_id, pk=request_id))
    return found.select_related("agent", "owner__user", "policy", "revises__policy").first()


def whole(tenant_id: UUID, ids: Iterable[UUID]) -> list[Request]:
    """Give these requests of the tenant with everything that cards show, in this order."""
    wanted = list(ids)
    read = with_votes(Request.objects.filter(tenant_id=tenant_id, pk__in=wanted))
    found = {each.pk: each for each in read.select_related("agent", "owner__user", "policy", "revises__policy")}
    return [found[request_id] for request_id in wanted if request_id in found]


def in_order(ids: Iterable[UUID]) -> list[Request]:
    """Give these requests, with who asks and who said what, in this order."""
    wanted = list(ids)
    found = {request.pk: request for request in with_votes(Request.objects.filter(pk__in=wanted))}
    return [found[request_id] for request_id in wanted if request_id in found]


def asked_again(request: Request) -> Request | None:
    """Give the request that took the place of a rerouted or withdrawn one; those of 0.1.0 have only their subject in common."""
    revised = revision_of(request) if request.state in {REROUTED, WITHDRAWN} else None
    if revised is not None or request.state != REROUTED:
        return revised and with_votes(Request.objects.filter(pk=revised.pk)).first()
    later = Request.objects.filter(subject=request.subject, created_at__gte=request.created_at)
    return with_votes(later.exclude(pk=request.pk)).order_by("created_at", "id").first()


def why_not(member: Member, request: Request, now: datetime) -> str:
    """Say why this member may not decide this pending request, or nothing when they may; approvals.deciding has the last word."""
    if request.decide_by <= now:
        return Expired().detail
    if member.pk in request.apart:
        return SeparationOfDuties().detail
    said = [decision for decision in request.decisions.all() if decision.withdrawn_at is None]
    if any(decision.member_id == member.pk for decision in said):
        return AlreadyCounted().detail
    heard = {decision.voice_id or decision.member_id for decision in said}
    own = decides(member) and may_fill(member, member.groups, request)
    if own and member.pk not in heard:
        return ""
    handed = in_whose_place(member, request, now)
    if any(delegation.giver_id not in heard for delegation in handed):
        return ""
    return AlreadyCounted().detail if own or handed else _not_asked(member, request)


def in_whose_place(member: Member, request: Request, now: datetime) -> list[Delegation]:
    """Give the delegations by which the member may decide this request for somebody else; none of and for those who stand apart from it."""
    if member.pk in request.apart:
        return []
    handed = [each for each in givers_for(member, now) if covers(each, request.operation, request.groups)]
    return [each for each in handed if each.giver_id not in request.apart and may_fill(each.giver, lent(each), request)]


def _not_asked(member: Member, request: Request) -> str:
    """Say whom the policy asks instead of this member."""
    asked = f"The policy asks approvers of {spoken(request.groups)}"
    if decides(member):
        return f"{asked}; you approve for {spoken(member.groups)}."
    return f"{asked}; you are in no approver group."


def spoken(names: Iterable[str]) -> str:
    """List names as people do: finance, support and legal."""
    *most, last = [*names] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def counted(request: Request) -> int:
    """Give how many approvals count now, of a request that `with_votes` read: the database counted, as it does for the decision itself."""
    return int(vars(request)["filled"])


def decides(member: Member) -> bool:
    """Tell whether the member belongs to an approver group at all."""
    return bool(member.active and "approver" in member.roles and member.groups)


def with_votes(found: "QuerySet[Request]") -> "QuerySet[Request]":
    """Add who asks and who said what, in a constant number of queries."""
    people = Decision.objects.select_related("member__user", "voice__user", "delegation")
    said = Prefetch("decisions", people.order_by("at", "id"))
    return found.select_related("agent").prefetch_related(said).annotate(filled=Counted(F("pk")))
