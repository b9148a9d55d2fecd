"""Policies, described for the readers of the API, with what is sent to ask what would happen."""

from typing import Any, ClassVar, Final

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Document, Text
from runs.api import shown
from runs.api.documents import Moment

BRIEF: Final[dict[str, Any]] = {
    "name": "refunds", "version": 3, "digest": "b" * 64, "description": "Who may refund how much.", "operations": ["refund"],
    "published_at": shown.DECIDED, "in_force": True, "pending": 12, "to_judge_again": 0, "stood_before": 40,
}  # fmt: skip
RULE: Final[dict[str, Any]] = {
    "name": "large", "when": "the amount is above 100", "then": "ask",
    "asks": "one of finance must approve within 30 minutes; an approval lapses when it is not used within 1 hour",
    "groups": ["finance"], "quorum": 1, "reason": "This needs approval because the amount is above 100.",
}  # fmt: skip
WOULD: Final[dict[str, Any]] = {
    "verdict": "ask", "policy": "refunds", "policy_version": 3, "rule": "large", "reason": RULE["reason"], "asks": RULE["asks"],
    "groups": ["finance"], "quorum": 1, "decide_within_seconds": 1800, "use_within_seconds": 3600,
}  # fmt: skip


class Intent(Content):
    """What an agent would do."""

    run_type = Text(max_length=63, help_text="The name of a run type contract.")
    operation = Text(max_length=63, help_text="The name of an operation contract.")
    arguments = Document(help_text="As the contract's schema says.")
    target = Text(
        required=False, allow_null=True, default=None, max_length=400, help_text="`type:id`, where the contract has no template for it."
    )  # fmt: skip


class PolicyBrief(serializers.Serializer):
    """A policy, and how far judging by its version has come."""

    example: ClassVar[Any] = BRIEF

    name = serializers.CharField()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    operations = serializers.ListField(child=serializers.CharField(), help_text="`*`: whatever no other governs.")
    published_at = Moment()
    in_force = serializers.BooleanField()
    pending = serializers.IntegerField(
        help_text="Requests that stand on this version: pending, or approved and unused."
    )
    to_judge_again = serializers.IntegerField(help_text="Those that stand on an earlier version still.")
    stood_before = serializers.IntegerField(
        help_text="How many stood on the version before when this one was published."
    )


class PolicyRule(serializers.Serializer):
    """A rule, in words."""

    name = serializers.CharField()
    when = serializers.CharField()
    then = serializers.CharField(help_text="allow, deny or ask. An open list.")
    asks = serializers.CharField(allow_null=True)
    groups = serializers.ListField(child=serializers.CharField())
    quorum = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()


class PolicyDocumentShown(PolicyBrief):
    """A policy with its rules, of which the first that holds decides."""

    example: ClassVar[Any] = BRIEF | {"rules": [RULE], "otherwise": "deny", "time_zone": "UTC"}

    rules = PolicyRule(many=True)
    otherwise = serializers.CharField()
    time_zone = serializers.CharField()


class PolicyPage(serializers.Serializer):
    """Policies in force, by name."""

    example: ClassVar[Any] = {"items": [BRIEF], "next_cursor": None}

    items = PolicyBrief(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class Would(serializers.Serializer):
    """What a policy would say of an intent now."""

    example: ClassVar[Any] = WOULD

    verdict = serializers.CharField(help_text="allow, deny or ask. An open list.")
    policy = serializers.CharField(allow_null=True)
    policy_version = serializers.IntegerField(allow_null=True)
    rule = serializers.CharField(allow_blank=True)
    reason = serializers.CharField()
    asks = serializers.CharField(allow_null=True)
    groups = serializers.ListField(child=serializers.CharField())
    quorum = serializers.IntegerField(allow_null=True)
    decide_within_seconds = serializers.IntegerField(allow_null=True)
    use_within_seconds = serializers.IntegerField(allow_null=True)
