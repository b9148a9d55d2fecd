"""An attempt: one try at an effect. Its identity is its own; the effect's key is what goes downstream."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from runs.models.effects import Effect
from runs.models.runs import Run
from runs.states import ATTEMPT_STATES, ENDED, RUNNING


class Attempt(models.Model):
    """`late_*` is what came back after the attempt had been given up: kept as evidence, it changes nothing."""

    recorded: ClassVar[tuple[str, ...]] = (
        "effect_id", "run_id", "number", "kind", "fence", "worker", "state", "outcome", "http_status", "sent", "reason",
        "evidence_digest", "started_at", "ended_at", "late_outcome", "late_evidence_digest", "late_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="+")
    effect = models.ForeignKey(Effect, on_delete=models.PROTECT, db_index=False, related_name="attempts")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    fence = models.BigIntegerField()
    worker = models.TextField()
    dependency_name = models.CharField(max_length=63, db_default="")
    state = models.CharField(max_length=10)
    outcome = models.CharField(max_length=20, db_default="")
    http_status = models.SmallIntegerField(null=True)
    # null: nobody knows; true: the first byte may have left; false: it did not
    sent = models.BooleanField(null=True)
    reason = models.TextField(db_default="")
    evidence = models.TextField(null=True)
    evidence_digest = Digest(null=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    late_outcome = models.CharField(max_length=20, db_default="")
    late_evidence = models.TextField(null=True)
    late_evidence_digest = Digest(null=True)
    late_at = models.DateTimeField(null=True)
    # operational: whoever works the attempt renews it; mark_before_send is the contract's second commit before the socket
    lease_expires_at = models.DateTimeField(null=True)
    marks_before_send = models.BooleanField(db_default=False)
    sent_mark_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_attempt_number_once", fields=["effect", "number"]),
            models.UniqueConstraint(name="runs_one_attempt_at_a_time", fields=["effect"], condition=Q(state=RUNNING)),
            models.CheckConstraint(name="runs_attempt_state_known", condition=Q(state__in=ATTEMPT_STATES)),
            models.CheckConstraint(
                name="runs_attempt_lease_only_while_running",
                condition=Q(state=RUNNING, lease_expires_at__isnull=False)
                | (~Q(state=RUNNING) & Q(lease_expires_at=None)),
            ),
        ]
        indexes = [
            models.Index(
                name="runs_attempt_lately",
                fields=["tenant_id", "dependency_name", "-started_at"],
                condition=Q(state=ENDED),
            ),
            models.Index(name="runs_attempt_due_lease", fields=["lease_expires_at"], condition=Q(state=RUNNING)),
            models.Index(name="runs_attempt_by_worker", fields=["worker"], condition=Q(state=RUNNING)),
            models.Index(
                name="runs_attempt_in_flight", fields=["tenant_id", "dependency_name"], condition=Q(state=RUNNING)
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.effect_id}"
