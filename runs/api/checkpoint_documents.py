"""What the API gives about checkpoints, described for its readers."""

from typing import Any, ClassVar

from rest_framework import serializers

from console.http.fields import Anything
from runs.api import checkpoint_shown, shown
from runs.api.documents import Moment
from runs.states import BOUNDARIES


class ContradictionDocument(serializers.Serializer):
    """Something that the agent's state claims of an effect and that is not so. The record stands."""

    effect = serializers.CharField(help_text="The effect's id; what the state names, where there is no such effect.")
    claim = serializers.CharField(help_text="state or approval.")
    claimed = serializers.CharField()


# A field of this name cannot be written as an attribute.
ContradictionDocument._declared_fields["is"] = serializers.CharField(
    allow_null=True, help_text="How it stood then; null: there was no such effect, or nothing was asked."
)


class CheckpointReceipt(serializers.Serializer):
    """What was kept."""

    example: ClassVar[Any] = checkpoint_shown.RECEIPT

    run = serializers.UUIDField()
    number = serializers.IntegerField()
    at = Moment()
    seq = serializers.IntegerField(help_text="The run's version whose authoritative part it holds.")
    version = serializers.IntegerField(help_text="The run's version now, with the checkpoint's own entry.")
    authoritative_digest = serializers.CharField()
    state_digest = serializers.CharField(allow_null=True, help_text="SHA-256 of the state as it is kept.")
    contradictions = ContradictionDocument(many=True)
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class CheckpointDocument(serializers.Serializer):
    """A checkpoint, without what it holds."""

    example: ClassVar[Any] = checkpoint_shown.CHECKPOINT

    number = serializers.IntegerField()
    boundary = serializers.CharField(help_text=f"{', '.join(BOUNDARIES)}.")
    at = Moment()
    by = serializers.CharField(help_text="The driver that wrote it.")
    epoch = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The run's version whose authoritative part it holds.")
    schema_version = serializers.IntegerField(allow_null=True)
    versions = serializers.DictField(child=serializers.CharField())
    artifacts = serializers.ListField(child=serializers.DictField())
    note = serializers.CharField(allow_blank=True)
    authoritative_digest = serializers.CharField()
    state_digest = serializers.CharField(allow_null=True)
    state_bytes = serializers.IntegerField()
    media_type = serializers.CharField(allow_blank=True)
    dropped_at = Moment(allow_null=True, help_text="When the state was let go; what else is said stays.")
    contradictions = ContradictionDocument(many=True)


class CheckpointWithState(CheckpointDocument):
    """A checkpoint with what it holds."""

    example: ClassVar[Any] = checkpoint_shown.WITH_STATE

    authoritative = Anything(help_text="What the record said then. It is ours, and wins. Null once erased.")
    state = Anything(
        help_text="The agent's own state, as it was sent: derived, never the truth. Null where there is none."
    )
    withheld = serializers.BooleanField(help_text="True: the state is for agents that may drive the run.")


class CheckpointPage(serializers.Serializer):
    """A run's checkpoints, the newest first."""

    example: ClassVar[Any] = shown.page(checkpoint_shown.CHECKPOINT)

    items = CheckpointDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class PlaceDocument(serializers.Serializer):
    """A place in the record at which the contract has a checkpoint."""

    example: ClassVar[Any] = checkpoint_shown.PLACE

    seq = serializers.IntegerField(help_text="The entry right after which it stands.")
    boundary = serializers.CharField()
    kind = serializers.CharField(help_text="The kind of the entry.")
    at = Moment()


class PlaceWithFacts(PlaceDocument):
    """A place, with what a checkpoint would have held there."""

    example: ClassVar[Any] = checkpoint_shown.PLACE_TOLD

    authoritative = Anything(help_text="What the record said then, but for its schedule. Null once erased.")


class PlacePage(serializers.Serializer):
    """Places in a run's record, in order."""

    example: ClassVar[Any] = shown.page(checkpoint_shown.PLACE)

    items = PlaceDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)
