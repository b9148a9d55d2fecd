"""The door by which agents come in: a key with its scopes, and the headers of a driver's write. Views behind it only translate."""

from typing import Any

from django.http import HttpRequest
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from console.http import conditional, keys
from console.http.describing import Described
from console.http.negotiation import OneFormat
from console.http.parsing import with_length
from console.http.refusals import Forbidden
from console.ledger.actors import Actor

READ, WRITE = "runs:read", "runs:write"
SAFE = frozenset({"GET", "HEAD"})


class MissingScope(Forbidden):
    """This key may not do that; it lacks a scope."""

    code = "missing_scope"
    recorded = False


class InScope(BasePermission):
    """Reading needs `runs:read`, everything else `runs:write`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        needed = READ if request.method in SAFE else WRITE
        if needed not in actor(request).scopes:
            raise MissingScope(scope=needed)
        return True


class Door(APIView):
    """A view behind the door."""

    http_method_names = ["get", "head", "post"]
    permission_classes = [IsAuthenticated, InScope]
    content_negotiation_class = OneFormat
    schema = Described()

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        with_length(request)
        return super().initialize_request(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(response.data, dict) and response.data.get("replayed") is True:
            response[keys.REPLAYED] = "true"
        return response


def actor(request: Request) -> Actor:
    """Give who is asking."""
    by: Any = request.user
    if not isinstance(by, Actor):
        raise TypeError("only behind the door")
    return by


def key(request: Request) -> str:
    """Give the request's Idempotency-Key. Raises MissingKey, BadKey."""
    return keys.checked(request.headers.get("Idempotency-Key"))


def token(request: Request) -> int:
    """Give the request's Fencing-Token. Raises MissingToken, BadToken."""
    return conditional.token(request.headers.get("Fencing-Token"))


def version(request: Request) -> int | None:
    """Give the version that the request expects by If-Match, None without one. Raises BadVersion."""
    return conditional.version(request.headers.get("If-Match"))
