"""What the API gives about pauses, described for its readers."""

from typing import Any, ClassVar, Final

from rest_framework import serializers

from console.clock import instant
from runs.api import shown
from runs.api.documents import Moment
from runs.api.shown import DONE, MADE, RUN_ID, TENANT_ID
from runs.api.unknown_documents import PersonDocument
from runs.models import Pause
from runs.states import PAUSE_SCOPES

PAUSE_ID = "019a2b00-0000-7000-8000-000000000061"
STANDING: Final[dict[str, Any]] = {
    "id": PAUSE_ID, "scope": "operation", "run": None, "name": "refund", "emergency": False, "reason": "The bank counts twice.",
    "paused_at": MADE, "paused_by": {"id": TENANT_ID, "name": "Oscar Wren"}, "lifted_at": None, "lifted_by": None, "lift_reason": None,
}  # fmt: skip
PAUSED: Final[dict[str, Any]] = {
    "receipt": "paused", "pause": PAUSE_ID, "scope": "run", "run": RUN_ID, "name": "", "emergency": False, "at": MADE,
}  # fmt: skip
LIFTED: Final[dict[str, Any]] = {"receipt": "lifted", "pause": PAUSE_ID, "at": DONE}


class PauseDocument(serializers.Serializer):
    """A stop at the next claim, until it is lifted."""

    example: ClassVar[Any] = STANDING

    id = serializers.UUIDField()
    scope = serializers.CharField(help_text=f"{', '.join(PAUSE_SCOPES)}.")
    run = serializers.UUIDField(allow_null=True)
    name = serializers.CharField(help_text="Of the operation or the run type.")
    emergency = serializers.BooleanField(help_text="What would be asked is denied meanwhile, and nothing is approved.")
    reason = serializers.CharField()
    paused_at = Moment()
    paused_by = PersonDocument()
    lifted_at = Moment(allow_null=True, help_text="null: it stands.")
    lifted_by = PersonDocument(allow_null=True)
    lift_reason = serializers.CharField(allow_null=True)


class PausePage(serializers.Serializer):
    """Pauses, the latest first."""

    example: ClassVar[Any] = shown.page(STANDING)

    items = PauseDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class StandingPauses(serializers.Serializer):
    """The pauses that stop something of a run now, the widest first."""

    example: ClassVar[Any] = {"items": [STANDING]}

    items = PauseDocument(many=True)


class PausedReceipt(serializers.Serializer):
    """What was paused."""

    example: ClassVar[Any] = PAUSED

    receipt = serializers.CharField()
    pause = serializers.UUIDField()
    scope = serializers.CharField()
    run = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    emergency = serializers.BooleanField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="Sent before with this key; this is its receipt.")


class LiftedReceipt(serializers.Serializer):
    """What may go on."""

    example: ClassVar[Any] = LIFTED

    receipt = serializers.CharField()
    pause = serializers.UUIDField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="Sent before with this key; this is its receipt.")


def pause(found: Pause) -> dict[str, Any]:
    """Show a pause."""
    lifted = None
    if found.lifted_by is not None:
        lifted = {"id": str(found.lifted_by_id), "name": found.lifted_by.user.name}
    return {
        "id": str(found.pk), "scope": found.scope, "run": str(found.run_id) if found.run_id else None, "name": found.name,
        "emergency": found.emergency, "reason": found.reason, "paused_at": instant(found.paused_at),
        "paused_by": {"id": str(found.paused_by_id), "name": found.paused_by.user.name}, "lifted_at": instant(found.lifted_at),
        "lifted_by": lifted, "lift_reason": found.lift_reason or None,
    }  # fmt: skip
