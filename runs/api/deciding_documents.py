"""What members' tools send and get about decisions beside the decision itself, described for their readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from approvals.api.documents import APPROVAL, DecisionReceipt, NewDecision
from console.http.bulk import MOST_ITEMS, BulkDocument, ItemDocument
from console.http.content import Content
from console.http.fields import Id, Key, Text, Whole

AT = "2026-03-02T09:04:10.000000Z"


class Reason(Content):
    """Why."""

    reason = Text(max_length=2000)


class PutOff(Reason):
    """How much longer, and why."""

    seconds = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=366 * 24 * 3600,
        help_text="By how many seconds; else by as many as the policy lets.",
    )  # fmt: skip


class NewDecisionOnOne(NewDecision):
    """One word of several: on which request, under which key."""

    key = Key(max_length=255, help_text="Names this word, as Idempotency-Key does for one that is sent alone.")
    approval = Id()


class NewDecisions(Content):
    """Several words."""

    items = NewDecisionOnOne(many=True, min_length=1, max_length=MOST_ITEMS)  # type: ignore[call-arg]


class DecidedItem(ItemDocument):
    """What became of one word."""

    receipt = DecisionReceipt(required=False)


class DecisionsReceipt(BulkDocument):
    """What became of several words, each by itself, in their order."""

    example: ClassVar[Any] = {
        "created": 1, "existing": 0, "refused": 0,
        "items": [{"index": 0, "key": "case-4711", "outcome": "created", "receipt": DecisionReceipt.example}],
    }  # fmt: skip

    items = DecidedItem(many=True)


class VoteTakenBack(serializers.Serializer):
    """One's approval, taken back."""

    example: ClassVar[Any] = {
        "receipt": "withdrawn", "request": APPROVAL["id"], "state": "pending", "counted": 0, "of": 2, "at": AT,
    }  # fmt: skip

    receipt = serializers.CharField()
    request = serializers.UUIDField()
    state = serializers.CharField()
    counted = serializers.IntegerField()
    of = serializers.IntegerField()
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(required=False)


class PutOffReceipt(serializers.Serializer):
    """The time to decide, put off."""

    example: ClassVar[Any] = {
        "receipt": "extended", "request": APPROVAL["id"], "state": "pending", "decide_by": "2026-03-02T18:00:00.000000Z", "extensions": 1,
        "at": AT,
    }  # fmt: skip

    receipt = serializers.CharField()
    request = serializers.UUIDField()
    state = serializers.CharField()
    decide_by = serializers.DateTimeField()
    extensions = serializers.IntegerField()
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(required=False)


class EscalationReceipt(serializers.Serializer):
    """Others, asked too."""

    example: ClassVar[Any] = {
        "receipt": "escalated", "request": APPROVAL["id"], "state": "pending", "to": ["board"], "groups": ["finance", "board"], "at": AT,
    }  # fmt: skip

    receipt = serializers.CharField()
    request = serializers.UUIDField()
    state = serializers.CharField()
    to = serializers.ListField(child=serializers.CharField())
    groups = serializers.ListField(child=serializers.CharField(), help_text="All that are asked now.")
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(required=False)


class RevocationReceipt(serializers.Serializer):
    """An approval, revoked."""

    example: ClassVar[Any] = {
        "receipt": "revoked",
        "request": APPROVAL["id"],
        "state": "revoked",
        "begun": False,
        "at": AT,
    }

    receipt = serializers.CharField()
    request = serializers.UUIDField()
    state = serializers.CharField()
    begun = serializers.BooleanField(help_text="Whether it had been used already: then it may happen still.")
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(required=False)
