"""What people say to work that is under way: corrections, cancellations, pauses (R-H, R-I3, R-D5)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.identity.models import Member
from runs.models.effects import Effect
from runs.models.runs import Run
from runs.states import CANCELLATION_MODES, CANCELLATION_SCOPES, CANCELLATION_STATES, PAUSE_SCOPES, REQUESTED, RESOLVING


class Correction(models.Model):
    """What a user put right while the run was under way. A resume takes it into account; what it contradicts is not begun."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "number", "made_at", "made_by", "source", "text", "contradicts", "invalidated", "under_way",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="corrections")
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=255)
    source = models.TextField(default="", db_default="")  # where the user said so
    text = models.TextField()
    contradicts = models.TextField(default="", db_default="")  # canonical JSON: {"operation"?, "argument"?, "must"?}
    invalidated = ArrayField(models.UUIDField(), default=list, db_default=[])  # the effects that were withdrawn for it
    # effects that it contradicts and that had been begun: they are not begun again
    under_way = ArrayField(models.UUIDField(), default=list, db_default=[])

    class Meta:
        constraints = [models.UniqueConstraint(name="runs_correction_number_once", fields=["run", "number"])]

    def __str__(self) -> str:
        return self.text


class Cancellation(models.Model):
    """A wish that something stops, in three parts: requested, being resolved, proven by evidence."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "effect_id", "number", "scope", "mode", "reason", "asked_at", "asked_by", "of_id", "state", "grace_until", "evidence",
        "proven_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="cancellations")
    effect = models.ForeignKey(Effect, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    number = models.PositiveIntegerField()
    scope = models.CharField(max_length=6)
    mode = models.CharField(max_length=9)
    reason = models.TextField()
    asked_at = models.DateTimeField()
    asked_by = models.CharField(max_length=255)
    of = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, db_index=False, related_name="+"
    )  # the parent run's
    state = models.CharField(max_length=10)
    grace_until = models.DateTimeField(null=True)  # until when the driver may finish in order
    evidence = models.TextField(null=True)  # canonical JSON: what proves it
    proven_at = models.DateTimeField(null=True)
    # operational: when it is looked at again: children are to be stopped or one has ended, or the driver's time is up
    due_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_cancellation_number_once", fields=["run", "number"]),
            models.CheckConstraint(name="runs_cancellation_scope_known", condition=Q(scope__in=CANCELLATION_SCOPES)),
            models.CheckConstraint(name="runs_cancellation_mode_known", condition=Q(mode__in=CANCELLATION_MODES)),
            models.CheckConstraint(name="runs_cancellation_state_known", condition=Q(state__in=CANCELLATION_STATES)),
        ]
        indexes = [
            models.Index(
                name="runs_cancellation_open",
                fields=["tenant_id", "asked_at", "id"],
                condition=Q(state__in=[REQUESTED, RESOLVING]),
            ),
            models.Index(name="runs_cancellation_due", fields=["due_at"], condition=Q(due_at__isnull=False)),
            models.Index(name="runs_cancellation_by_effect", fields=["effect"], condition=Q(effect__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"cancel {self.scope}: {self.reason}"


class Pause(models.Model):
    """A stop at the next claim, of a run, an operation, a run type or everything of the tenant, until it is lifted."""

    recorded: ClassVar[tuple[str, ...]] = (
        "scope", "run_id", "name", "emergency", "reason", "paused_at", "paused_by_id", "lifted_at", "lifted_by_id", "lift_reason",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    scope = models.CharField(max_length=10)
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, db_index=False, related_name="pauses")
    name = models.CharField(max_length=63, default="", db_default="")  # of the operation or the run type
    emergency = models.BooleanField(default=False, db_default=False)
    reason = models.TextField()
    paused_at = models.DateTimeField()
    paused_by = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    lift_reason = models.TextField(default="", db_default="")
    # operational: when all that it had stopped was due again, and the last effect that was looked at for that
    released_at = models.DateTimeField(null=True)
    release_after = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="runs_pause_scope_known", condition=Q(scope__in=PAUSE_SCOPES)),
            models.UniqueConstraint(
                name="runs_one_pause_a_subject",
                fields=["tenant_id", "scope", "run", "name", "emergency"],
                condition=Q(lifted_at=None),
                nulls_distinct=False,
            ),
        ]
        indexes = [
            models.Index(name="runs_pause_standing", fields=["tenant_id", "scope"], condition=Q(lifted_at=None)),
            models.Index(
                name="runs_pause_to_release",
                fields=["lifted_at"],
                condition=Q(lifted_at__isnull=False, released_at=None),
            ),
            models.Index(name="runs_pause_by_run", fields=["run"], condition=Q(run__isnull=False)),
            models.Index(name="runs_pause_by_time", fields=["tenant_id", "-paused_at", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.name}"
