"""One address, two answers: the whole page, or the part of it that htmx refreshes. Both come from the same context."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.shortcuts import render

from console.http.refusals import BadRequest
from console.pages.room import PART, MemberRequest


class UnknownPart(BadRequest):
    """This page has no such part."""

    code = "unknown_part"


def part_or_page(
    request: MemberRequest, page: str, parts: Mapping[str, str], context: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """Answer with the part that was asked for, else with the page; a restored history always gets the page."""
    asked = request.GET.get(PART, "")
    if asked and asked not in parts:
        raise UnknownPart
    return whole(request, parts[asked] if wants(request, asked) else page, context, status)


def wants(request: MemberRequest, part: str) -> bool:
    """Tell whether this part alone will be the answer."""
    asks = bool(part) and request.GET.get(PART) == part
    return asks and bool(request.htmx) and not request.htmx.history_restore_request


def whole(request: MemberRequest, template: str, context: Mapping[str, object], status: int = 200) -> HttpResponse:
    """Render with what every page of a member has: the places and the database's time."""
    return render(request, template, {"nav": request.nav, "now": request.now, **context}, status=status)
