"""Deciding in somebody's place by REST, for members' tools: seen, given and taken back by the same moves as on the page."""

from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import delegation_documents as documents
from approvals.delegating import giving, queries
from approvals.models import Delegation
from console import clock
from console.database import transaction
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, PROOF, described
from console.http.listing import page
from console.identity.door import ApprovalsDoor, actor, key, proven
from console.identity.models import Member

SEEING_ALL = frozenset({"admin", "auditor"})
LEAVE = OpenApiExample("on leave", value={"taker": documents.TAKER_ID, **documents.TERMS}, request_only=True)


class Delegations(ApprovalsDoor):
    """The delegations that the key's member gave and took; administrators and auditors see everybody's."""

    @described(
        "list_delegations", "List delegations, the latest given first", gives={200: documents.DelegationPage}, parameters=[LIMIT, CURSOR]
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor = asked.limit(), asked.text("cursor")
        binding = ("delegations", by.tenant_id, str(by))
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            now, everybody = clock.now(), not SEEING_ALL.isdisjoint(by.roles)
            found = queries.delegations(_member(by.principal), before, limit + 1, everybody=everybody)
        return Response(page(found, limit, lambda each: documents.delegation(each, now), _place, binding))

    @described(
        "give_delegation", "Let another approver decide in the place of the key's member, who has just proven who they are",
        takes=documents.NewDelegation, gives={200: documents.DelegationReceipt}, parameters=[KEY, PROOF], examples=[LEAVE],
        problems=[
            "not_yours_to_give", "not_a_taker", "bad_delegation", "too_many_delegations", "reason_missing", "reason_too_long",
            "step_up_needed", "bad_proof", "too_many_tries",
        ],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, named, sent = proven(request), key(request), content.read(documents.NewDelegation, request)
        return Response(giving.give(by, sent["taker"], documents.terms(sent), key=named))


class Takers(ApprovalsDoor):
    """Who may decide in the member's place."""

    http_method_names = ["get", "head"]

    @described("list_takers", "List who may decide in the place of the key's member", gives={200: documents.Takers})
    def get(self, request: Request) -> Response:
        by = actor(request)
        Asked(request.query_params, set())
        with transaction(by.tenant_id):
            found = queries.takers(_member(by.principal))
        return Response({"items": [documents.taker(each) for each in found]})


class RevokeDelegation(ApprovalsDoor):
    """The end of a delegation."""

    http_method_names = ["post"]

    @described(
        "revoke_delegation", "Take a delegation back at once, as its giver or as an administrator",
        gives={200: documents.DelegationReceipt}, parameters=[KEY], problems=["not_administrator"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        return Response(giving.revoke(actor(request), id, key=key(request)))


def _member(member_id: UUID) -> Member:
    return Member.objects.get(pk=member_id)


def _place(found: Delegation) -> bytes:
    return cursors.of_time(found.created_at, found.pk)
