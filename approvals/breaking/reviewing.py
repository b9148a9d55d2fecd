"""What somebody else says of a broken glass afterwards: justified or not, with their reasons."""

from typing import Any
from uuid import UUID

from approvals import record, telling
from approvals.breaking.ending import end, hold
from approvals.breaking.refusals import GlassReviewed, GlassStillOpen, NotTheirReview
from approvals.models import BreakGlass, Request
from console import clock
from console.clock import instant
from console.exact import Value
from console.http.reasons import given
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once

REVIEWERS = ("approver", "admin")


@move("review glass")
def review(by: Actor, glass_id: UUID, *, justified: bool, text: str, key: str) -> dict[str, Any]:
    """Say whether it was justified. Raises NotFound, NotTheirReview, GlassStillOpen, GlassReviewed, ReasonMissing, ReasonTooLong."""
    said = given(text, "A review says why.")

    def act() -> dict[str, Any]:
        request, glass = hold(glass_id)
        now = clock.now()
        if not may_review(_member(by, request), glass, request):
            raise NotTheirReview
        if glass.reviewed_at is not None:
            raise GlassReviewed(at=instant(glass.reviewed_at))
        if glass.ended_at is None and glass.ends_at > now:
            raise GlassStillOpen(until=instant(glass.ends_at))
        if glass.ended_at is None:
            end(by, request, glass, now)
        glass.reviewed_by_id, glass.reviewed_at, glass.review, glass.justified = by.principal, now, said, justified
        glass.save(update_fields=["reviewed_by", "reviewed_at", "review", "justified"])
        facts: dict[str, Value] = {"glass": str(glass.pk), "member": str(by.id), "review": said, "justified": justified}
        record.write([(request.pk, "request.glass_reviewed", facts)], by, now)
        telling.glass_reviewed(by, glass, request)
        return {"receipt": "glass_reviewed", "glass": str(glass.pk), "request": str(request.pk), "at": instant(now)}

    asked = {"glass": str(glass_id), "justified": justified, "text": text}
    return once(by, key, "review glass", asked, act)


def may_review(member: Member | None, glass: BreakGlass, request: Request) -> bool:
    """Tell whether this is a member who may say what they think of it."""
    if member is None or not member.active or not set(REVIEWERS) & set(member.roles):
        return False
    return member.pk not in {glass.member_id, *request.apart}


def _member(by: Actor, request: Request) -> Member | None:
    if by.kind != "member":
        return None
    return Member.objects.filter(pk=by.principal, tenant_id=request.tenant_id, active=True).first()
