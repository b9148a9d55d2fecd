"""Signed messages that name no effect, by REST: an operator's tool sees that something came and could not be matched."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object
from console.http import cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, LIMIT, described
from console.http.listing import page
from console.identity.door import RecoveryDoor, actor
from runs.api import callback_documents as documents
from runs.callbacks import queries
from runs.models import Callback


class Unmatched(RecoveryDoor):
    """The messages of a tenant that name no effect."""

    @described(
        "list_callbacks", "List signed messages that name no effect, newest first", gives={200: documents.CallbackPage},
        parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("callbacks", by.tenant_id)
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = queries.unnamed(by.tenant, before, limit + 1)
        return Response(page(found, limit, lambda one: _shown(one, one.length), _place, binding))  # type: ignore[attr-defined]


class OneUnmatched(RecoveryDoor):
    """A message that names no effect."""

    @described(
        "get_callback", "Look at a signed message that names no effect, with what it says",
        gives={200: documents.WholeCallbackDocument},
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        with transaction(by.tenant_id):
            found = queries.one_unnamed(by.tenant, id)
        length = None if found.body is None else len(found.body)
        return Response({**_shown(found, length), "body": found.body})


def _shown(found: Callback, length: int | None) -> Object:
    return {
        "id": str(found.pk), "operation": found.operation_name, "message_id": found.message_id, "state": found.state,
        "note": found.note or None, "secrets": list(found.secrets), "signed_at": instant(found.signed_at),
        "received_at": instant(found.received_at), "settled_at": instant(found.settled_at), "next_try_at": instant(found.next_try_at),
        "length": length, "body_digest": bytes(found.body_digest).hex(),
    }  # fmt: skip


def _place(found: Callback) -> bytes:
    return cursors.of_time(found.received_at, found.pk)
