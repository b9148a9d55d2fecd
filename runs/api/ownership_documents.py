"""Who drives a run, described for the readers of the API, with what a driver sends."""

from typing import Any, ClassVar, Final

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Text
from runs.api import shown
from runs.api.documents import Moment

HELD: Final = {
    "run": shown.RUN_ID, "epoch": 2, "lease_expires_at": shown.LEASE, "state": "running", "resume_due": True, "at": shown.DECIDED,
}  # fmt: skip
REFUSED: Final[dict[str, Any]] = {
    "at": shown.DECIDED, "actor": f"agent:{shown.TENANT_ID}", "verb": "complete", "code": "stale_token",
    "detail": "Somebody else drives this run now; token 1 is no longer good.",
}  # fmt: skip


class Taking(Content):
    """Who takes a run over."""

    holder = Text(
        max_length=255, help_text="The process that will drive, by a name of its own: shown to whoever asks who has the run."
    )  # fmt: skip


class HeldDocument(serializers.Serializer):
    """How a run stands with its driver."""

    example: ClassVar[Any] = HELD

    run = serializers.UUIDField()
    epoch = serializers.IntegerField(help_text="The token: send it as Fencing-Token with every write.")
    lease_expires_at = Moment(allow_null=True, help_text="Until when nobody else takes it. Null: nobody has it.")
    state = serializers.CharField()
    resume_due = serializers.BooleanField(help_text="Whether its ready effects wait until a resume has decided.")
    at = Moment()


class TakenDocument(HeldDocument):
    """A run that was taken over."""

    example: ClassVar[Any] = {**HELD, "holder": "worker-7f3a"}

    holder = serializers.CharField()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class RenewedDocument(HeldDocument):
    """A run that is kept for another lease."""

    example: ClassVar[Any] = {**HELD, "resume_due": False, "version": 12, "attention": None}

    version = serializers.IntegerField()
    attention = serializers.CharField(allow_null=True, help_text="Why a person is needed, if one is.")


class ReleasedDocument(HeldDocument):
    """A run that was let go. Its token is good for nothing any more."""

    example: ClassVar[Any] = {**HELD, "epoch": 3, "lease_expires_at": None}

    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class RefusedDocument(serializers.Serializer):
    """A write about a run that was refused; nothing was changed by it."""

    example: ClassVar[Any] = REFUSED

    at = Moment()
    actor = serializers.CharField()
    verb = serializers.CharField(help_text="What was asked for.")
    code = serializers.CharField(help_text="Why not: the code of the problem that it was answered with.")
    detail = serializers.CharField()


class RefusedPage(serializers.Serializer):
    """What was refused about a run, newest first."""

    example: ClassVar[Any] = shown.page(REFUSED)

    items = RefusedDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)
