"""What the API gives about signed messages that name no effect, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from runs.api import shown
from runs.api.documents import OPEN_WORDS, Moment

CALLBACK: dict[str, Any] = {
    "id": "019a2b00-0000-7000-8000-000000000031", "operation": "transfer", "message_id": "msg_2b1", "state": "unmatched",
    "note": "It names no effect of this operation.", "secrets": ["bank-callback"], "signed_at": shown.MADE, "received_at": shown.MADE,
    "settled_at": shown.MADE, "next_try_at": None, "length": 61, "body_digest": "0c7f" * 16,
}  # fmt: skip


class CallbackDocument(serializers.Serializer):
    """A signed message that names no effect, without what it says."""

    example: ClassVar[Any] = CALLBACK

    id = serializers.UUIDField()
    operation = serializers.CharField(help_text="The operation to whose address it was sent.")
    message_id = serializers.CharField(help_text="The message's own id (webhook-id).")
    state = serializers.CharField(
        help_text=f"recorded: an answer may still bring the name that it gives; unmatched: none came. {OPEN_WORDS}"
    )
    note = serializers.CharField(allow_null=True)
    secrets = serializers.ListField(
        child=serializers.CharField(), help_text="The names of the secrets that signed it, as contracts name them."
    )
    signed_at = Moment()
    received_at = Moment()
    settled_at = Moment(allow_null=True)
    next_try_at = Moment(allow_null=True, help_text="When it is next looked for what it names.")
    length = serializers.IntegerField(allow_null=True, help_text="Its characters; null once erased.")
    body_digest = serializers.CharField(help_text="SHA-256 of its body as it came, hexadecimal.")


class WholeCallbackDocument(CallbackDocument):
    """A signed message with what it says."""

    example: ClassVar[Any] = {**CALLBACK, "body": '{"data":{"operation":"op_7","status":"committed","id":"re_1"}}'}

    body = serializers.CharField(
        allow_null=True,
        help_text="What it says, as it came: text that anybody with the secret wrote. Null once erased.",
    )


class CallbackPage(serializers.Serializer):
    """A page of messages that name no effect."""

    example: ClassVar[Any] = {"items": [CALLBACK], "next_cursor": None}

    items = CallbackDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)
