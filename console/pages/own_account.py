"""One's own account: who one is here, and what the keyboard does."""

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from console.http.refusals import Refusal
from console.identity.members import switch_single_keys
from console.pages.address import BadFilter
from console.pages.answers import part_or_page
from console.pages.room import MemberRequest, Receipt, deed, page


@page()
def own_account(request: MemberRequest) -> HttpResponse:
    """Show whoever looks what they are here and what they can set."""
    return part_or_page(request, "account/own.html", {}, {"member": request.member})


def _switched(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if isinstance(became, Refusal):
        raise became
    return HttpResponseRedirect(reverse("own_account"), status=303)


@deed(shown=_switched, on="own_account")
def switch_keys(request: MemberRequest) -> Receipt:
    """Turn single keys on or off for oneself."""
    wanted = request.POST.get("single_keys", "")
    if wanted not in {"on", "off"}:
        raise BadFilter
    switch_single_keys(request.member, on=wanted == "on")
    return {"single_keys": wanted}
