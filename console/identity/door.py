"""The doors of the API: an agent's or a member's key with its scopes, and a driver's headers. Views behind them only translate."""

from dataclasses import replace
from typing import Any, ClassVar

from django.http import HttpRequest
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from console.http import conditional, keys
from console.http.describing import Described
from console.http.negotiation import OneFormat
from console.http.parsing import LARGEST_BODY, with_length
from console.http.refusals import Forbidden
from console.identity.proofs import proven_at
from console.identity.scopes import FOR_AGENTS, FOR_APPROVERS, FOR_COMPENSATION, FOR_RECOVERY, Opens
from console.ledger.actors import Actor

SAFE = frozenset({"GET", "HEAD"})


class MissingScope(Forbidden):
    """This key may not do that; it lacks a scope."""

    code = "missing_scope"
    recorded = False


class WrongKindOfKey(Forbidden):
    """This door is for the other kind of key. `whose` says for which; people decide on pages, and with no key."""

    code = "wrong_kind_of_key"
    recorded = False


class InScope(BasePermission):
    """A door is for agents' keys, for members', or for both; reading needs the first of their scopes, everything else the second."""

    def has_permission(self, request: Request, view: Any) -> bool:
        by, opens, reading = actor(request), view.opens, request.method in SAFE
        reads, writes = opens.get(by.kind, (None, None))
        needed = reads if reading else writes
        if needed is None:
            whose = next(iter(opens))
            raise WrongKindOfKey(OTHERS[whose], whose=whose)
        if needed not in by.scopes:
            raise MissingScope(scope=needed)
        return True


OTHERS = {
    "agent": "This is for agents' keys. A member's key is for recovery, for compensation and for deciding; people do tasks on pages.",
    "member": "This is for members' keys. An agent finds nothing out for people.",
}


class Door(APIView):
    """A view behind the door, for agents."""

    opens: ClassVar[Opens] = FOR_AGENTS
    largest_body: ClassVar[int] = LARGEST_BODY
    http_method_names = ["get", "head", "post"]
    permission_classes = [IsAuthenticated, InScope]
    content_negotiation_class = OneFormat
    schema = Described()

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        with_length(request, self.largest_body)
        return super().initialize_request(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        shown = getattr(response, "data", None)  # a file has none
        if isinstance(shown, dict) and shown.get("replayed") is True:
            response[keys.REPLAYED] = "true"
        return response


class RecoveryDoor(Door):
    """A view for members' tools of recovery: `recovery:read` reads, `recovery:write` does the rest."""

    opens = FOR_RECOVERY


class ApprovalsDoor(Door):
    """A view for members' tools of deciding: `approvals:read` reads, `approvals:decide` does the rest."""

    opens = FOR_APPROVERS


class CompensationDoor(Door):
    """A view for members' tools of compensation: `compensation:read` reads, `compensation:decide` does the rest."""

    opens = FOR_COMPENSATION


def actor(request: Request) -> Actor:
    """Give who is asking."""
    by: Any = request.user
    if not isinstance(by, Actor):
        raise TypeError("only behind the door")
    return by


def proven(request: Request) -> Actor:
    """Give who is asking, with when they proved who they are, by the Step-Up-Proof that they send. Raises BadProof, TooManyTries."""
    by, proof = actor(request), request.headers.get("Step-Up-Proof", "")
    if not proof or by.kind != "member":
        return by
    return replace(by, stepped_up_at=proven_at(by, proof, request._request))


def key(request: Request) -> str:
    """Give the request's Idempotency-Key. Raises MissingKey, BadKey."""
    return keys.checked(request.headers.get("Idempotency-Key"))


def token(request: Request) -> int:
    """Give the request's Fencing-Token. Raises MissingToken, BadToken."""
    return conditional.token(request.headers.get("Fencing-Token"))


def version(request: Request) -> int | None:
    """Give the version that the request expects by If-Match, None without one. Raises BadVersion."""
    return conditional.version(request.headers.get("If-Match"))


def seen(request: Request) -> int | None:
    """Give the version that the request must expect by If-Match, None where it says `*`. Raises MissingVersion, BadVersion."""
    return conditional.seen(request.headers.get("If-Match"))


def expected(request: Request) -> int:
    """Give the version that the request must expect by If-Match. Raises MissingVersion, BadVersion."""
    return conditional.expected(request.headers.get("If-Match"))
