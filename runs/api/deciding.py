"""Decisions by REST, for members' tools: by the same moves as the buttons, which say who may decide, and what stops a yes."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import documents, queries
from approvals.deciding import escalating, extending, revoking, withdrawing
from console.database import transaction
from console.http import bulk, content
from console.http.describing import KEY, PROOF, described
from console.http.refusals import Refusal
from console.identity.door import ApprovalsDoor, Door, actor, key, proven
from console.identity.scopes import FOR_AGENTS_AND_APPROVERS
from console.ledger.actors import Actor
from runs.api import deciding_documents as more
from runs.pausing.deciding import OneByOne, approve, deny

DENIAL: Final = {
    "verdict": "deny", "shown_digest": "0" * 64, "reason": "The order was refunded last week.", "alternative": {"amount": "60.00"},
}  # fmt: skip
APPROVAL: Final = {
    "verdict": "approve", "shown_digest": "0" * 64, "reason": "Fine up to here.",
    "constraints": {"path": "arguments.amount", "op": "lte", "value": "100.00"},
}  # fmt: skip
SEVERAL: Final = [
    {"key": "case-4711", "approval": documents.APPROVAL["id"], "verdict": "approve", "shown_digest": "a" * 64},
    {"key": "case-4712", "approval": documents.APPROVAL["id"], **DENIAL},
]
WHY: Final = [OpenApiExample("why", value={"reason": "Somebody else has to look at this first."}, request_only=True)]
STANDING: Final = ["separation_of_duties", "not_eligible", "not_delegated"]
ENDED: Final = ["already_resolved", "expired", "withdrawn", "policy_changed"]
GIVEN: Final = ["reason_missing", "reason_too_long"]
MAY_BE_REFUSED: Final = [
    "separation_of_duties", "not_eligible", "not_delegated", "step_up_needed", "bad_proof", "too_many_tries",
    "not_narrower", "cannot_be_satisfied",
    "already_resolved", "already_counted", "expired", "withdrawn", "policy_changed", "stale_view", "look_again", "reason_missing",
    "reason_too_long", "bad_arguments", "emergency_stop",
]  # fmt: skip


class Decisions(Door):
    """The decisions on a request. An agent's key is refused by the rule itself: whoever asks does not decide."""

    opens = FOR_AGENTS_AND_APPROVERS
    http_method_names = ["post"]

    @described(
        "decide_approval", "Decide, as the member whose key it is; refused to agents, since whoever asks does not decide",
        takes=documents.NewDecision, gives={200: documents.DecisionReceipt}, parameters=[KEY, PROOF],
        examples=[
            OpenApiExample("a denial", value=DENIAL, request_only=True),
            OpenApiExample("an approval of less", value=APPROVAL, request_only=True),
        ],
        problems=MAY_BE_REFUSED,
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, named = proven(request), key(request)
        return Response(decide(by, id, named, content.read(documents.NewDecision, request)))


def decide(by: Actor, request_id: UUID, named: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Say yes or no, as it was sent; what belongs to the other word is refused."""
    word = {"shown_digest": sent["shown_digest"], "reason": sent["reason"], "voice": sent["voice"], "key": named}
    if sent["verdict"] == "deny":
        return deny(by, request_id, alternative=sent["alternative"], **word)
    return approve(by, request_id, constraints=sent["constraints"], shown_target=sent["shown_target"] or None, **word)


@dataclass(frozen=True, slots=True)
class Said:
    """One word of several, as it was taken."""

    receipt: dict[str, Any]

    @property
    def created(self) -> bool:
        """Tell whether it was taken now, and not before under its key."""
        return not self.receipt.get("replayed")


class DecisionsInBulk(ApprovalsDoor):
    """Words on several requests: each is taken or refused by itself, in a transaction of its own."""

    http_method_names = ["post"]

    @described(
        "decide_approvals", "Decide several requests, each with a receipt of its own; none of the high tier",
        takes=more.NewDecisions, gives={200: more.DecisionsReceipt, 207: more.DecisionsReceipt},
        parameters=[PROOF],
        examples=[OpenApiExample("two words", value={"items": SEVERAL}, request_only=True)],
        problems=[*MAY_BE_REFUSED, "one_by_one", "missing_key", "bad_key", "key_reused", "key_expired", "not_found"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, items = proven(request), bulk.read(more.NewDecisionOnOne, request)
        with transaction(by.tenant_id):
            high = queries.of_the_high_tier([item["approval"] for item in bulk.readable(items)])
        said = [item if isinstance(item, Refusal) else _one(by, item, item["approval"] in high) for item in items]
        return bulk.answered(request, said, lambda each: {"receipt": each.receipt})


def _one(by: Actor, item: dict[str, Any], high: bool) -> Said | Refusal:
    if high:
        return OneByOne()
    try:
        return Said(decide(by, item["approval"], item["key"], item))
    except Refusal as refusal:
        return refusal


class TakeVoteBack(ApprovalsDoor):
    """One's own approval, taken back while more are needed."""

    http_method_names = ["post"]

    @described(
        "take_vote_back", "Take one's approval back while more are needed",
        takes=more.Reason, gives={200: more.VoteTakenBack}, parameters=[KEY], examples=WHY,
        problems=["nothing_said", *ENDED, *GIVEN],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(more.Reason, request)
        return Response(withdrawing.withdraw_vote(by, id, reason=sent["reason"], key=named))


class ExtendApproval(ApprovalsDoor):
    """The time to decide, put off where the policy lets people."""

    http_method_names = ["post"]

    @described(
        "extend_approval", "Put off the time to decide, as far and as often as the policy lets",
        takes=more.PutOff, gives={200: more.PutOffReceipt}, parameters=[KEY], examples=WHY,
        problems=["not_extendable", *STANDING, *ENDED, *GIVEN],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(more.PutOff, request)
        return Response(extending.extend(by, id, seconds=sent["seconds"], reason=sent["reason"], key=named))


class EscalateApproval(ApprovalsDoor):
    """Others, asked too, before the time at which the policy asks them."""

    http_method_names = ["post"]

    @described(
        "escalate_approval", "Ask those at once whom the policy would ask later",
        takes=more.Reason, gives={200: more.EscalationReceipt}, parameters=[KEY], examples=WHY,
        problems=["not_escalatable", *STANDING, *ENDED, *GIVEN],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(more.Reason, request)
        return Response(escalating.escalate(by, id, reason=sent["reason"], key=named))


class RevokeApproval(ApprovalsDoor):
    """An approval, taken back after it was given."""

    http_method_names = ["post"]

    @described(
        "revoke_approval", "Revoke an approval: what has not begun does not begin",
        takes=more.Reason, gives={200: more.RevocationReceipt}, parameters=[KEY], examples=WHY,
        problems=["not_yours_to_revoke", "not_revocable", *GIVEN],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(more.Reason, request)
        return Response(revoking.revoke(by, id, reason=sent["reason"], key=named))
