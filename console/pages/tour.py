"""Going on with the tour of a demo, by a form that works without JavaScript."""

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from console.http.refusals import NotFound, Refusal
from console.identity.members import take_tour
from console.pages.address import BadFilter
from console.pages.room import MemberRequest, Receipt, deed
from console.pages.stops import STOPS, stop


def _gone(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Lead to the thing that the next stop is about, or back to where the tour was put away."""
    if isinstance(became, Refusal):
        raise became
    step = became["step"]
    if isinstance(step, int) and (found := stop(request.member.tenant_id, step)):
        return HttpResponseRedirect(found.where, status=303)
    here = request.POST.get("here", "")
    ours = here.startswith("/") and url_has_allowed_host_and_scheme(here, None)
    return HttpResponseRedirect(here if ours else reverse("home"), status=303)


@deed(shown=_gone, on="home")
def go_on(request: MemberRequest) -> Receipt:
    """Go to a stop by its number from 1; 0 puts the tour away until it is asked for again."""
    if not settings.DEMO:
        raise NotFound
    number = request.POST.get("step", "")
    if number not in {str(each) for each in range(len(STOPS) + 1)}:
        raise BadFilter
    step = int(number) - 1 if int(number) else None
    take_tour(request.member, step)
    return {"step": step}
