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
from runs.states import CLOSING, EXHAUSTED, RUN_ENDED, RUN_OPEN, RUNNING, TO_PLAN

ENDED = sorted(RUN_ENDED)


class Run(Chained):
    """Its state version, sent as ETag and compared with If-Match, is the length of its stream (`ledger_seq`)."""

    recorded: ClassVar[tuple[str, ...]] = (
        "key", "intent_digest", "agent_id", "run_type_id", "goal", "completes_itself", "state", "closing_toward", "closing_reason", "epoch",
        "driver_id", "deadline_at", "key_expires_at", "result", "unresolved", "created_at", "ended_at",
        "hold", "erased_at", "parent_id", "lease_holder", "resume_due", "attention", "attention_since", "attention_reason",
        "versions", "limits", "used_tokens", "used_cost", "corrections_count", "corrections_seen",
        "compensation", "residue",
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
    parent = models.ForeignKey("self", null=True, on_delete=models.PROTECT, db_index=False, related_name="children")
    lease_holder = models.CharField(
        max_length=255, default="", db_default=""
    )  # the process that drives, by its own name
    resume_due = models.BooleanField(default=False, db_default=False)  # its ready effects wait until a resume decides
    attention = models.CharField(max_length=15, default="", db_default="")  # why a person is needed
    attention_since = models.DateTimeField(null=True)
    attention_reason = models.TextField(default="", db_default="")
    versions = models.TextField(default="", db_default="")  # canonical JSON: what its last driver ran with
    limits = models.TextField(
        default="", db_default=""
    )  # canonical JSON: attempts, cost, tokens, children, wall_seconds
    used_tokens = models.BigIntegerField(default=0, db_default=0)
    used_cost = models.DecimalField(max_digits=20, decimal_places=6, default=0, db_default=0)
    corrections_count = models.PositiveIntegerField(default=0, db_default=0)
    corrections_seen = models.PositiveIntegerField(default=0, db_default=0)
    # where it stands with its compensation ("": nothing is to be made good for), and what remains (canonical JSON, a list of texts)
    compensation = models.CharField(max_length=10, default="", db_default="")
    residue = models.TextField(default="", db_default="")
    # operational: until when its driver has it (null: nobody), when the clock looks at it (whether something will wake it; of one that was
    # cancelled, to tell what it left), how many waits are open, and when its parent was told of its end
    lease_expires_at = models.DateTimeField(null=True)
    watch_at = models.DateTimeField(null=True)
    open_waits = models.PositiveIntegerField(default=0, db_default=0)
    told_at = models.DateTimeField(null=True)

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
            models.Index(
                name="runs_run_open_deadline",
                fields=["deadline_at"],
                condition=Q(state__in=sorted(RUN_OPEN), deadline_at__isnull=False),
            ),
            models.Index(
                name="runs_run_to_watch", fields=["watch_at"], condition=Q(state=RUNNING, watch_at__isnull=False)
            ),
            models.Index(
                name="runs_run_out", fields=["watch_at"], condition=Q(state=EXHAUSTED, watch_at__isnull=False)
            ),
            models.Index(
                name="runs_run_left", fields=["watch_at"], condition=Q(ended_at__isnull=False, watch_at__isnull=False)
            ),
            models.Index(name="runs_run_by_parent", fields=["parent"], condition=Q(parent__isnull=False)),
            models.Index(
                name="runs_run_to_tell",
                fields=["ended_at"],
                condition=Q(parent__isnull=False, ended_at__isnull=False, told_at=None),
            ),
            models.Index(
                name="runs_run_attention", fields=["tenant_id", "attention_since", "id"], condition=~Q(attention="")
            ),
            models.Index(
                name="runs_run_to_erase",
                fields=["tenant_id", "ended_at"],
                condition=Q(ended_at__isnull=False, erased_at=None),
            ),
            models.Index(name="runs_run_to_compensate", fields=["id"], condition=Q(compensation=TO_PLAN)),
            models.Index(name="runs_run_closing", fields=["id"], condition=Q(state=CLOSING)),
        ]

    def __str__(self) -> str:
        return self.goal
