"""What the API gives about signals, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from console.http.fields import Anything
from runs.api import shown
from runs.api.documents import OPEN_WORDS, Moment
from runs.states import SIGNAL_STATES

SIGNAL: dict[str, Any] = {
    "id": "019a2b00-0000-7000-8000-000000000021", "name": "customer-replied", "correlation": "order-4711", "state": "taken",
    "source": "agent", "sender": "agent:019a2b00-0000-7000-8000-000000000022", "message_id": "reply-1", "run": shown.RUN_ID,
    "wait": "019a2b00-0000-7000-8000-000000000023", "wait_name": "reply", "note": None, "received_at": shown.MADE,
    "settled_at": shown.MADE, "expires_at": shown.DEADLINE,
}  # fmt: skip


class SignalDocument(serializers.Serializer):
    """A signal, without what it says."""

    example: ClassVar[Any] = SIGNAL

    id = serializers.UUIDField()
    name = serializers.CharField()
    correlation = serializers.CharField()
    state = serializers.CharField(help_text=f"{', '.join(SIGNAL_STATES)}. {OPEN_WORDS}")
    source = serializers.CharField(  # type: ignore[assignment]  # a field; the metaclass takes it away
        help_text="agent or webhook. An open list."
    )
    sender = serializers.CharField(help_text="The agent, or the run type whose contract names the secret.")
    message_id = serializers.CharField(help_text="The Idempotency-Key, or the message's own id.")
    run = serializers.UUIDField(allow_null=True, help_text="The run whose wait took it, or that it came too late for.")
    wait = serializers.UUIDField(allow_null=True)
    wait_name = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_null=True, help_text="Why nothing took it.")
    received_at = Moment()
    settled_at = Moment(allow_null=True, help_text="When it was taken, was found to be late, or was let go.")
    expires_at = Moment(allow_null=True, help_text="Until when it is kept for a wait, where none took it.")


class WholeSignalDocument(SignalDocument):
    """A signal with what it says."""

    example: ClassVar[Any] = {**SIGNAL, "body": {"text": "It came today."}}

    body = Anything(help_text="Null once erased.")


class SignalPage(serializers.Serializer):
    """A page of signals."""

    example: ClassVar[Any] = {"items": [SIGNAL], "next_cursor": None}

    items = SignalDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)
