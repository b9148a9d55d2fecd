"""Effects whose outcome is not confirmed."""

from django.http import HttpResponse

from console.pages import address, effects
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page
from console.pages.room import MemberRequest, page
from runs import queries

SHOWN = 50
PARTS = {"list": "unknown/_list.html"}


@page("after")
def unknown(request: MemberRequest) -> HttpResponse:
    """Show them, oldest first."""
    after = address.cursor(request)
    found = queries.unknown(request.member.tenant_id, after, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    context = {
        "effects": effects.unknown(found[:SHOWN], request.now),
        "count": request.nav.unknown,
        "older": query(after=Cursor(last.unknown_since, last.pk)) if last and last.unknown_since else None,
        "newest": after is None,
    }
    return part_or_page(request, "unknown/list.html", PARTS, context)
