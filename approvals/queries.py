"""What pages and the API read of requests: one query per list, pages by (deadline, id), counts that stop at a bound."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from approvals.decide import AlreadyCounted, Expired, SeparationOfDuties
from approvals.models import Decision, Request
from approvals.states import PENDING, REROUTED
from console.clock import DatabaseNow
from console.identity.models import Member

LATELY = 200
Place: TypeAlias = tuple[datetime, UUID]


def to_decide(member: Member) -> "QuerySet[Request]":
    """Give the requests that wait for this member's own word, nearest deadline first."""
    if not decides(member):
        return Request.objects.none()
    # A value looked up for each request that waits, by the index of its decisions: an EXISTS would be joined to every decision ever made.
    word = Decision.objects.filter(request=OuterRef("pk"), member=member).values("verdict")[:1]
    asked = Request.objects.filter(
        tenant_id=member.tenant_id, state=PENDING, decide_by__gt=DatabaseNow(), groups__overlap=member.groups
    )
    return asked.exclude(owner=member).annotate(word=Subquery(word)).filter(word=None).order_by("decide_by", "id")


def count_to_decide(member: Member, most: int) -> int:
    """Count them, up to `most`."""
    return to_decide(member)[:most].count()


def pending(member: Member, after: Place | None, limit: int) -> list[Request]:
    """Give undecided requests that the member may see, nearest deadline first: those asked of their groups, or all of the tenant's."""
    found = _seen_by(member).filter(state=PENDING, decide_by__gt=DatabaseNow())
    if after is not None:
        at, request_id = after
        found = found.filter(decide_by__gte=at).exclude(decide_by=at, id__lte=request_id)
    return list(with_votes(found).order_by("decide_by", "id")[:limit])


def ended_lately(member: Member, limit: int) -> list[Request]:
    """Give the last requests that were decided or ended without a decision, latest first, among the last 200 of the tenant's."""
    ended = Request.objects.filter(tenant_id=member.tenant_id).exclude(state=PENDING).order_by("-decided_at", "-id")
    mine = set(member.groups) if decides(member) else None
    recent = ended.values_list("pk", "groups")[:LATELY]
    wanted = [request_id for request_id, groups in recent if mine is None or mine & set(groups)][:limit]
    found = {request.pk: request for request in with_votes(Request.objects.filter(pk__in=wanted))}
    return [found[request_id] for request_id in wanted]


def one(tenant_id: UUID, request_id: UUID) -> Request | None:
    """Give one request with everything a card shows, in whatever state it is."""
    found = with_votes(Request.objects.filter(tenant_id=tenant_id, pk=request_id))
    return found.select_related("agent", "owner__user", "policy").first()


def asked_again(request: Request) -> Request | None:
    """Give the request that took the place of a rerouted one."""
    if request.state != REROUTED:
        return None
    later = Request.objects.filter(subject=request.subject, created_at__gte=request.created_at)
    return with_votes(later.exclude(pk=request.pk)).order_by("created_at", "id").first()


def why_not(member: Member, request: Request, now: datetime) -> str:
    """Say why this member may not decide this pending request, or nothing when they may; approvals.decide has the last word."""
    if request.decide_by <= now:
        return Expired().detail
    if member.pk == request.owner_id:
        return SeparationOfDuties().detail
    if not decides(member) or not set(member.groups) & set(request.groups):
        return _not_asked(member, request)
    if any(decision.member_id == member.pk for decision in request.decisions.all()):
        return AlreadyCounted().detail
    return ""


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
    """Count the approvals that count now, as the decision itself does."""
    return sum(
        decision.verdict == "approve"
        and decides(decision.member)
        and bool(set(decision.member.groups) & set(request.groups))
        for decision in request.decisions.all()
    )


def decides(member: Member) -> bool:
    """Tell whether the member belongs to an approver group at all."""
    return bool(member.active and "approver" in member.roles and member.groups)


def with_votes(found: "QuerySet[Request]") -> "QuerySet[Request]":
    """Add who asks and who said what, in a constant number of queries."""
    said = Prefetch("decisions", Decision.objects.select_related("member__user").order_by("at", "id"))
    return found.select_related("agent").prefetch_related(said)


def _seen_by(member: Member) -> "QuerySet[Request]":
    seen = Request.objects.filter(tenant_id=member.tenant_id)
    return seen.filter(groups__overlap=member.groups) if decides(member) else seen
