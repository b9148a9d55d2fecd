"""Standing approvals by REST: an agent sees those that may serve it, approvers' tools see all, propose, confirm, decline and revoke."""

from decimal import Decimal
from typing import Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import grant_documents as documents
from approvals.granting import queries
from approvals.granting.confirming import confirm, decline
from approvals.granting.ending import revoke
from approvals.granting.proposing import propose
from approvals.granting.terms import BadGrant
from approvals.models import Grant
from approvals.states import ACTIVE, GRANT_STATES
from console.database import transaction
from console.exact.decimals import decimal_string
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, QUERY, described
from console.http.listing import page
from console.http.refusals import NotFound
from console.identity.door import ApprovalsDoor, Door, actor, key
from console.identity.scopes import FOR_AGENTS_AND_READERS

STATE = OpenApiParameter(
    "state", {"type": "string", "enum": list(GRANT_STATES), "default": ACTIVE}, QUERY,
    description="An agent sees those in force that may serve it, and no others.",
)  # fmt: skip
PROPOSAL = OpenApiExample("small refunds", value=documents.TERMS, request_only=True)
ENDING = OpenApiExample("the sale is over", value={"reason": "The summer sale is over."}, request_only=True)
ASKED: Final = [
    "not_eligible", "separation_of_duties", "no_grants_here", "grant_too_wide", "too_many_asked", "not_vouching", "step_up_needed",
]  # fmt: skip


class Grants(Door):
    """The standing approvals of a tenant."""

    opens = FOR_AGENTS_AND_READERS
    http_method_names = ["get", "head"]

    @described(
        "list_grants", "List standing approvals, the latest made first", gives={200: documents.GrantPage},
        parameters=[STATE, LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"state", "limit", "cursor"})
        state, limit, cursor = asked.word("state", GRANT_STATES) or ACTIVE, asked.limit(), asked.text("cursor")
        binding = ("grants", by.tenant_id, str(by) if by.kind == "agent" else None, state)
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            if by.kind != "agent":
                found = queries.listed(by.tenant, [state], before, limit + 1)
            else:
                found = queries.serving(by.tenant, by.principal, before, limit + 1) if state == ACTIVE else []
        return Response(page(found, limit, documents.grant, _place, binding))


class OneGrant(Door):
    """A standing approval."""

    opens = FOR_AGENTS_AND_READERS
    http_method_names = ["get", "head"]

    @described("get_grant", "Look at a standing approval", gives={200: documents.GrantDocument})
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        with transaction(by.tenant_id):
            found = queries.one(by.tenant, id)
        if found is None or (by.kind == "agent" and (found.state != ACTIVE or found.agent_id not in {None, by.id})):
            raise NotFound
        return Response(documents.grant(found))


class ProposeGrant(ApprovalsDoor):
    """A proposal, which somebody else confirms."""

    http_method_names = ["post"]

    @described(
        "propose_grant", "Propose a standing approval: nothing goes by it until somebody else confirms it",
        takes=documents.NewGrant, gives={200: documents.GrantReceipt}, parameters=[KEY], examples=[PROPOSAL],
        problems=["bad_grant", "not_found", *ASKED],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, named, sent = actor(request), key(request), content.read(documents.NewGrant, request)
        return Response(propose(by, documents.terms(sent, _amount(sent["amount_most"])), key=named))


class ConfirmGrant(ApprovalsDoor):
    """The second word."""

    http_method_names = ["post"]

    @described(
        "confirm_grant", "Confirm a standing approval that somebody else proposed", gives={200: documents.GrantReceipt},
        parameters=[KEY], problems=["grant_closed", "grant_over", *ASKED],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        return Response(confirm(actor(request), id, key=key(request)))


class DeclineGrant(ApprovalsDoor):
    """The second word, against it."""

    http_method_names = ["post"]

    @described(
        "decline_grant", "Decline a standing approval that somebody else proposed", takes=documents.GrantEnding,
        gives={200: documents.GrantReceipt}, parameters=[KEY], examples=[ENDING],
        problems=["grant_closed", "not_eligible", "separation_of_duties", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(documents.GrantEnding, request)
        return Response(decline(by, id, reason=sent["reason"], key=named))


class RevokeGrant(ApprovalsDoor):
    """The end of a standing approval."""

    http_method_names = ["post"]

    @described(
        "revoke_grant", "End a standing approval at once: nothing more begins by it", takes=documents.GrantEnding,
        gives={200: documents.GrantReceipt}, parameters=[KEY], examples=[ENDING],
        problems=["grant_closed", "not_to_revoke", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(documents.GrantEnding, request)
        return Response(revoke(by, id, reason=sent["reason"], key=named))


def _amount(text: str | None) -> Decimal | None:
    found = decimal_string(text) if text is not None else None
    if text is not None and found is None:
        raise BadGrant("It is an exact decimal, such as 100 or 99.50.", path="/amount_most")
    return found


def _place(found: Grant) -> bytes:
    return cursors.of_time(found.created_at, found.pk)
