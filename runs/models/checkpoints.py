"""Checkpoints, and the resumptions that begin from them (R-G, R-H)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from runs.models.runs import Run
from runs.states import BOUNDARIES, RESUME_DECISIONS


class Checkpoint(models.Model):
    """What a driver kept, beside what the record says then. `authoritative` is ours and true; `state` is the agent's and derived."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "number", "boundary", "epoch", "seq", "written_at", "written_by", "schema_version", "versions", "authoritative_digest",
        "state_digest", "state_size", "media_type", "artifacts", "note", "contradictions", "dropped_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="checkpoints")
    number = models.PositiveIntegerField()
    boundary = models.CharField(max_length=15)
    epoch = models.BigIntegerField()
    seq = models.BigIntegerField()  # how long the run's stream was
    written_at = models.DateTimeField()
    written_by = models.CharField(max_length=255)
    schema_version = models.PositiveIntegerField(null=True)  # of the agent's state
    versions = models.TextField(
        default="", db_default=""
    )  # canonical JSON: model, prompt, policy, context, interface, workflow, code
    authoritative = models.TextField(null=True)  # canonical JSON; null once erased
    authoritative_digest = Digest()
    state = models.BinaryField(null=True)  # sealed; null without one, and once erased
    state_digest = Digest(null=True)  # of what was sealed
    state_size = models.PositiveIntegerField(default=0, db_default=0)
    media_type = models.CharField(max_length=127, default="", db_default="")
    artifacts = models.TextField(default="", db_default="")  # canonical JSON
    note = models.TextField(default="", db_default="")
    contradictions = models.TextField(default="", db_default="")  # canonical JSON: what the state claims and is not so
    dropped_at = models.DateTimeField(null=True)  # when the state was let go
    # operational: the name of the key that seals the state, and when a state that a later one replaced is let go
    sealed_with = models.CharField(max_length=16, default="", db_default="")
    drop_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_checkpoint_number_once", fields=["run", "number"]),
            models.CheckConstraint(name="runs_checkpoint_boundary_known", condition=Q(boundary__in=BOUNDARIES)),
        ]
        indexes = [
            models.Index(
                name="runs_checkpoint_by_seal", fields=["sealed_with", "id"], condition=Q(state__isnull=False)
            ),
            models.Index(name="runs_checkpoint_to_drop", fields=["drop_at"], condition=Q(drop_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"checkpoint {self.number}"


class Resumption(models.Model):
    """One resume: what each of the nine steps found, what was decided, and the brief that was given."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "number", "checkpoint_id", "epoch", "resumed_at", "resumed_by", "versions", "steps", "decision", "reason", "brief_digest",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="resumptions")
    number = models.PositiveIntegerField()
    checkpoint = models.ForeignKey(Checkpoint, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    epoch = models.BigIntegerField()
    resumed_at = models.DateTimeField()
    resumed_by = models.CharField(max_length=255)
    versions = models.TextField(default="", db_default="")
    steps = models.TextField()  # canonical JSON: [{"step", "result", "detail"}, …]
    decision = models.CharField(max_length=12)
    reason = models.TextField(default="", db_default="")
    brief = models.TextField(null=True)  # canonical JSON; null once erased
    brief_digest = Digest()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_resumption_number_once", fields=["run", "number"]),
            models.CheckConstraint(name="runs_resumption_decision_known", condition=Q(decision__in=RESUME_DECISIONS)),
        ]

    def __str__(self) -> str:
        return f"resumption {self.number}: {self.decision}"
