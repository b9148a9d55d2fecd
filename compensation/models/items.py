"""A work item: one thing to be made good for, by an effect of its own or by people."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from compensation.models.plans import Plan
from compensation.states import (
    DROPPED,
    FOR_ORDER,
    FOR_PERSON,
    FOR_RECONCILIATION,
    ITEM_OPEN,
    ITEM_OVER,
    ITEM_STATES,
    KINDS,
    NEEDS,
    NEEDS_SOMEBODY,
    WAITING,
    WAITS_FOR,
)
from console.identity.models import Member
from runs.models import Effect, Run

OPEN = sorted(ITEM_OPEN)


class WorkItem(models.Model):
    """`effect` is what happened and is made good for; `acting` is the effect that does it, the last of `tries`."""

    recorded: ClassVar[tuple[str, ...]] = (
        "plan_id", "run_id", "number", "kind", "effect_id", "acting_id", "tries", "operation", "arguments", "summary", "target", "need",
        "weight", "state", "waits_for", "state_reason", "step", "after", "after_count", "after_steps", "after_earlier", "authority",
        "deadline_at", "expects", "difference", "residue", "left",
        "verification", "verified_by", "instructions", "checklist", "needs_second", "ladder", "level", "escalated_at", "owner_id",
        "owner_group", "owned_at", "created_at", "started_at", "ended_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, db_index=False, related_name="items")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="+")
    number = models.PositiveIntegerField()  # within the run
    kind = models.CharField(max_length=10)
    effect = models.ForeignKey(Effect, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    acting = models.ForeignKey(Effect, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    operation = models.CharField(max_length=63, default="", db_default="")  # the compensating one; "": people do it
    arguments = models.TextField(default="", db_default="")  # canonical; "": not known before what happened is known
    summary = models.TextField()
    target = models.TextField(default="", db_default="")
    need = models.CharField(max_length=10)
    weight = models.PositiveSmallIntegerField(
        default=0, db_default=0
    )  # how much depends on it: 0 to 9, by tier and consequence
    state = models.CharField(max_length=10)
    waits_for = models.CharField(max_length=15, default="", db_default="")
    state_reason = models.TextField(default="", db_default="")
    # What must be over first: the steps of its own plan and of plans before it (a step is an operation whose effects are made good for),
    # and items by name. `after` has all that a person named; of what steps name the first few, as they were when it was planned.
    step = models.CharField(max_length=63, default="", db_default="")
    after = ArrayField(models.UUIDField(), default=list, db_default=[])
    after_count = models.PositiveIntegerField(default=0, db_default=0)
    after_steps = ArrayField(models.CharField(max_length=63), default=list, db_default=[])
    after_earlier = ArrayField(models.CharField(max_length=63), default=list, db_default=[])
    authority = models.TextField(default="", db_default="")
    deadline_at = models.DateTimeField(null=True)
    expects = models.TextField(default="", db_default="")  # what must still be so, canonical: [{"path", "equals"}, …]
    difference = models.TextField(
        default="", db_default=""
    )  # what was found instead, canonical: [{"path", "expected", "found"}, …]
    residue = models.TextField(default="", db_default="")  # what is expected to remain, canonical: a list of texts
    left = models.TextField(default="", db_default="")  # what remained, canonical: a list of texts
    verification = models.TextField(default="", db_default="")
    verified_by = models.CharField(max_length=10, default="", db_default="")  # world, answer, person
    instructions = models.TextField(default="", db_default="")
    checklist = models.TextField(default="", db_default="")  # canonical: [{"text", "done_by", "done_at"}, …]
    needs_second = models.BooleanField(default=False, db_default=False)  # to resolve or waive it
    ladder = models.TextField(
        default="", db_default=""
    )  # canonical: [{"after_seconds", "to"}, …], counted from when it needs somebody
    level = models.PositiveSmallIntegerField(default=0, db_default=0)  # steps of the ladder that were taken
    escalated_at = models.DateTimeField(null=True)
    owner = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    owner_group = models.CharField(max_length=63, default="", db_default="")
    owned_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    # operational: when the next step of the ladder, or its deadline, is due
    next_alert_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="compensation_item_number_once", fields=["run", "number"]),
            # Two people and an agent at once make one item of one effect; what was dropped made good for nothing.
            models.UniqueConstraint(
                name="compensation_one_item_an_effect",
                fields=["effect"],
                condition=Q(effect__isnull=False) & ~Q(state=DROPPED),
            ),
            models.CheckConstraint(name="compensation_item_state_known", condition=Q(state__in=ITEM_STATES)),
            models.CheckConstraint(name="compensation_item_kind_known", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(name="compensation_item_need_known", condition=Q(need__in=NEEDS)),
            models.CheckConstraint(name="compensation_item_waits_for_known", condition=Q(waits_for__in=WAITS_FOR)),
            models.CheckConstraint(
                name="compensation_item_ended_has_a_time",
                condition=Q(state__in=OPEN, ended_at=None)
                | (Q(state__in=sorted(ITEM_OVER)) & Q(ended_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(
                name="compensation_item_desk",
                fields=["tenant_id", "deadline_at", "-weight", "id"],
                condition=Q(state__in=OPEN),
            ),
            models.Index(
                name="compensation_item_to_see_to",
                fields=["tenant_id", "deadline_at", "-weight", "id"],
                condition=Q(state__in=OPEN) & (Q(state__in=sorted(NEEDS_SOMEBODY)) | Q(waits_for=FOR_PERSON)),
            ),
            models.Index(
                name="compensation_item_by_owner",
                fields=["tenant_id", "owner", "deadline_at", "-weight", "id"],
                condition=Q(state__in=OPEN, owner__isnull=False),
            ),
            models.Index(
                name="compensation_item_by_group",
                fields=["tenant_id", "owner_group", "deadline_at", "-weight", "id"],
                condition=Q(state__in=OPEN),
            ),
            models.Index(
                name="compensation_item_by_operation",
                fields=["tenant_id", "operation", "deadline_at", "-weight", "id"],
                condition=Q(state__in=OPEN),
            ),
            models.Index(name="compensation_item_by_plan", fields=["plan"]),
            models.Index(name="compensation_item_acting", fields=["acting"], condition=Q(acting__isnull=False)),
            models.Index(
                name="compensation_item_alert", fields=["next_alert_at"], condition=Q(next_alert_at__isnull=False)
            ),
            models.Index(
                name="compensation_item_held_back",
                fields=["run"],
                condition=Q(state=WAITING, waits_for__in=[FOR_ORDER, FOR_RECONCILIATION]),
            ),
            models.Index(
                name="compensation_item_lately", fields=["tenant_id", "ended_at"], condition=Q(ended_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.summary
