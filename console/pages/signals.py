"""Signals as a page: what is kept for a wait that is not there yet, what came too late, and what was taken."""

from django.http import HttpResponse

from console.pages import address
from console.pages.answers import part_or_page
from console.pages.room import MemberRequest, page
from runs.history import actor_names
from runs.signals import queries
from runs.states import EXPIRED, KEPT, LATE, SIGNAL_RECORDED, TAKEN

SHOWN = 50
ALL = "all"
TABS = {
    KEPT: ("Kept for a wait", (SIGNAL_RECORDED, KEPT)),
    LATE: ("Came too late", (LATE,)),
    EXPIRED: ("Let go", (EXPIRED,)),
    TAKEN: ("Taken", (TAKEN,)),
    ALL: ("All", (SIGNAL_RECORDED, KEPT, LATE, EXPIRED, TAKEN)),
}
PARTS = {"list": "signals/_list.html"}


@page("state", "after")
def signals(request: MemberRequest) -> HttpResponse:
    """Show signals, the newest first: those that nothing has taken, unless others are asked for."""
    asked = address.chosen(request, "state", set(TABS)) or KEPT
    after = address.cursor(request)
    found = queries.signals(request.member.tenant_id, TABS[asked][1], after, SHOWN + 1)
    words = "" if asked == KEPT else address.query(state=asked)
    more = address.Cursor(found[SHOWN - 1].received_at, found[SHOWN - 1].pk) if len(found) > SHOWN else None
    names = actor_names(request.member.tenant_id, {each.sender for each in found[:SHOWN] if each.source != "webhook"})
    context = {
        "signals": [(each, names.get(each.sender, "")) for each in found[:SHOWN]],
        "asked": asked,
        "tabs": [(name, label) for name, (label, _) in TABS.items()],
        "words": words,
        "older": address.query(state="" if asked == KEPT else asked, after=more) if more else None,
        "newest": after is None,
    }
    return part_or_page(request, "signals/list.html", PARTS, context)
