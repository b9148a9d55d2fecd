"""Pauses: what is stopped now and was before, with the forms that stop and let go on; and what every page's banner says of it."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.pages import address, sent
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, wants, whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import shelf
from runs.pausing import pausing, standing
from runs.pausing.pausing import BadPause, Subject, may_pause

SHOWN = 50
LISTED = 200
BANNER = {"stopped": "pauses/_stopped.html"}
SHELVES = {
    "operation": "operation",
    "run_type": "run-type",
}  # what is paused by its name, and where its contracts stand


@page("before", "receipt", "seen")
def pauses(request: MemberRequest) -> HttpResponse:
    """Show what is paused, what may be paused, and what was; or the banner alone, for a page that stands open and has seen what was."""
    if wants(request, "stopped"):
        stopped = request.nav.stopped
        if stopped is not None and stopped.mark == request.GET.get("seen"):
            return HttpResponse(status=204)
        return whole(request, BANNER["stopped"], {"stopped": stopped})
    return part_or_page(request, "pauses/list.html", BANNER, _context(request) | {"receipt": sent.told(request)})


def _became(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    """Lead back to where the form stood; a refusal is told on the page of pauses, with what was written."""
    if isinstance(became, Refusal):
        context = _context(request) | {"receipt": sent.said(became), "typed": request.POST}
        return whole(request, "pauses/list.html", context, became.status)
    here = request.POST.get("here", "")
    if here.startswith("/") and url_has_allowed_host_and_scheme(here, None):
        return HttpResponseRedirect(f"{here}#pauses", status=303)
    return sent.to(request, "pauses")


@deed(shown=_became, on="pauses")
def pause(request: MemberRequest) -> Receipt:
    """Stop a run, an operation, a run type, or everything."""
    form = request.POST
    scope, _, name = form.get("what", "").partition(":")
    subject = Subject(
        scope,
        run=_run(name) if scope == standing.SCOPE_RUN else None,
        name="" if scope == standing.SCOPE_RUN else name,
        emergency=form.get("emergency") == "yes",
    )
    return pausing.pause(request.by, subject, reason=_text(request), key=sent.key(request))


@deed(shown=_became, on="pauses")
def lift_pause(request: MemberRequest) -> Receipt:
    """Let what was paused go on."""
    try:
        subject = UUID(request.POST.get("pause", ""))
    except ValueError:
        raise NotFound from None
    return pausing.lift(request.by, subject, reason=_text(request), key=sent.key(request))


def may(request: MemberRequest) -> dict[str, bool]:
    """Tell what this member may stop and let go on."""
    return {
        "may_pause": may_pause(request.by.roles, standing.SCOPE_RUN),
        "may_stop": may_pause(request.by.roles, standing.SCOPE_TENANT),
    }


def _context(request: MemberRequest) -> dict[str, Any]:
    tenant_id = request.member.tenant_id
    before = address.cursor(request, "before") if request.method in {"GET", "HEAD"} else None
    found = standing.history(tenant_id, before, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    stopped = list(standing.standing(tenant_id)[: LISTED + 1])
    return {
        "standing": [{"pause": each, "may_lift": may_pause(request.by.roles, each.scope)} for each in stopped[:LISTED]],
        "standing_more": len(stopped) > LISTED,
        "emergency": any(each.emergency for each in stopped),
        "everything": any(each.scope == standing.SCOPE_TENANT and not each.emergency for each in stopped),
        "past": [each for each in found[:SHOWN] if each.lifted_at is not None],
        "older": query(before=Cursor(last.paused_at, last.pk)) if last else None,
        "newest": before is None,
        "names": {scope: _names(tenant_id, kind) for scope, kind in SHELVES.items()},
        "form_key": str(uuid7()),
        "typed": {},
        **may(request),
    }


def _names(tenant_id: UUID, kind: str) -> list[str]:
    return [found.name for found in shelf.in_force(kind, tenant_id, "", LISTED)]


def _run(name: str) -> UUID:
    try:
        return UUID(name)
    except ValueError:
        raise BadPause(path="/run") from None


def _text(request: MemberRequest) -> str:
    return request.POST.get("reason", "").replace("\r\n", "\n")
