"""Approvals by REST: what waits for people, what became of it, and the door for decisions, which goes by the same rule as the button."""

from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from approvals import decide
from approvals.api import documents, present, queries
from approvals.models import Request as Question
from approvals.states import PENDING
from console import clock
from console.database import transaction
from console.http import content, cursors, fields, streams
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, QUERY, WAIT, described, known
from console.http.listing import page
from console.identity.door import Door, actor, key

STATE = OpenApiParameter(
    "state", {"type": "string", "enum": list(queries.WORDS), "default": PENDING}, QUERY, description="`decided` is all that waits no more."
)  # fmt: skip
EFFECT = OpenApiParameter("effect", fields.ID_SCHEMA, QUERY, description="The id of the effect that it is about.")
MINE = OpenApiParameter("mine", bool, QUERY, description="`true`: only those of the agent that asks.")
VERDICTS = {"approve": decide.approve, "deny": decide.deny}
DENIAL = {"verdict": "deny", "shown_digest": "0" * 64, "reason": "The order was refunded last week."}


class Approvals(Door):
    """The approval requests of a tenant."""

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

    @described(
        "get_approval", "Look at an approval request, or wait until it is decided",
        gives={200: documents.ApprovalDocument}, parameters=[WAIT, known("The state")],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        streams.check(request.query_params)
        with transaction(by.tenant_id):
            shown = present.request(queries.request(id), clock.now())
        return Response(shown)


class Decisions(Door):
    """The decisions on a request. An agent's key is refused by the rule itself: whoever asks does not decide."""

    http_method_names = ["post"]

    @described(
        "decide_approval", "Decide: refused to agents, since whoever asks does not decide",
        takes=documents.NewDecision, gives={200: documents.DecisionReceipt}, parameters=[KEY],
        examples=[OpenApiExample("a denial", value=DENIAL, request_only=True)],
        problems=[
            "separation_of_duties", "not_eligible", "already_resolved", "already_counted", "expired", "withdrawn",
            "policy_changed", "stale_view", "reason_missing", "reason_too_long",
        ],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(documents.NewDecision, request)
        decided = VERDICTS[sent["verdict"]](by, id, shown_digest=sent["shown_digest"], reason=sent["reason"], key=named)
        return Response(decided)


def _place(question: Question) -> bytes:
    return cursors.of_time(question.decided_at or question.decide_by, question.pk)
