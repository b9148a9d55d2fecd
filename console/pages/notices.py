"""Notices: what a member was told, the newest first; marking it as read; and whether it comes by e-mail too."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from console.http.refusals import NotFound, Refusal
from console.notices import queries, switching
from console.notices.kinds import TITLES
from console.pages import address
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page

SHOWN = 50


@page("before")
def notices(request: MemberRequest) -> HttpResponse:
    """Show a member's notices."""
    return part_or_page(request, "notices/list.html", {}, _list(request))


def _back(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Lead back to the list, which shows what was done."""
    if isinstance(became, Refusal):
        return whole(request, "notices/list.html", _list(request) | {"refused": became.detail}, became.status)
    return HttpResponseRedirect(reverse("notices"), status=303)


@deed(shown=_back, on="notices")
def read_notice(request: MemberRequest) -> Receipt:
    """Mark one notice as read, or all that had come when this one had."""
    named, every = request.POST.get("notice", ""), request.POST.get("all") == "yes"
    try:
        copy_id = UUID(named)
    except ValueError:
        raise NotFound from None
    if every:
        return {"read": switching.read_all(request.by, copy_id)}
    switching.read(request.by, copy_id)
    return {"read": 1}


@deed(shown=_back, on="notices")
def switch_mail(request: MemberRequest) -> Receipt:
    """Have notices by e-mail too, or not."""
    on = request.POST.get("mail") == "on"
    switching.switch_mail(request.by, on=on)
    return {"mail": on}


def _list(request: MemberRequest) -> dict[str, Any]:
    before = address.cursor(request, "before")
    found = queries.copies(request.member, before, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    return {
        "copies": [{"copy": each, "notice": each.notice, "kind": TITLES.get(each.notice.kind, each.notice.kind)} for each in found[:SHOWN]],
        "older": query(before=Cursor(last.posted_at, last.pk)) if last else None,
        "newest": before is None,
        "unread": request.nav.notices,
        "wants_mail": queries.wants_mail(request.member),
        "mail_is_sent": settings.EMAIL_IS_SENT,
        "mail_address": request.member.user.email,
        "sees_endpoints": request.nav.sees_people,
    }  # fmt: skip
