"""What has become of requests: everything that is settled, the latest first, narrowed as it is asked for, page by page."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from approvals.models import Decision, Request
from approvals.queries import decides, with_votes
from approvals.states import PENDING
from console.identity.models import Member

Place: TypeAlias = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the history. `member` is whose word was given, by themselves or in their place; `until` is not in it."""

    outcome: str = ""
    operation: str = ""
    agent: UUID | None = None
    member: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


def settled(member: Member, wanted: Wanted, after: Place | None, limit: int) -> list[Request]:
    """Give one page of what is asked, with who asked, who answers for them, and who said what."""
    found = _narrowed(_seen_by(member), wanted)
    if after is not None:
        at, request_id = after
        found = found.filter(decided_at__lte=at).exclude(decided_at=at, id__gte=request_id)
    ordered = with_votes(found).select_related("agent", "owner__user", "policy").order_by("-decided_at", "-id")
    return list(ordered[:limit])


def more_than(member: Member, wanted: Wanted, number: int) -> bool:
    """Tell whether more than this many are as asked."""
    found = _narrowed(_seen_by(member), wanted).order_by("-decided_at", "-id")
    return found.values_list("pk")[number : number + 1].exists()


def _seen_by(member: Member) -> "QuerySet[Request]":
    """Give what the member may look back on: approvers what their groups were asked and what they decided, all others everything."""
    seen = Request.objects.filter(tenant_id=member.tenant_id)
    if not decides(member) or {"admin", "auditor"} & set(member.roles):
        return seen
    return seen.filter(Q(groups__overlap=member.groups) | _has_word_of(member.pk))


def _has_word_of(member_id: UUID) -> Exists:
    said = Decision.objects.filter(request=OuterRef("pk"))
    return Exists(said.filter(Q(member=member_id) | Q(voice=member_id)))


def _narrowed(found: "QuerySet[Request]", wanted: Wanted) -> "QuerySet[Request]":
    found = found.filter(state=wanted.outcome) if wanted.outcome else found.exclude(state=PENDING)
    exactly = {
        "operation": wanted.operation,
        "agent": wanted.agent,
        "decided_at__gte": wanted.since,
        "decided_at__lt": wanted.until,
    }
    found = found.filter(**{name: value for name, value in exactly.items() if value})
    return found.filter(_has_word_of(wanted.member)) if wanted.member else found
