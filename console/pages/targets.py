"""The state of what a request is about: a member has it read again. A worker reads; looking at the card changes nothing."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from approvals.target import read_again
from console.http.refusals import Refusal
from console.pages.answers import whole
from console.pages.approvals import card
from console.pages.room import MemberRequest, Receipt, deed


def _asked(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Show the card again, where what is read will stand; of htmx the part alone."""
    if isinstance(became, Refusal):
        raise became
    if not request.htmx:
        return HttpResponseRedirect(reverse("approval", args=[subject]), status=303)
    return whole(request, "approvals/_target.html", card(request, subject))


@deed(shown=_asked, on="approval")
def read_target(request: MemberRequest, subject: UUID) -> Receipt:
    """Have the target read now."""
    return read_again(request.by, subject)
