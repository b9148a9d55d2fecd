"""What the API takes and gives about approvals, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from approvals.states import STATES
from console.http.content import Content
from console.http.fields import Document, Id, Text

APPROVAL: dict[str, Any] = {
    "id": "019a2b00-0000-7000-8000-000000000004", "effect": "019a2b00-0000-7000-8000-000000000002", "alone": False, "key": None,
    "digest": "a" * 64, "version": 1, "state": "pending", "can_be_decided": True, "operation": "refund",
    "summary": "Refund 120.00 EUR for order 4711",
    "target": "order:4711", "arguments": {"amount": "120", "currency": "EUR", "order": "4711"},
    "shown": {"contract": "refund, version 1", "run_type": "customer-case"}, "reason": "The parcel arrived broken.", "tier": "normal",
    "target_read": {
        "version": "3", "state": {"limit": "500.00"}, "read_at": "2026-03-02T09:00:01.000000Z", "within_seconds": 60, "fault": "",
    },
    "revises": {
        "request": "019a2b00-0000-7000-8000-000000000003", "state": "withdrawn",
        "changes": [{"name": "amount", "was": "130", "now": "120"}],
    },
    "irreversible": False, "agent": "refund-bot", "policy": "refunds", "policy_version": 1, "rule": "large", "groups": ["finance"],
    "quorum": 1, "panels": [{"groups": ["finance"], "roles": [], "quorum": 1}], "counted": 0, "extensions": 0, "escalated_at": None,
    "narrowing": None, "to_fit": False, "decisions": [], "break_glass": None, "closing_reason": None,
    "may_resubmit": False, "alternative": None,
    "outcome": None, "outcome_detail": None, "outcome_at": None, "decide_by": "2026-03-02T17:00:00.000000Z", "use_by": None,
    "finish_by": None, "finish_then": None, "overran_at": None, "created_at": "2026-03-02T09:00:00.000000Z", "decided_at": None,
    "consumed_at": None, "erased_at": None,
}  # fmt: skip


class NewDecision(Content):
    """One person's word."""

    verdict = serializers.ChoiceField(choices=["approve", "deny"])
    shown_digest = Text(max_length=64, help_text="The request's `digest`, as it was shown.")
    reason = Text(required=False, default="", allow_blank=True, max_length=2000, help_text="A denial needs one.")
    shown_target = Text(
        required=False, default="", allow_blank=True, max_length=200,
        help_text="The `version` of its `target_read`, as it was shown; needed to approve where the target has a reader.",
    )  # fmt: skip
    constraints = Document(
        required=False, allow_null=True, default=None,
        help_text="With a yes: how you tighten it, a condition over {arguments}, where the policy lets you.",
    )  # fmt: skip
    alternative = Document(
        required=False, allow_null=True, default=None, help_text="With a no: the arguments that you would say yes to."
    )
    voice = Id(
        required=False, allow_null=True, default=None,
        help_text="The member in whose place you decide, by a delegation; else your own.",
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what belongs to the other verdict, rather than leave it out."""
        others = ["alternative"] if attrs["verdict"] == "approve" else ["constraints", "shown_target"]
        given = [name for name in others if attrs[name]]
        if given:
            fault = f"This does not go with the verdict {attrs['verdict']}."
            raise serializers.ValidationError({given[0]: [fault]}, code="invalid")
        return attrs


class NarrowingDocument(serializers.Serializer):
    """What is allowed of what was asked: a condition over {arguments}, and the same in words."""

    condition = serializers.DictField()
    sentence = serializers.CharField()


class DecisionDocument(serializers.Serializer):
    """One person's word, as it is kept."""

    id = serializers.UUIDField()
    seen = serializers.DictField(
        allow_null=True, help_text="The card as it was when they decided, as data. Null in lists, and where nothing was kept."
    )  # fmt: skip
    by = serializers.CharField()
    in_place_of = serializers.CharField(allow_null=True, help_text="Who handed this decision to them.")
    verdict = serializers.CharField()
    reason = serializers.CharField(allow_null=True)
    narrowing = NarrowingDocument(allow_null=True, help_text="How they tightened it.")
    alternative = serializers.DictField(allow_null=True, help_text="The arguments that they would have said yes to.")
    via = serializers.CharField()
    at = serializers.DateTimeField()
    stepped_up_at = serializers.DateTimeField(
        allow_null=True, help_text="When they had last proven who they are, where the policy asks for that."
    )
    withdrawn_at = serializers.DateTimeField(allow_null=True, help_text="When they took it back; it counts no more.")
    withdrawn_reason = serializers.CharField(allow_null=True)


class PanelDocument(serializers.Serializer):
    """People who must approve besides those of other panels; nobody counts for two."""

    groups = serializers.ListField(child=serializers.CharField())
    roles = serializers.ListField(child=serializers.CharField(), help_text="One of these is needed; empty: none.")
    quorum = serializers.IntegerField()


class TargetRead(serializers.Serializer):
    """What is known of the target's state."""

    version = serializers.CharField(help_text="Empty while nothing was read.")
    state = serializers.DictField(
        allow_null=True, help_text="Null while nothing was read, and where it is too large to keep."
    )
    read_at = serializers.DateTimeField(allow_null=True)
    within_seconds = serializers.IntegerField(help_text="Older than this, nobody approves and nothing is done.")
    fault = serializers.CharField(help_text="Why it could not be read the last time; empty otherwise.")


class Change(serializers.Serializer):
    """One thing that is not as it was in the request before."""

    name = serializers.CharField()
    was = serializers.CharField(allow_null=True)
    now = serializers.CharField(allow_null=True)


class Revised(serializers.Serializer):
    """The request before in the chain, and what differs."""

    request = serializers.UUIDField()
    state = serializers.CharField()
    changes = Change(many=True)


class BrokenGlass(serializers.Serializer):
    """How it was released over the heads of its approvers; no vote, and never counted as one."""

    by = serializers.CharField()
    reason = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(help_text="What is not begun by then is not begun any more.")
    ended_at = serializers.DateTimeField(allow_null=True)
    reviewed_at = serializers.DateTimeField(allow_null=True)
    justified = serializers.BooleanField(allow_null=True, help_text="What somebody else said of it afterwards.")


class ApprovalDocument(serializers.Serializer):
    """A question to people: may exactly this be done?"""

    example: ClassVar[Any] = APPROVAL

    id = serializers.UUIDField()
    effect = serializers.UUIDField(allow_null=True, help_text="Null where it stands alone.")
    alone = serializers.BooleanField(help_text="Whether the agent does it by itself, outside any run.")
    key = serializers.CharField(allow_null=True, help_text="The agent's own key for it, where it stands alone.")
    digest = serializers.CharField(help_text="What an approval binds.")
    version = serializers.IntegerField()
    state = serializers.CharField(help_text=f"{', '.join(STATES)}. An open list.")
    can_be_decided = serializers.BooleanField(help_text="False once it is decided or its time has run out.")
    operation = serializers.CharField()
    summary = serializers.CharField()
    target = serializers.CharField()
    arguments = serializers.DictField(allow_null=True, help_text="Null once erased.")
    shown = serializers.DictField(
        allow_null=True,
        help_text="What people are shown beside the arguments: of the contract; how it would be made good for (`compensation`: by which "
        "operation, its arguments as far as known and which are known `later`, and whether it is approved `together`); and what it makes "
        "good for itself (`makes_good_for`).",
    )
    reason = serializers.CharField(allow_null=True, help_text="What the agent claims; nobody has checked it.")
    target_read = TargetRead(allow_null=True, help_text="Null where the contract has no reader of the target.")
    revises = Revised(allow_null=True, help_text="Null in lists, and where none was before.")
    tier = serializers.CharField()
    irreversible = serializers.BooleanField()
    agent = serializers.CharField()
    policy = serializers.CharField()
    policy_version = serializers.IntegerField()
    rule = serializers.CharField()
    groups = serializers.ListField(child=serializers.CharField())
    quorum = serializers.IntegerField(help_text="How many different people must approve, of all panels together.")
    panels = PanelDocument(many=True)
    counted = serializers.IntegerField(help_text="How many of them are there now, judged as people stand today.")
    extensions = serializers.IntegerField(help_text="How often the time to decide was put off.")
    escalated_at = serializers.DateTimeField(allow_null=True)
    narrowing = NarrowingDocument(allow_null=True, help_text="What those who approved tightened, all together.")
    to_fit = serializers.BooleanField(help_text="Approved for less than was asked: it waits for something that fits.")
    decisions = DecisionDocument(many=True)
    break_glass = BrokenGlass(
        allow_null=True, help_text="By what it was released over the heads of its approvers, if it was."
    )
    closing_reason = serializers.CharField(allow_null=True)
    may_resubmit = serializers.BooleanField(
        help_text="Whether the same may be asked again, under a new key: nobody said no to it."
    )
    alternative = serializers.DictField(
        allow_null=True, help_text="Arguments that whoever denied it would say yes to; to be asked anew."
    )
    outcome = serializers.CharField(
        allow_null=True,
        help_text="What became of what stands alone: succeeded, failed, partial, unknown; null before that. An open list.",
    )
    outcome_detail = serializers.CharField(allow_null=True)
    outcome_at = serializers.DateTimeField(allow_null=True)
    decide_by = serializers.DateTimeField()
    use_by = serializers.DateTimeField(allow_null=True)
    finish_by = serializers.DateTimeField(allow_null=True, help_text="When what was begun under it is to be over.")
    finish_then = serializers.CharField(
        allow_null=True, help_text="What follows then: let_finish, ask_to_cancel, compensate."
    )
    overran_at = serializers.DateTimeField(allow_null=True)
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
    narrowing = NarrowingDocument(required=False, help_text="What those who approved tightened, where they did.")
    to_fit = serializers.BooleanField(required=False)
    replayed = serializers.BooleanField(required=False)
