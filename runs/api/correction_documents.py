"""Corrections, described for the readers of the API, with what is sent about them."""

from typing import Any, ClassVar, Final

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Document, Text, Whole
from runs.api import shown
from runs.api.documents import Moment
from runs.corrections.making import LONGEST, LONGEST_SOURCE

CONTRADICTS: Final[dict[str, Any]] = {"operation": "refund", "argument": "amount", "must": {"op": "lte", "value": "50"}}
CORRECTION: Final[dict[str, Any]] = {
    "id": shown.REQUEST_ID, "number": 1, "text": "Refund at most 50 euros.", "source": "message 14 of the chat", "contradicts": CONTRADICTS,
    "says": "refund only where the amount is at most 50", "made_by": f"agent:{shown.TENANT_ID}", "made_at": shown.MADE,
    "withdrawn": [shown.EFFECT_ID], "under_way": [], "seen": False,
}  # fmt: skip
RECEIPT: Final[dict[str, Any]] = {
    "run": shown.RUN_ID, "correction": shown.REQUEST_ID, "number": 1, "withdrawn": [shown.EFFECT_ID], "under_way": [], "state": "running",
    "at": shown.MADE,
}  # fmt: skip
NEW: Final = [
    OpenApiExample(
        "what may be refunded",
        value={"text": "Refund at most 50 euros.", "source": "message 14 of the chat", "contradicts": CONTRADICTS},
        request_only=True,
    )
]
SEEN: Final = [OpenApiExample("the first two", value={"number": 2}, request_only=True)]


class NewCorrection(Content):
    """What a user put right."""

    text = Text(max_length=LONGEST, help_text="What the user said, in words.")
    source = Text(  # type: ignore[assignment]  # a field; the metaclass takes it away
        max_length=LONGEST_SOURCE, help_text="Where the user said so, such as the number of the message."
    )
    contradicts = Document(
        required=False, allow_null=True, default=None,
        help_text="What must not be: `operation`, `argument` (a dotted path into the arguments) or both; `must` {op, value} says what must "
        "be true of the argument. Ops are those of conditions.",
    )  # fmt: skip


class Acknowledging(Content):
    """Up to which correction the driver has taken them into account."""

    number = Whole(min_value=1, help_text="The highest number that was read.")


class CorrectionDocument(serializers.Serializer):
    """A correction."""

    example: ClassVar[Any] = CORRECTION

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    text = serializers.CharField()
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # a field; the metaclass takes it away
    contradicts = serializers.DictField(allow_null=True)
    says = serializers.CharField(allow_null=True, help_text="What is not begun any more, in words.")
    made_by = serializers.CharField()
    made_at = Moment()
    withdrawn = serializers.ListField(child=serializers.UUIDField(), help_text="Effects that were withdrawn for it.")
    under_way = serializers.ListField(
        child=serializers.UUIDField(), help_text="Effects that it contradicts and that had been begun; they are not begun again."
    )  # fmt: skip
    seen = serializers.BooleanField(help_text="Whether it has been taken into account.")


class CorrectionPage(serializers.Serializer):
    """A run's corrections, in their order."""

    example: ClassVar[Any] = shown.page(CORRECTION)

    items = CorrectionDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class CorrectionReceipt(serializers.Serializer):
    """What a correction did."""

    example: ClassVar[Any] = RECEIPT

    run = serializers.UUIDField()
    correction = serializers.UUIDField()
    number = serializers.IntegerField()
    withdrawn = serializers.ListField(child=serializers.UUIDField())
    under_way = serializers.ListField(child=serializers.UUIDField())
    state = serializers.CharField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class SeenReceipt(serializers.Serializer):
    """How far corrections are taken into account."""

    example: ClassVar[Any] = {
        "run": shown.RUN_ID, "seen": 2, "corrections": 2, "state": "running", "at": shown.MADE,
    }  # fmt: skip

    run = serializers.UUIDField()
    seen = serializers.IntegerField()
    corrections = serializers.IntegerField()
    state = serializers.CharField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")
