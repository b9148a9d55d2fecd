"""Error pages in the product's own look, and problem documents below the API's address, in one place."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.middleware import csrf
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme

from console.database import transaction
from console.http import problems
from console.http.refusals import Refusal
from console.identity.members import member_of
from console.pages.nav import Nav

API = "/api/"
PAGES = {400: "400.html", 403: "403.html", 404: "404.html", 413: "413.html"}
NO_COOKIE = (
    "Your browser sent no cookie with it, so nobody can tell that the form is yours. Cookies may be off, or were cleared "
    "since the page was opened."
)
FROM_ELSEWHERE = (
    "It was sent from another site, or this product is reached by an address that it does not know as its own (whoever runs it "
    "names that address in CSRF_TRUSTED_ORIGINS)."
)
OLD = "You signed in or out in another window since the page was opened, so the form on it no longer counts."


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Show a refusal that has no page of its own."""
    context = {"refusal": refusal.detail, "back": _back(request)}
    return _page(request, PAGES.get(refusal.status, "409.html"), context, refusal.status)


def wrong_method(request: HttpRequest, methods: Sequence[str]) -> HttpResponse:
    """Say by which methods this address answers."""
    answer = _page(request, "405.html", {"back": _back(request)}, 405)
    answer["Allow"] = ", ".join(methods)
    return answer


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django could not read, or what is too large to be read."""
    if isinstance(exception, RequestDataTooBig):
        return _error(request, 413, "too_large", problems.TOO_LARGE)
    return _error(request, 400, "bad_request", "The request cannot be read.")


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that came without a valid token, and say which of the three causes it has."""
    if reason == csrf.REASON_NO_CSRF_COOKIE:
        why = NO_COOKIE
    elif reason.startswith(("Origin checking failed", "Referer checking failed")):
        why = FROM_ELSEWHERE
    else:
        why = OLD
    answer = _page(request, "403_csrf.html", {"why": why, "back": _back(request)}, 403)
    answer["Cache-Control"] = "no-store"
    return answer


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what is not allowed."""
    return _error(request, 403, "forbidden", "This is not yours to do.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for an address that is none."""
    return _error(request, 404, "not_found", "There is no such thing here.")


def fault(request: HttpRequest) -> HttpResponse:
    """Answer for a fault of ours; nothing is read for it, for reading may be what failed."""
    if request.path.startswith(API):
        return problems.response("fault", 500, problems.FAULT)
    return HttpResponse(render_to_string("500.html"), status=500, headers={"Cache-Control": "no-store"})


def _error(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    if request.path.startswith(API):
        return problems.response(code, status, detail)
    answer = _page(request, PAGES[status], {"back": _back(request)}, status)
    answer["Cache-Control"] = "no-store"
    return answer


def _page(request: HttpRequest, template: str, context: Mapping[str, object], status: int) -> HttpResponse:
    """Show an error, to a member with the places beside it; whatever goes wrong in reading those, the error is shown."""
    try:
        member = member_of(request) if hasattr(request, "user") else None
        if member is None or member.user.first_password:
            return render(request, template, context, status=status)
        with transaction(member.tenant_id):
            return render(request, template, {"nav": Nav(member), **context}, status=status)
    except DatabaseError:
        return render(request, template, context, status=status)


def _back(request: HttpRequest) -> str:
    """Give the page of ours that somebody came from, to go back to; nothing when there is none but this."""
    came_from = request.headers.get("Referer", "")
    host = request.get_host() if _is_ours(request) else ""
    if not host or not url_has_allowed_host_and_scheme(came_from, {host}, require_https=request.is_secure()):
        return ""
    address = urlsplit(came_from)
    back = f"{address.path}?{address.query}" if address.query else address.path
    return "" if back in {request.get_full_path(), "/"} else back


def _is_ours(request: HttpRequest) -> bool:
    """Tell whether the request names a host that is this product's; one that does not is what some of these pages are about."""
    try:
        return bool(request.get_host())
    except DisallowedHost:
        return False
