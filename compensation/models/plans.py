"""A plan: what is to be made good for in one run, why, and whether it may begin."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from compensation.states import CAUSES, DECLINED, PLAN_STATES, PROPOSED
from console.identity.models import Member
from console.ledger.models import Chained
from runs.models import Run


class Plan(Chained):
    """Its stream holds all that was said of it and of its work items."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "number", "cause", "reason", "state", "asked_by", "asked_at", "ladder", "level", "decided_by_id", "decided_at",
        "decided_reason", "erased_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="+")
    number = models.PositiveIntegerField()
    cause = models.CharField(max_length=15)
    reason = models.TextField(default="", db_default="")
    state = models.CharField(max_length=10)
    asked_by = models.CharField(max_length=255)
    asked_at = models.DateTimeField()
    # While it waits for approval: whom it is told to and when, canonical ([{"after_seconds", "to"}, …]), and how many steps were taken.
    ladder = models.TextField(default="", db_default="")
    level = models.PositiveSmallIntegerField(default=0, db_default=0)
    next_alert_at = models.DateTimeField(null=True)  # operational: when the next step is due
    decided_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decided_reason = models.TextField(default="", db_default="")
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="compensation_plan_number_once", fields=["run", "number"]),
            models.CheckConstraint(name="compensation_plan_cause_known", condition=Q(cause__in=CAUSES)),
            models.CheckConstraint(name="compensation_plan_state_known", condition=Q(state__in=PLAN_STATES)),
            models.CheckConstraint(
                name="compensation_plan_declined_by_somebody",
                condition=~Q(state=DECLINED) | Q(decided_by__isnull=False, decided_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                name="compensation_plan_to_approve", fields=["tenant_id", "asked_at", "id"], condition=Q(state=PROPOSED)
            ),
            models.Index(
                name="compensation_plan_alert", fields=["next_alert_at"], condition=Q(next_alert_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"plan {self.number} of {self.run_id}: {self.cause}"
