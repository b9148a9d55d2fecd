"""Error pages in the product's own look, and problem documents below the API's address, in one place."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from console.http import problems
from console.http.refusals import Refusal

API = "/api/"
PAGES = {400: "400.html", 403: "403.html", 404: "404.html"}


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Show a refusal that has no page of its own."""
    return render(request, PAGES.get(refusal.status, "409.html"), {"refusal": refusal.detail}, status=refusal.status)


def wrong_method(request: HttpRequest, methods: Sequence[str]) -> HttpResponse:
    """Say by which methods this address answers."""
    answer = render(request, "405.html", status=405)
    answer["Allow"] = ", ".join(methods)
    return answer


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django could not read."""
    return _error(request, 400, "bad_request", "The request cannot be read.")


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
    answer = render(request, PAGES[status], status=status)
    answer["Cache-Control"] = "no-store"
    return answer
