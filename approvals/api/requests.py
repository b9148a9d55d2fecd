"""Approvals by REST: what waits for people, and what became of it."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import documents, present, queries
from approvals.models import Request as Question
from approvals.states import PENDING
from console import clock
from console.database import transaction
from console.http import cursors, fields, streams
from console.http.asked import Asked
from console.http.describing import CURSOR, LIMIT, QUERY, WAIT, described, known
from console.http.listing import page
from console.identity.door import Door, actor
from console.identity.scopes import FOR_AGENTS_AND_READERS

STATE = OpenApiParameter(
    "state", {"type": "string", "enum": list(queries.WORDS), "default": PENDING}, QUERY, description="`decided` is all that waits no more."
)  # fmt: skip
EFFECT = OpenApiParameter("effect", fields.ID_SCHEMA, QUERY, description="The id of the effect that it is about.")
MINE = OpenApiParameter("mine", bool, QUERY, description="`true`: only those of the agent that asks.")


class Approvals(Door):
    """The approval requests of a tenant."""

    opens = FOR_AGENTS_AND_READERS

    @described(
        "list_approvals", "List approval requests", gives={200: documents.ApprovalPage}, parameters=[STATE, EFFECT, MINE, LIMIT, CURSOR]
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"state", "effect", "mine", "limit", "cursor"})
        state, effect, limit = asked.word("state", queries.WORDS) or PENDING, asked.id("effect"), asked.limit()
        agent_id, cursor = by.id if asked.yes("mine") else None, asked.text("cursor")
        binding = ("approvals", by.tenant_id, state, effect, agent_id)
        place = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            now = clock.now()
            if state == PENDING:
                rows = queries.pending(agent_id, effect, place, limit + 1)
            else:
                rows = queries.decided(state, agent_id, effect, place, limit + 1)
        return Response(page(rows, limit, lambda row: present.request(row, now), _place, binding))


class OneApproval(Door):
    """An approval request."""

    opens = FOR_AGENTS_AND_READERS

    @described(
        "get_approval", "Look at an approval request, or wait until it is decided",
        gives={200: documents.ApprovalDocument}, parameters=[WAIT, known("The state")],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        streams.check(request.query_params)
        with transaction(by.tenant_id):
            shown = present.request(queries.request(id), clock.now(), whole=True)
        return Response(shown)


def _place(question: Question) -> bytes:
    return cursors.of_time(question.decided_at or question.decide_by, question.pk)
