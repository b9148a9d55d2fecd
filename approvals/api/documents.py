"""What the API takes and gives about approvals, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from approvals.states import STATES
from console.http.content import Content
from console.http.fields import Text

APPROVAL: dict[str, Any] = {
    "id": "019a2b00-0000-7000-8000-000000000004", "effect": "019a2b00-0000-7000-8000-000000000002", "digest": "a" * 64, "version": 1,
    "state": "pending", "can_be_decided": True, "operation": "refund", "summary": "Refund 120.00 EUR for order 4711",
    "target": "order:4711", "arguments": {"amount": "120", "currency": "EUR", "order": "4711"},
    "shown": {"contract": "refund, version 1", "run_type": "customer-case"}, "reason": "The parcel arrived broken.", "tier": "normal",
    "irreversible": False, "agent": "refund-bot", "policy": "refunds", "policy_version": 1, "rule": "large", "groups": ["finance"],
    "quorum": 1, "decisions": [], "closing_reason": None, "decide_by": "2026-03-02T17:00:00.000000Z", "use_by": None,
    "created_at": "2026-03-02T09:00:00.000000Z", "decided_at": None, "consumed_at": None, "erased_at": None,
}  # fmt: skip


class NewDecision(Content):
    """One person's word."""

    verdict = serializers.ChoiceField(choices=["approve", "deny"])
    shown_digest = Text(max_length=64, help_text="The request's `digest`, as it was shown.")
    reason = Text(required=False, default="", allow_blank=True, max_length=2000, help_text="A denial needs one.")


class DecisionDocument(serializers.Serializer):
    """One person's word, as it is kept."""

    by = serializers.CharField()
    verdict = serializers.CharField()
    reason = serializers.CharField(allow_null=True)
    via = serializers.CharField()
    at = serializers.DateTimeField()


class ApprovalDocument(serializers.Serializer):
    """A question to people: may exactly this be done?"""

    example: ClassVar[Any] = APPROVAL

    id = serializers.UUIDField()
    effect = serializers.UUIDField()
    digest = serializers.CharField(help_text="What an approval binds.")
    version = serializers.IntegerField()
    state = serializers.CharField(help_text=f"{', '.join(STATES)}. An open list.")
    can_be_decided = serializers.BooleanField(help_text="False once it is decided or its time has run out.")
    operation = serializers.CharField()
    summary = serializers.CharField()
    target = serializers.CharField()
    arguments = serializers.DictField(allow_null=True, help_text="Null once erased.")
    shown = serializers.DictField(allow_null=True, help_text="What people are shown beside the arguments.")
    reason = serializers.CharField(allow_null=True)
    tier = serializers.CharField()
    irreversible = serializers.BooleanField()
    agent = serializers.CharField()
    policy = serializers.CharField()
    policy_version = serializers.IntegerField()
    rule = serializers.CharField()
    groups = serializers.ListField(child=serializers.CharField())
    quorum = serializers.IntegerField()
    decisions = DecisionDocument(many=True)
    closing_reason = serializers.CharField(allow_null=True)
    decide_by = serializers.DateTimeField()
    use_by = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    consumed_at = serializers.DateTimeField(allow_null=True)
    erased_at = serializers.DateTimeField(allow_null=True)


class ApprovalPage(serializers.Serializer):
    """Requests: pending ones by deadline, others newest first."""

    example: ClassVar[Any] = {"items": [APPROVAL], "next_cursor": None}

    items = ApprovalDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class DecisionReceipt(serializers.Serializer):
    """What became of a decision."""

    example: ClassVar[Any] = {
        "receipt": "recorded", "request": APPROVAL["id"], "state": "denied", "verdict": "deny", "counted": 0, "of": 1,
        "at": "2026-03-02T09:04:10.000000Z", "use_by": None,
    }  # fmt: skip

    receipt = serializers.CharField(help_text="`recorded`, or `counted` while more are needed.")
    request = serializers.UUIDField()
    state = serializers.CharField()
    verdict = serializers.CharField()
    counted = serializers.IntegerField()
    of = serializers.IntegerField()
    at = serializers.DateTimeField()
    use_by = serializers.DateTimeField(allow_null=True)
    replayed = serializers.BooleanField(required=False)
