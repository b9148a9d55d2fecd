"""The address to which the other side tells what became of a call; its signature is all that lets it in."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import MethodNotAllowed

from console.exact import canonical
from console.http import problems
from runs.callbacks.receiving import LONGEST_BODY, MessageTooLarge, receive
from runs.callbacks.signing import Message


@csrf_exempt
def callback(request: HttpRequest, tenant: str, operation: str) -> HttpResponse:
    """Record a signed message: 202, or 200 when it was there already."""
    if request.method != "POST":
        refused = problems.answer(MethodNotAllowed(str(request.method)), request)
        refused["Allow"] = "POST"
        return refused
    if len(request.body) > LONGEST_BODY:
        raise MessageTooLarge
    headers = {name.lower(): value for name, value in request.headers.items()}
    taken = receive(tenant, operation, Message.read(headers, request.body))
    if taken.again:
        return HttpResponse(canonical({"duplicate": True}), content_type="application/json")
    return HttpResponse(canonical({"callback": str(taken.id)}), status=202, content_type="application/json")
