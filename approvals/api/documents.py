"""What the API takes and gives about approvals, described for its readers."""

from rest_framework import serializers

from approvals.states import STATES
from console.http.content import Content
from console.http.fields import Text


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

    items = ApprovalDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class DecisionReceipt(serializers.Serializer):
    """What became of a decision."""

    receipt = serializers.CharField(help_text="`recorded`, or `counted` while more are needed.")
    request = serializers.UUIDField()
    state = serializers.CharField()
    verdict = serializers.CharField()
    counted = serializers.IntegerField()
    of = serializers.IntegerField()
    at = serializers.DateTimeField()
    use_by = serializers.DateTimeField(allow_null=True)
    replayed = serializers.BooleanField(required=False)
