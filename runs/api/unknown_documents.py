"""What the API gives about what is not confirmed, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from console.http.fields import Anything
from runs.api import shown, unknown_shown
from runs.api.documents import OPEN_WORDS, EffectDocument, Moment
from runs.states import RESOLUTION_EXITS, RESOLUTION_STATES


class PersonDocument(serializers.Serializer):
    """A member."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class UnknownDocument(EffectDocument):
    """An effect that is not confirmed, and who looks after it."""

    example: ClassVar[Any] = unknown_shown.UNKNOWN

    owner = PersonDocument(allow_null=True, help_text="Who claimed it.")
    owner_group = serializers.CharField(help_text="The group that looks after it.")
    owned_at = Moment(allow_null=True)
    objective_at = Moment(allow_null=True, help_text="From when on it is overdue; null: nobody has told yet.")
    overdue = serializers.BooleanField()
    alerts = serializers.IntegerField(help_text="How often people were told that it is too old.")
    escalated_at = Moment(allow_null=True)
    attempts_granted = serializers.IntegerField(help_text="Attempts that people granted beyond the contract's.")
    next_step = serializers.CharField(
        allow_null=True,
        help_text="What is due at next_attempt_at: status, read, verify or resend; null: nothing by itself.",
    )
    waiting_finding = serializers.UUIDField(allow_null=True, help_text="A finding that waits for a second person.")


class UnknownPage(serializers.Serializer):
    """What is not confirmed, in the order asked for."""

    example: ClassVar[Any] = shown.page(unknown_shown.UNKNOWN)

    items = UnknownDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class ExitDocument(serializers.Serializer):
    """A way out, and what will happen when it is taken."""

    exit = serializers.CharField(help_text=f"{', '.join(RESOLUTION_EXITS)}.")
    then = serializers.CharField(allow_blank=True)
    title = serializers.CharField()
    next = serializers.CharField(help_text="What will happen, in words for people.")
    allowed = serializers.BooleanField()
    why_not = serializers.CharField(allow_blank=True)
    needs_second = serializers.BooleanField(help_text="Whether it waits until another member confirms it.")
    attempts_left = serializers.IntegerField(allow_null=True, help_text="Of trying again.")
    needs_extra = serializers.BooleanField(help_text="Whether `extra_attempts` must be granted with it.")


class ExitsDocument(serializers.Serializer):
    """The ways out of an effect as it stands; none once it is settled. The ETag is what a finding sends as If-Match."""

    example: ClassVar[Any] = unknown_shown.EXITS

    effect = serializers.UUIDField()
    run = serializers.UUIDField()
    state = serializers.CharField(help_text=OPEN_WORDS)
    version = serializers.IntegerField()
    may_act = serializers.BooleanField(help_text="Whether you may take one.")
    waiting_finding = serializers.UUIDField(allow_null=True)
    exits = ExitDocument(many=True)


class FileDocument(serializers.Serializer):
    """A file beside a finding."""

    id = serializers.UUIDField(help_text="GET /api/v1/evidence/{id} gives its bytes.")
    name = serializers.CharField()
    media_type = serializers.CharField()
    size = serializers.IntegerField()
    digest = serializers.CharField(help_text="SHA-256 of the bytes.")


class ResolutionDocument(serializers.Serializer):
    """What somebody found."""

    id = serializers.UUIDField()
    effect = serializers.UUIDField()
    number = serializers.IntegerField()
    exit = serializers.CharField()
    then = serializers.CharField(allow_blank=True)
    evidence = serializers.CharField()
    link = serializers.CharField(allow_null=True)
    files = FileDocument(many=True)
    reason = serializers.CharField(allow_null=True)
    result = Anything()
    reference = serializers.CharField(allow_null=True)
    look_again_at = Moment(allow_null=True)
    extra_attempts = serializers.IntegerField()
    to_group = serializers.CharField(allow_null=True)
    needs_second = serializers.BooleanField()
    state = serializers.CharField(help_text=f"{', '.join(RESOLUTION_STATES)}. {OPEN_WORDS}")
    proposed_by = PersonDocument()
    proposed_at = Moment()
    decided_by = PersonDocument(allow_null=True)
    decided_at = Moment(allow_null=True)
    decided_reason = serializers.CharField(allow_null=True)


class ResolutionPage(serializers.Serializer):
    """What was found of an effect, in order."""

    example: ClassVar[Any] = shown.page(unknown_shown.RESOLUTION)

    items = ResolutionDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class Receipt(serializers.Serializer):
    """What all receipts say."""

    effect = serializers.UUIDField()
    version = serializers.IntegerField(help_text="The run's version now.")
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class OwnerReceipt(Receipt):
    """Who looks after it now."""

    example: ClassVar[Any] = unknown_shown.OWNED

    owner = serializers.UUIDField(allow_null=True, help_text="A member's id.")
    owner_group = serializers.CharField()


class AskReceipt(Receipt):
    """What is asked at once."""

    example: ClassVar[Any] = unknown_shown.ASKED

    step = serializers.CharField(help_text="status or read.")
    state = serializers.CharField()


class ResolutionReceipt(Receipt):
    """What became of a finding, and of the effect."""

    example: ClassVar[Any] = unknown_shown.RESOLVED

    resolution = serializers.UUIDField()
    exit = serializers.CharField()
    then = serializers.CharField(allow_blank=True)
    finding = serializers.CharField(help_text="The finding's state.")
    needs_second = serializers.BooleanField()
    state = serializers.CharField(help_text="The effect's state.")
