"""A run: what an agent set out to do, who drives it, and how it ended."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from console.identity.models import Agent
from console.ledger.models import Chained
from runs.models.contracts import RunTypeContract
from runs.states import CLOSING, RUN_ENDED, RUNNING

ENDED = sorted(RUN_ENDED)


class Run(Chained):
    """Its state version, sent as ETag and compared with If-Match, is the length of its stream (`ledger_seq`)."""

    recorded: ClassVar[tuple[str, ...]] = (
        "key", "intent_digest", "agent_id", "run_type_id", "goal", "completes_itself", "state", "closing_toward", "closing_reason", "epoch",
        "driver_id", "deadline_at", "key_expires_at", "result", "unresolved", "created_at", "ended_at",
        "hold", "erased_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, db_index=False, related_name="runs")
    key = models.CharField(max_length=255)
    intent_digest = Digest()
    run_type = models.ForeignKey(RunTypeContract, on_delete=models.PROTECT, db_index=False, related_name="runs")
    goal = models.TextField()
    completes_itself = models.BooleanField(db_default=False)
    state = models.CharField(max_length=30)
    closing_toward = models.CharField(max_length=30, db_default="")
    closing_reason = models.TextField(db_default="")
    epoch = models.BigIntegerField()
    driver = models.ForeignKey(Agent, on_delete=models.PROTECT, db_index=False, related_name="driven_runs")
    deadline_at = models.DateTimeField(null=True)
    key_expires_at = models.DateTimeField()
    result = models.TextField(null=True)
    unresolved = ArrayField(models.UUIDField(), default=list, db_default=[])
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    # why its contents are kept, whatever retention says; and when they were erased
    hold = models.TextField(default="", db_default="")
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_one_run_a_key", fields=["tenant_id", "agent", "key"]),
            models.CheckConstraint(
                name="runs_run_ended_when_terminal",
                condition=Q(state__in=ENDED, ended_at__isnull=False) | (~Q(state__in=ENDED) & Q(ended_at=None)),
            ),
            models.CheckConstraint(
                name="runs_run_closing_says_whereto", condition=~Q(state=CLOSING) | ~Q(closing_toward="")
            ),
        ]
        indexes = [
            models.Index(name="runs_run_by_time", fields=["tenant_id", "-created_at", "-id"]),
            models.Index(name="runs_run_by_state", fields=["tenant_id", "state", "-created_at", "-id"]),
            models.Index(name="runs_run_by_agent", fields=["agent", "-created_at", "-id"]),
            models.Index(name="runs_run_by_type", fields=["run_type", "-created_at", "-id"]),
            models.Index(name="runs_run_due_deadline", fields=["deadline_at"], condition=Q(state=RUNNING)),
            models.Index(
                name="runs_run_to_erase",
                fields=["tenant_id", "ended_at"],
                condition=Q(ended_at__isnull=False, erased_at=None),
            ),
            models.Index(name="runs_run_closing", fields=["id"], condition=Q(state=CLOSING)),
        ]

    def __str__(self) -> str:
        return self.goal
