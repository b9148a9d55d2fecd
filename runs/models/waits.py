"""What a run waits for: a row with a condition, and no process (R-I1). And the signals that come from outside."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from runs.models.runs import Run
from runs.states import (
    CLOCK_TIME,
    DEPENDENCY,
    EXPIRED,
    KEPT,
    ON_EXPIRY,
    RATE_WINDOW,
    SIGNAL,
    SIGNAL_RECORDED,
    SIGNAL_STATES,
    TIMER,
    WAIT_KINDS,
    WAIT_OPEN,
    WAIT_STATES,
)


class Wait(models.Model):
    """One condition. `parks` says that the run waits as a whole, with nobody driving it; one that does not only holds effects back."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "number", "name", "kind", "condition", "subject_name", "correlation", "subjects", "due_at", "expires_at", "on_expiry",
        "parks", "state", "opened_at", "overdue_at", "ended_at", "reason", "result",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="waits")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=63)
    kind = models.CharField(max_length=12)
    condition = models.TextField()  # canonical JSON, as it was asked for
    subject_name = models.CharField(max_length=63, default="", db_default="")  # of the signal, or of the dependency
    correlation = models.CharField(max_length=255, default="", db_default="")
    subjects = ArrayField(models.UUIDField(), default=list, db_default=[])  # the child runs or effects waited for
    due_at = models.DateTimeField(null=True)  # when a time that is waited for has come
    expires_at = models.DateTimeField(null=True)
    on_expiry = models.CharField(max_length=10)
    parks = models.BooleanField()
    state = models.CharField(max_length=10)
    opened_at = models.DateTimeField()
    # since when people know that it did not come in its time; it may come still
    overdue_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    reason = models.TextField(default="", db_default="")
    result = models.TextField(null=True)  # canonical JSON: what it was met with

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_wait_number_once", fields=["run", "number"]),
            models.CheckConstraint(name="runs_wait_kind_known", condition=Q(kind__in=WAIT_KINDS)),
            models.CheckConstraint(name="runs_wait_state_known", condition=Q(state__in=WAIT_STATES)),
            models.CheckConstraint(name="runs_wait_expiry_known", condition=Q(on_expiry__in=ON_EXPIRY)),
            models.CheckConstraint(
                name="runs_wait_ended_when_over",
                condition=Q(state=WAIT_OPEN, ended_at=None) | (~Q(state=WAIT_OPEN) & Q(ended_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(
                name="runs_wait_due",
                fields=["due_at"],
                condition=Q(state=WAIT_OPEN, kind__in=[TIMER, CLOCK_TIME]),
            ),
            models.Index(
                name="runs_wait_for_window",
                fields=["tenant_id", "subject_name", "due_at", "id"],
                condition=Q(state=WAIT_OPEN, kind=RATE_WINDOW),
            ),
            models.Index(
                name="runs_wait_expiring",
                fields=["expires_at"],
                condition=Q(state=WAIT_OPEN, expires_at__isnull=False, overdue_at=None),
            ),
            models.Index(
                name="runs_wait_for_signal",
                fields=["tenant_id", "subject_name", "correlation", "opened_at", "id"],
                condition=Q(state=WAIT_OPEN, kind=SIGNAL),
            ),
            models.Index(
                name="runs_wait_for_dependency",
                fields=["tenant_id", "subject_name", "opened_at", "id"],
                condition=Q(state=WAIT_OPEN, kind=DEPENDENCY),
            ),
            models.Index(
                name="runs_wait_of_signal",
                fields=["tenant_id", "subject_name", "correlation"],
                condition=Q(kind=SIGNAL),
            ),
            models.Index(name="runs_wait_open_in_run", fields=["run"], condition=Q(state=WAIT_OPEN)),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.kind})"


class Signal(models.Model):
    """News by name and correlation, once per message. It counts for one wait; what comes before its wait is kept for it."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "wait_id", "name", "correlation", "source", "sender", "message_id", "body_digest", "received_at", "state", "note",
        "settled_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    # null until a wait took it, or it was found which run it came too late for; from then on it is in the run's stream
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    wait = models.ForeignKey(Wait, null=True, on_delete=models.PROTECT, db_index=False, related_name="signals")
    name = models.CharField(max_length=63)
    correlation = models.CharField(max_length=255)
    source = models.CharField(max_length=10)  # agent, member or webhook
    sender = models.CharField(max_length=255)  # the actor, or the contract whose secret signed it
    message_id = models.CharField(max_length=255)
    body = models.TextField(null=True)  # canonical JSON; null once erased
    body_digest = Digest()
    received_at = models.DateTimeField()
    state = models.CharField(max_length=10)
    note = models.TextField(default="", db_default="")
    settled_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)  # operational: until when it is kept for a wait

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="runs_one_signal_a_message", fields=["tenant_id", "sender", "name", "message_id"]
            ),
            models.CheckConstraint(name="runs_signal_state_known", condition=Q(state__in=SIGNAL_STATES)),
        ]
        indexes = [
            models.Index(name="runs_signal_to_apply", fields=["received_at"], condition=Q(state=SIGNAL_RECORDED)),
            models.Index(
                name="runs_signal_kept",
                fields=["tenant_id", "name", "correlation", "received_at", "id"],
                condition=Q(state__in=[SIGNAL_RECORDED, KEPT]),
            ),
            models.Index(name="runs_signal_expiring", fields=["expires_at"], condition=Q(state=KEPT)),
            models.Index(name="runs_signal_by_run", fields=["run"], condition=Q(run__isnull=False)),
            models.Index(name="runs_signal_by_state", fields=["tenant_id", "state", "-received_at", "-id"]),
            models.Index(
                name="runs_signal_to_empty",
                fields=["tenant_id", "received_at"],
                condition=Q(state=EXPIRED, run=None, body__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.correlation})"
