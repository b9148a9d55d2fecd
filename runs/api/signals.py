"""Signals by REST: sent by agents, to whoever waits or to a run; listed; and taken in, signed, from outside."""

from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from console.database import transaction
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, QUERY, described
from console.http.keys import REPLAYED
from console.http.listing import page
from console.identity.door import Door, actor, key
from runs.api import signal_documents as documents
from runs.api import signal_present as present
from runs.api.callbacks import taken_in
from runs.api.signal_content import NewSignal, NewSignalToRun, draft
from runs.models import Signal
from runs.signals import queries, receiving
from runs.states import SIGNAL_STATES

STATE: Final = OpenApiParameter(
    "state", {"type": "string", "enum": list(SIGNAL_STATES)}, QUERY, description="Only those in this state."
)
REPLIED = OpenApiExample(
    "a customer replied",
    value={"name": "customer-replied", "correlation": "order-4711", "body": {"text": "It came today."}},
    request_only=True,
)
GO_ON = OpenApiExample("go on", value={"name": "go-on", "body": {"by": "the planner"}}, request_only=True)


class Signals(Door):
    """The signals of a tenant."""

    @described(
        "list_signals",
        "List signals, newest first",
        gives={200: documents.SignalPage},
        parameters=[STATE, LIMIT, CURSOR],
    )
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"state", "limit", "cursor"})
        state, limit, cursor = asked.word("state", SIGNAL_STATES), asked.limit(), asked.text("cursor")
        binding = ("signals", by.tenant_id, state)
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = queries.signals(by.tenant, [state] if state else SIGNAL_STATES, before, limit + 1)
        return Response(page(found, limit, present.signal, _place, binding))

    @described(
        "send_signal", "Send news to whoever waits for it, by name and correlation",
        takes=NewSignal, gives={201: documents.SignalDocument, 200: documents.SignalDocument}, parameters=[KEY], examples=[REPLIED],
        problems=["signal_too_large"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, sent = actor(request), content.read(NewSignal, request)
        return _made(*receiving.send(by, draft(sent, sent["correlation"]), key=key(request)))


class RunSignals(Door):
    """The signals to a run."""

    http_method_names = ["post"]

    @described(
        "send_signal_to_run", "Send news to a run: to its wait of that name that names no other correlation",
        takes=NewSignalToRun, gives={201: documents.SignalDocument, 200: documents.SignalDocument}, parameters=[KEY], examples=[GO_ON],
        problems=["signal_too_large"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, sent = actor(request), content.read(NewSignalToRun, request)
        return _made(*receiving.send_to(by, id, draft(sent, str(id)), key=key(request)))


class OneSignal(Door):
    """A signal."""

    @described("get_signal", "Look at a signal, with what it says", gives={200: documents.WholeSignalDocument})
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by = actor(request)
        with transaction(by.tenant_id):
            return Response(present.whole(queries.signal(by.tenant, id)))


@csrf_exempt
def message(request: HttpRequest, tenant: str, run_type: str, name: str) -> HttpResponse:
    """Record a signed message as a signal: 202, or 200 when it was there already. Its signature is all that lets it in."""
    return taken_in(request, "signal", lambda message: receiving.receive(tenant, run_type, name, message))


def _made(signal: Signal, created: bool) -> Response:
    response = Response(present.signal(signal), status=201 if created else 200)
    if created:
        response["Location"] = f"/api/v1/signals/{signal.pk}"
    else:
        response[REPLAYED] = "true"
    return response


def _place(signal: Signal) -> bytes:
    return cursors.of_time(signal.received_at, signal.pk)
