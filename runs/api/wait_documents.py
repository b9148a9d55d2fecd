"""What the API gives about waits, described for its readers. A test holds every answer against these."""

from typing import Any, ClassVar

from rest_framework import serializers

from console.http.fields import Anything
from runs.api import shown, wait_shown
from runs.api.documents import OPEN_WORDS, Moment
from runs.states import WAIT_KINDS, WAIT_STATES


class WaitDocument(serializers.Serializer):
    """A wait: what a run waits for, or what holds effects back."""

    example: ClassVar[Any] = wait_shown.WAIT

    id = serializers.UUIDField()
    run = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField(help_text=f"{', '.join(WAIT_KINDS)}. {OPEN_WORDS}")
    condition = serializers.DictField(
        allow_null=True, help_text="In normal form; of a time of the clock with the instant that was `chosen`. Null once erased."
    )  # fmt: skip
    parks = serializers.BooleanField(help_text="Whether the run waits as a whole.")
    state = serializers.CharField(help_text=f"{', '.join(WAIT_STATES)}. {OPEN_WORDS}")
    reason = serializers.CharField(allow_null=True)
    result = Anything()
    holds_back = serializers.ListField(
        child=serializers.UUIDField(), help_text="Effects that stand back for it now."
    )  # fmt: skip
    opened_at = Moment()
    due_at = Moment(allow_null=True, help_text="When the time comes that is waited for.")
    expires_at = Moment(allow_null=True)
    on_expiry = serializers.CharField(help_text=f"wake, escalate, fail or cancel. {OPEN_WORDS}")
    overdue_at = Moment(
        allow_null=True, help_text="When people were told that it did not come in its time; it waits on (`escalate`)."
    )  # fmt: skip
    ended_at = Moment(allow_null=True)
    late_milliseconds = serializers.IntegerField(
        allow_null=True, help_text="How long after its time it was met; null where it waited for no time."
    )  # fmt: skip


class WaitPage(serializers.Serializer):
    """A run's waits, the newest first."""

    example: ClassVar[Any] = shown.page(wait_shown.WAIT)

    items = WaitDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class OpenedDocument(serializers.Serializer):
    """A wait as it was opened; what had come before it has met it already."""

    wait = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.CharField()
    due_at = Moment(allow_null=True)
    expires_at = Moment(allow_null=True)


class WaitReceipt(OpenedDocument):
    """What came of opening waits; the first stands beside the list too."""

    example: ClassVar[Any] = wait_shown.WAIT_RECEIPT

    run = serializers.UUIDField()
    run_state = serializers.CharField(help_text="waiting, or running where nothing parks or all had come already.")
    at = Moment()
    waits = OpenedDocument(many=True)
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class WithdrawnReceipt(serializers.Serializer):
    """What came of taking a wait back."""

    example: ClassVar[Any] = wait_shown.WITHDRAWN

    run = serializers.UUIDField()
    run_state = serializers.CharField(help_text="running, once no parked wait is left.")
    wait = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.CharField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")
