"""How a member is told: digests, quiet hours, which kinds; and the channels, their own and the tenant's."""

from collections.abc import Callable
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django.conf import settings
from django.http import HttpResponse
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.notices import channels as moves
from console.notices import queries, switching
from console.notices.kinds import KINDS
from console.pages import sent
from console.pages.answers import part_or_page, whole
from console.pages.endpoints import OUTCOMES, kinds_in_words
from console.pages.room import MemberRequest, Receipt, deed, page

SETTINGS = "notices/settings.html"


@page("receipt")
def settings_of(request: MemberRequest) -> HttpResponse:
    """Show how a member is told, and by which channels."""
    return part_or_page(request, SETTINGS, {}, _settings(request) | {"receipt": sent.told(request)})


def _shown(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "notice_settings")
    typed = {name: value for name, value in request.POST.items() if name != "url"}  # an address is a secret
    return whole(request, SETTINGS, _settings(request) | {"receipt": sent.said(became), "typed": typed}, became.status)


@deed(shown=_shown, on="notice_settings")
def change_wishes(request: MemberRequest) -> Receipt:
    """Say how one wants to be told."""
    form = request.POST
    switching.wish(
        request.by, digest_minutes=form.get("digest_minutes", ""), quiet_from=form.get("quiet_from", ""),
        quiet_until=form.get("quiet_until", ""), time_zone=form.get("time_zone", ""), kinds_on=form.getlist("kinds"),
    )  # fmt: skip
    return {"receipt": "changed", "at": None}


@deed(shown=_shown, on="notice_settings")
def add_channel(request: MemberRequest) -> Receipt:
    """Add a channel, one's own or the tenant's."""
    form = request.POST
    return moves.add(
        request.by, form.get("url", ""), label=form.get("label", ""), own=form.get("whose") != "tenant", kinds=form.getlist("kinds"),
        tiers=form.getlist("tiers"), key=sent.key(request),
    )  # fmt: skip


@deed(shown=_shown, on="notice_settings")
def change_channel(request: MemberRequest) -> Receipt:
    """Say anew what a channel takes."""
    form = request.POST
    takes = {"kinds": form.getlist("kinds"), "tiers": form.getlist("tiers")}
    return moves.change(request.by, _named(request), key=sent.key(request), **takes)


def _switch(move: Callable[..., dict[str, Any]]) -> Callable[[MemberRequest], Receipt]:
    def switched(request: MemberRequest) -> Receipt:
        return move(request.by, _named(request), key=sent.key(request))

    return switched


stop_channel = deed(shown=_shown, on="notice_settings")(_switch(moves.stop))
start_channel = deed(shown=_shown, on="notice_settings")(_switch(moves.start))
try_channel = deed(shown=_shown, on="notice_settings")(_switch(moves.try_out))


def _named(request: MemberRequest) -> UUID:
    """Give the channel that a form names. Raises NotFound."""
    try:
        return UUID(request.POST.get("channel", ""))
    except ValueError:
        raise NotFound from None


def _settings(request: MemberRequest) -> dict[str, Any]:
    wishes = queries.wishes(request.member)
    found = queries.channels(request.member, of_tenant=request.nav.sees_people)
    last = queries.last_sent(found)
    lines: list[dict[str, Any]] = [
        {
            "channel": each,
            "takes": kinds_in_words(each.kinds),
            "tiers": ", ".join(each.tiers) or "every tier",
            "last": last.get(each.pk),
            "outcome": OUTCOMES.get(last[each.pk].last_outcome, "") if each.pk in last else "",
            "may_change": moves.may_change(request.by, each),
        }
        for each in found
    ]
    return {
        "wishes": wishes,
        "kinds_on": [kind.name for kind in KINDS if kind.name not in wishes.kinds_off],
        "kinds": KINDS,
        "tiers": moves.TIERS,
        "zones": sorted(available_timezones()),
        "mine": [line for line in lines if line["channel"].member_id],
        "tenants": [line for line in lines if not line["channel"].member_id],
        "may_administer": "admin" in request.by.roles,
        "sees_tenants": request.nav.sees_people,
        "mail_is_sent": settings.EMAIL_IS_SENT,
        "form_key": str(uuid7()),
        "typed": {},
    }
