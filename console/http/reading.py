"""Views of the API that are open to everyone and only read."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import MethodNotAllowed

from console.http import problems

View = Callable[..., HttpResponse]


def for_reading(view: View) -> View:
    """Let a view answer GET and HEAD; any other method is refused with a problem."""

    @wraps(view)
    def read(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return view(request, *args, **named)
        refused = problems.answer(MethodNotAllowed(str(request.method)), request)
        refused["Allow"] = "GET, HEAD"
        return refused

    return csrf_exempt(read)
