"""What the API gives about cancelling, described for its readers. A test holds every answer against these."""

from typing import Any, ClassVar

from rest_framework import serializers

from console.http.fields import Anything
from runs.api import cancel_shown, shown
from runs.api.documents import OPEN_WORDS, Moment
from runs.states import CANCELLATION_STATES


class CancelReceipt(serializers.Serializer):
    """What became of a wish that something stops."""

    example: ClassVar[Any] = cancel_shown.RECEIPT

    run = serializers.UUIDField()
    effect = serializers.UUIDField(required=False, help_text="There where an effect was cancelled.")
    effect_state = serializers.CharField(required=False)
    cancellation = serializers.UUIDField()
    number = serializers.IntegerField()
    scope = serializers.CharField()
    mode = serializers.CharField()
    state = serializers.CharField(help_text="Of the run: `cancelled` only with the evidence, `closing` until then.")
    cancellation_state = serializers.CharField(help_text=f"{', '.join(CANCELLATION_STATES)}. {OPEN_WORDS}")
    grace_until = Moment(allow_null=True, help_text="Until when the driver may clean up with its token.")
    joined = serializers.BooleanField(
        help_text="Whether a wish that stood already asks for no less; then this is that one."
    )
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class AwaitedDocument(serializers.Serializer):
    """One thing that a cancellation waits for."""

    kind = serializers.CharField(help_text=f"effect, cleanup, compensation, child or grace. {OPEN_WORDS}")
    id = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    state = serializers.CharField()
    until = Moment(allow_null=True)
    asked_to_stop_at = Moment(allow_null=True, help_text="When the other side was first asked to stop it.")


class ArrivalDocument(serializers.Serializer):
    """Something that came after the wish: it is recorded, and revives nothing."""

    kind = serializers.CharField(help_text=f"answer, late, message, signal or resume. {OPEN_WORDS}")
    at = Moment()
    about = serializers.CharField()
    says = serializers.CharField()
    effect_number = serializers.IntegerField(allow_null=True)


class CancellationFacts(serializers.Serializer):
    """What was asked for, and how far it has come."""

    id = serializers.UUIDField()
    run = serializers.UUIDField()
    effect = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField()
    scope = serializers.CharField(help_text="effect, run or tree.")
    mode = serializers.CharField(help_text="graceful or immediate.")
    reason = serializers.CharField()
    asked_at = Moment()
    asked_by = serializers.CharField()
    of = serializers.UUIDField(allow_null=True, help_text="The cancellation of the run that started this one.")
    state = serializers.CharField(help_text=f"{', '.join(CANCELLATION_STATES)}. {OPEN_WORDS}")
    grace_until = Moment(allow_null=True)


class CancellationDocument(CancellationFacts):
    """A cancellation in its three parts: requested, being resolved, proven."""

    example: ClassVar[Any] = cancel_shown.CANCELLATION

    evidence = Anything()
    proven_at = Moment(allow_null=True)
    waits_for = AwaitedDocument(many=True)
    came_after = ArrivalDocument(many=True)


class CancellationPage(serializers.Serializer):
    """A run's cancellations, in order."""

    example: ClassVar[Any] = shown.page(cancel_shown.CANCELLATION)

    items = CancellationDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class WaitsForDocument(serializers.Serializer):
    """How much of each kind a cancellation waits for; beside it, its driver's time (`grace_until`)."""

    in_flight = serializers.IntegerField(help_text="Effects that were begun, and whose answer is not there.")
    unknown = serializers.IntegerField(help_text="Effects that may have happened.")
    cleanup = serializers.IntegerField(help_text="Effects of the clean-up that have not begun.")
    children = serializers.IntegerField(help_text="Runs that it started and that have not ended, counted up to 1,000.")
    compensation = serializers.BooleanField(help_text="Whether something is being made good for.")


class OpenCancellationDocument(CancellationFacts):
    """A cancellation that is not proven yet, with its run and how much it waits for."""

    example: ClassVar[Any] = cancel_shown.OPEN_ONE

    run_key = serializers.CharField()
    goal = serializers.CharField()
    waits_for = WaitsForDocument()


class OpenCancellationPage(serializers.Serializer):
    """Cancellations that are not proven yet, the oldest first."""

    example: ClassVar[Any] = shown.page(cancel_shown.OPEN_ONE)

    items = OpenCancellationDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class ReopenReceipt(serializers.Serializer):
    """A run that goes on."""

    example: ClassVar[Any] = cancel_shown.REOPENED

    run = serializers.UUIDField()
    state = serializers.CharField()
    epoch = serializers.IntegerField(help_text="The token of whoever drives it next; acquiring gives a newer one.")
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class SeenToReceipt(serializers.Serializer):
    """A run of which nothing is left to see to."""

    example: ClassVar[Any] = cancel_shown.SEEN_TO

    run = serializers.UUIDField()
    state = serializers.CharField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")
