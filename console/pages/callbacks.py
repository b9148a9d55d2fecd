"""Signed messages that name no effect, as a page: somebody told something, and nobody knows of what."""

from uuid import UUID

from django.http import HttpResponse

from console.pages import address
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, page
from runs.callbacks import queries

SHOWN = 50
PARTS = {"list": "callbacks/_list.html"}


@page("after")
def callbacks(request: MemberRequest) -> HttpResponse:
    """Show the messages that name no effect, the newest first."""
    after = address.cursor(request)
    found = queries.unnamed(request.member.tenant_id, after, SHOWN + 1)
    more = address.Cursor(found[SHOWN - 1].received_at, found[SHOWN - 1].pk) if len(found) > SHOWN else None
    context = {
        "callbacks": found[:SHOWN],
        "beginning": queries.BEGINNING,
        "older": address.query(after=more) if more else None,
        "newest": after is None,
    }
    return part_or_page(request, "callbacks/list.html", PARTS, context)


@page()
def callback(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one of them, with all that it says."""
    found = queries.one_unnamed(request.member.tenant_id, subject)
    return whole(request, "callbacks/one.html", {"callback": found})
