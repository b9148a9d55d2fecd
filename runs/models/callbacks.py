"""What the other side told us by itself, about something that it had accepted: kept before anything follows from it (R-F6)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from runs.models.effects import Effect
from runs.models.runs import Run
from runs.states import CALLBACK_RECORDED, CALLBACK_STATES


class Callback(models.Model):
    """One signed message, once: the same id again is a repetition. What follows from it is in the stream of the run that it is about."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "effect_id", "operation_name", "message_id", "signed_at", "received_at", "secrets", "body_digest", "state", "outcome",
        "note", "settled_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    operation_name = models.CharField(max_length=63)
    message_id = models.CharField(max_length=255)
    signed_at = models.DateTimeField()
    received_at = models.DateTimeField()
    body = models.TextField(null=True)  # null once the run's contents were erased
    body_digest = Digest()
    secrets = ArrayField(
        models.CharField(max_length=63), default=list, db_default=[]
    )  # the names of those that signed it
    # null until it was found which effect it is about; from then on it is in the run's stream
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    effect = models.ForeignKey(Effect, null=True, on_delete=models.PROTECT, db_index=False, related_name="callbacks")
    state = models.CharField(max_length=10)
    outcome = models.CharField(max_length=20, db_default="")
    note = models.TextField(db_default="")
    next_try_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="runs_one_callback_a_message", fields=["tenant_id", "operation_name", "message_id"]
            ),
            models.CheckConstraint(name="runs_callback_state_known", condition=Q(state__in=CALLBACK_STATES)),
        ]
        indexes = [
            models.Index(name="runs_callback_due", fields=["next_try_at"], condition=Q(state=CALLBACK_RECORDED)),
            models.Index(name="runs_callback_by_effect", fields=["effect"], condition=Q(effect__isnull=False)),
            models.Index(name="runs_callback_by_run", fields=["run"], condition=Q(run__isnull=False)),
            models.Index(
                name="runs_callback_unnamed",
                fields=["tenant_id", "-received_at", "-id"],
                condition=Q(effect__isnull=True),
            ),
            models.Index(name="runs_callback_by_time", fields=["tenant_id", "-received_at", "-id"]),
        ]

    def __str__(self) -> str:
        return self.message_id
