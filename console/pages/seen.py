"""What somebody saw when they decided: the card of that moment, drawn again from what the decision kept."""

from uuid import UUID

from django.http import HttpResponse

from approvals.evidence import kept
from console.http.refusals import NotFound
from console.pages.answers import whole
from console.pages.questions import drawn_again, number_of
from console.pages.room import MemberRequest, page
from runs import queries as runs


@page()
def seen(request: MemberRequest, subject: UUID, decision: UUID) -> HttpResponse:
    """Show it, on the time of the decision; whatever has changed since is not in it."""
    found = kept(request.member.tenant_id, subject, decision)
    if found is None:
        raise NotFound
    effect = runs.subjects([found.request.subject]).get(found.request.subject)
    question = drawn_again(found, effect) if found.seen else None
    told = {
        "question": question,
        "decision": found,
        "by_name": found.member.user.name,
        "number": number_of(subject),
        "now": found.at,
    }
    return whole(request, "approvals/seen.html", told)
