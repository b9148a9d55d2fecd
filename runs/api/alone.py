"""Approvals that stand alone, by REST: an agent asks about what it does itself, takes it back, uses it, and says what came of it."""

from typing import Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.alone import outcomes, withdrawing
from approvals.alone.draft import Draft
from approvals.api import alone_documents as documents
from approvals.api import present, queries
from approvals.api.documents import ApprovalDocument
from approvals.api.requests import Approvals
from console import clock
from console.database import transaction
from console.http import content
from console.http.describing import KEY, described
from console.identity.door import Door, actor, key
from runs.pausing import alone

ASKED: Final = {
    "operation": "refund", "target": "order:4711", "arguments": {"order": "4711", "amount": "120.00"},
    "summary": "Refund 120.00 EUR for order 4711 by hand", "reason": "The parcel arrived broken.",
}  # fmt: skip


class ApprovalsAndAsking(Approvals):
    """The approval requests of a tenant, and the way to ask for one that stands alone."""

    @described(
        "ask_for_approval", "Ask about something that the agent does by itself, outside any run",
        takes=documents.NewApproval, gives={200: ApprovalDocument, 201: ApprovalDocument}, parameters=[KEY],
        examples=[OpenApiExample("a refund by hand", value=ASKED, request_only=True)],
        problems=["denied_by_policy", "emergency_stop", "arguments_too_long"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, named = actor(request), key(request)
        made = alone.ask_alone(by, Draft(**content.read(documents.NewApproval, request)), key=named)
        with transaction(by.tenant_id):
            shown = present.request(queries.request(UUID(made["approval"])), clock.now())
        if made.get("replayed"):
            return Response(shown, headers={"Idempotent-Replayed": "true"})
        return Response(shown, status=201, headers={"Location": f"/api/v1/approvals/{made['approval']}"})


class WithdrawApproval(Door):
    """A request of one's own, taken back."""

    http_method_names = ["post"]

    @described(
        "withdraw_approval", "Withdraw a request of one's own that stands alone and was not used",
        takes=documents.ApprovalWithdrawal, gives={200: documents.AloneReceipt}, parameters=[KEY],
        examples=[OpenApiExample("not wanted", value={"reason": "The order was refunded by the shop."}, request_only=True)],
        problems=["not_alone", "not_withdrawable", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, named, sent = actor(request), key(request), content.read(documents.ApprovalWithdrawal, request)
        return Response(withdrawing.withdraw(by, id, reason=sent["reason"], key=named))


class ConsumeApproval(Door):
    """An approval of a request of one's own, used."""

    http_method_names = ["post"]

    @described(
        "consume_approval", "Use an approval, just before doing what it covers: judged again, once",
        takes=documents.Use, gives={200: documents.ApprovalPermit}, parameters=[KEY],
        examples=[OpenApiExample("what was approved", value={"digest": "a" * 64}, request_only=True)],
        problems=[
            "not_alone", "not_decided_yet", "not_covered", "already_used", "finish_passed", "paused", "emergency_stop",
        ],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(documents.Use, request)
        return Response(alone.consume(by, id, digest=sent["digest"], key=named))


class ReportOutcome(Door):
    """What became of what an agent did by itself."""

    http_method_names = ["post"]

    @described(
        "report_outcome", "Say what became of it, once; what is unknown can become known",
        takes=documents.NewOutcome, gives={200: documents.OutcomeReceipt}, parameters=[KEY],
        examples=[OpenApiExample("it is done", value={"outcome": "succeeded", "detail": "Receipt R-77."}, request_only=True)],
        problems=["not_alone", "not_used", "outcome_stands", "detail_missing", "too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(documents.NewOutcome, request)
        return Response(outcomes.report(by, id, **sent, key=named))
