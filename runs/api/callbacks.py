"""The address to which the other side tells what became of a call; its signature is all that lets it in."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import MethodNotAllowed

from console.exact import canonical
from console.http import problems
from runs.callbacks.receiving import LONGEST_BODY, MessageTooLarge, Received, receive
from runs.callbacks.signing import Message


@csrf_exempt
def callback(request: HttpRequest, tenant: str, operation: str) -> HttpResponse:
    """Record a signed message: 202, or 200 when it was there already."""
    return taken_in(request, "callback", lambda message: receive(tenant, operation, message))


def taken_in(request: HttpRequest, called: str, receive: Callable[[Message | None], Received]) -> HttpResponse:
    """Answer whoever posts a signed message: 202 with its id as what it is `called`, or 200 when it was there already."""
    if request.method != "POST":
        refused = problems.answer(MethodNotAllowed(str(request.method)), request)
        refused["Allow"] = "POST"
        return refused
    if len(request.body) > LONGEST_BODY:
        raise MessageTooLarge
    headers = {name.lower(): value for name, value in request.headers.items()}
    taken = receive(Message.read(headers, request.body))
    if taken.again:
        return HttpResponse(canonical({"duplicate": True}), content_type="application/json")
    return HttpResponse(canonical({called: str(taken.id)}), status=202, content_type="application/json")
