"""What the API takes and gives about requests that stand alone, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from approvals.alone.draft import LONGEST_DEADLINE, NORMAL, TIERS
from approvals.alone.outcomes import OUTCOMES
from approvals.api.documents import APPROVAL
from console.http.content import Content
from console.http.fields import Document, Text, Whole, YesNo


class NewApproval(Content):
    """What an agent asks about that it would do by itself."""

    operation = serializers.RegexField(
        r"^[a-z][a-z0-9_-]{0,62}\Z", help_text="Its name; the policy that governs that name judges it."
    )
    target = Text(max_length=400, help_text="What it is done to, as `type:id`.")
    arguments = Document(help_text="With what, exactly: this is what people approve.")
    summary = Text(max_length=500, help_text="One sentence that says what would happen. People read it first.")
    reason = Text(required=False, default="", allow_blank=True, max_length=2000, help_text="Why; shown as your claim.")
    tier = serializers.ChoiceField(
        choices=list(TIERS), required=False, default=NORMAL,
        help_text="How much care it takes. Where the operation has a contract, at least what that says.",
    )  # fmt: skip
    irreversible = YesNo(required=False, default=False, help_text="Whether nobody can undo it.")
    deadline_seconds = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_DEADLINE,
        help_text="For how long an answer is of use, where that is shorter than the policy lets people think.",
    )  # fmt: skip


class ApprovalWithdrawal(Content):
    """Why it is taken back."""

    reason = Text(required=False, default="", allow_blank=True, max_length=2000)


class Use(Content):
    """What is about to be done."""

    digest = Text(max_length=64, help_text="The `digest` of exactly what you are about to do.")


class NewOutcome(Content):
    """What became of it."""

    outcome = serializers.ChoiceField(choices=list(OUTCOMES), help_text="`unknown` where you cannot tell. Never guess.")
    detail = Text(
        required=False, default="", allow_blank=True, max_length=4000,
        help_text="How it is known. Needed for `failed` and `partial`, and for whatever follows an `unknown`.",
    )  # fmt: skip


class AloneReceipt(serializers.Serializer):
    """What became of a request of one's own."""

    example: ClassVar[Any] = {
        "receipt": "withdrawn", "approval": APPROVAL["id"], "state": "withdrawn", "at": "2026-03-02T09:04:10.000000Z"
    }  # fmt: skip

    receipt = serializers.CharField()
    approval = serializers.UUIDField()
    state = serializers.CharField()
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(required=False)


class OutcomeReceipt(serializers.Serializer):
    """What was reported."""

    example: ClassVar[Any] = {
        "receipt": "reported", "approval": APPROVAL["id"], "outcome": "succeeded", "at": "2026-03-02T09:04:10.000000Z"
    }  # fmt: skip

    receipt = serializers.CharField()
    approval = serializers.UUIDField()
    outcome = serializers.CharField()
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(required=False)


class ApprovalPermit(serializers.Serializer):
    """The permit: exactly what may be done once, and by when it has to be finished."""

    example: ClassVar[Any] = {
        "receipt": "consumed", "approval": APPROVAL["id"], "operation": "refund", "target": "order:4711",
        "arguments": {"amount": "120", "currency": "EUR", "order": "4711"}, "narrowing": None, "digest": "a" * 64,
        "consumed_at": "2026-03-02T09:04:10.000000Z", "finish_by": "2026-03-02T10:04:10.000000Z", "finish_then": None,
    }  # fmt: skip

    receipt = serializers.CharField()
    approval = serializers.UUIDField()
    operation = serializers.CharField()
    target = serializers.CharField()
    arguments = serializers.DictField(help_text="Exactly what was permitted. Do this and nothing else.")
    narrowing = serializers.DictField(
        allow_null=True, help_text="How approvers tightened it, as a condition over {arguments}: keep within it."
    )
    digest = serializers.CharField()
    consumed_at = serializers.DateTimeField()
    finish_by = serializers.DateTimeField(
        allow_null=True, help_text="Report before then; else nobody knows what became of it."
    )
    finish_then = serializers.CharField(
        allow_null=True,
        help_text="What the policy wants of work that runs past it: let_finish, ask_to_cancel, compensate.",
    )
    replayed = serializers.BooleanField(required=False)
