"""An effect: one logical intent, done at most once however often it is attempted."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import HashIndex
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from approvals.models import Grant, Policy, Request
from console.fields import Digest
from console.identity.models import Member
from runs.contracts.executors import HUMAN, WORKED
from runs.models.contracts import OperationContract
from runs.models.runs import Run
from runs.states import (
    ACCEPTED,
    AWAITING_APPROVAL,
    BLOCKED,
    CHANGED,
    DISPATCHED,
    OPEN,
    PARTIAL,
    PROPOSED,
    READY,
    SUCCEEDED,
    UNKNOWN,
    UNSTARTED,
)


class Effect(models.Model):
    """`fence` rises with each attempt and goes out with it; an answer that carries a lower one changes nothing."""

    recorded: ClassVar[tuple[str, ...]] = (
        "run_id", "number", "key", "key_scope", "operation_id", "operation_name", "executor", "dependency_name", "summary", "target",
        "arguments", "reason", "required", "consequential", "irreversible", "after", "supersedes_id", "intent_digest", "effect_digest",
        "state", "state_reason", "verdict", "policy_id", "rule", "request_id", "fence", "attempts_count", "outcome", "result",
        "operation_reference", "deadline_at", "key_expires_at", "created_at", "ended_at", "unknown_since",
        "owner_id", "owner_group", "owned_at", "alerts", "escalated_at", "attempts_granted", "reconciled_at",
        "after_waits", "cleanup", "cancel_asked_at", "grant_id", "compensates_id", "expects",
        "approved_with_id",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="effects")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=255)
    key_scope = models.CharField(max_length=6)
    operation = models.ForeignKey(OperationContract, on_delete=models.PROTECT, db_index=False, related_name="effects")
    operation_name = models.CharField(max_length=63)
    executor = models.CharField(max_length=10)
    dependency_name = models.CharField(max_length=63, db_default="")
    summary = models.TextField()
    target = models.TextField()
    arguments = models.TextField()
    reason = models.TextField(db_default="")
    required = models.BooleanField()
    consequential = models.BooleanField()
    irreversible = models.BooleanField()
    after = ArrayField(models.UUIDField(), default=list, db_default=[])
    supersedes = models.ForeignKey("self", null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    intent_digest = Digest()
    effect_digest = Digest()
    state = models.CharField(max_length=30)
    state_reason = models.TextField(db_default="")
    verdict = models.CharField(max_length=5)
    policy = models.ForeignKey(Policy, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    rule = models.CharField(max_length=63, db_default="")
    request = models.ForeignKey(Request, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    fence = models.BigIntegerField(db_default=0)
    attempts_count = models.PositiveIntegerField(db_default=0)
    outcome = models.CharField(max_length=20, db_default="")
    result = models.TextField(null=True)
    operation_reference = models.TextField(db_default="")
    deadline_at = models.DateTimeField()
    key_expires_at = models.DateTimeField()
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    unknown_since = models.DateTimeField(null=True)
    # who looks after it while it is not confirmed: a member who claimed it, and the group that it was handed to ("": the contract's)
    owner = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    owner_group = models.CharField(max_length=63, default="", db_default="")
    owned_at = models.DateTimeField(null=True)
    alerts = models.PositiveSmallIntegerField(default=0, db_default=0)  # thresholds of age passed and told of
    escalated_at = models.DateTimeField(null=True)
    attempts_granted = models.PositiveSmallIntegerField(default=0, db_default=0)  # beyond what the contract allows
    reconciled_at = models.DateTimeField(null=True)  # when a person settled the rest of a partial effect
    after_waits = ArrayField(models.UUIDField(), default=list, db_default=[])  # waits of its run that must be met first
    cleanup = models.BooleanField(default=False, db_default=False)  # it finishes although its run is closing
    cancel_asked_at = models.DateTimeField(null=True)  # when the other side was first asked to stop it
    # the standing approval that it goes by, where people were not asked
    grant = models.ForeignKey(Grant, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    # the effect that this one makes good for, and what must still be so before it acts: canonical JSON, [{"path", "equals"}, …]
    compensates = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, db_index=False, related_name="compensated_by"
    )
    expects = models.TextField(default="", db_default="")
    # the approval of what it makes good for, where that covers this too: nobody is asked again
    approved_with = models.ForeignKey(Request, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    # operational: whether compensation is to hear of its next change of state (1), or there was one (2): the database sets it
    watch = models.PositiveSmallIntegerField(default=0, db_default=0)
    # operational: it is to be made good for, and no plan has looked at that yet
    undo_due = models.BooleanField(default=False, db_default=False)
    # operational: a unit of a standing approval is held for it, until it is over and that is told
    holds_unit = models.BooleanField(default=False, db_default=False)
    # operational: when the next attempt, or the next step about an unknown, is due, and which ("": asking, if it can be asked); what is
    # ready and has no time is parked: its run is held, paused, exhausted or quarantined
    next_attempt_at = models.DateTimeField(null=True)
    next_step = models.CharField(max_length=10, default="", db_default="")
    # operational: when an unknown effect is overdue by its contract, and when it is to be told of next
    objective_at = models.DateTimeField(null=True)
    next_alert_at = models.DateTimeField(null=True)
    # operational: the trace in which it was proposed (W3C Trace Context), so that its attempts go on from there
    traceparent = models.CharField(max_length=55, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_effect_number_once", fields=["run", "number"]),
            models.UniqueConstraint(
                name="runs_one_effect_a_key_in_run", fields=["run", "key"], condition=Q(key_scope="run")
            ),
            models.UniqueConstraint(
                name="runs_one_effect_a_key_in_tenant", fields=["tenant_id", "key"], condition=Q(key_scope="tenant")
            ),
            # Whatever else goes wrong, an effect is not made good for twice; what came to nothing, or was done in part, may be followed.
            models.UniqueConstraint(
                name="runs_one_effect_compensates",
                fields=["compensates"],
                condition=Q(compensates__isnull=False, state__in=[*sorted(OPEN), SUCCEEDED]),
            ),
            models.CheckConstraint(name="runs_effect_scope_known", condition=Q(key_scope__in=["run", "tenant"])),
            models.CheckConstraint(name="runs_effect_verdict_known", condition=Q(verdict__in=["allow", "ask", "deny"])),
            models.CheckConstraint(
                name="runs_effect_ended_when_terminal",
                condition=Q(state__in=sorted(OPEN), ended_at=None)
                | (~Q(state__in=sorted(OPEN)) & Q(ended_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="runs_effect_unknown_has_an_age", condition=~Q(state=UNKNOWN) | Q(unknown_since__isnull=False)
            ),
            models.CheckConstraint(
                name="runs_effect_awaiting_has_a_request",
                condition=~Q(state=AWAITING_APPROVAL) | Q(request__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="runs_effect_to_hear_of", fields=["id"], condition=Q(watch=CHANGED)),
            models.Index(name="runs_effect_to_undo", fields=["id"], condition=Q(undo_due=True)),
            models.Index(
                name="runs_effect_compensating", fields=["compensates"], condition=Q(compensates__isnull=False)
            ),
            models.Index(
                name="runs_effect_ready",
                fields=["tenant_id", "dependency_name", "next_attempt_at"],
                condition=Q(state=READY, executor__in=WORKED),
            ),
            models.Index(
                name="runs_effect_ready_on_its_own",
                fields=["next_attempt_at"],
                condition=Q(state=READY, executor__in=WORKED, dependency_name=""),
            ),
            models.Index(
                name="runs_effect_tasks",
                fields=["tenant_id", "deadline_at", "id"],
                condition=Q(executor=HUMAN, state__in=[READY, DISPATCHED]),
            ),
            models.Index(
                name="runs_effect_to_ask", fields=["next_attempt_at"], condition=Q(state__in=[UNKNOWN, ACCEPTED])
            ),
            models.Index(name="runs_effect_parked", fields=["run"], condition=Q(state=READY, next_attempt_at=None)),
            models.Index(
                name="runs_effect_parked_among",
                fields=["tenant_id", "id"],
                condition=Q(state=READY, next_attempt_at=None),
            ),
            models.Index(name="runs_effect_proposed", fields=["id"], condition=Q(state=PROPOSED)),
            models.Index(name="runs_effect_blocked", fields=["run"], condition=Q(state=BLOCKED)),
            models.Index(
                name="runs_effect_due_deadline", fields=["deadline_at"], condition=Q(state__in=sorted(UNSTARTED))
            ),
            models.Index(
                name="runs_effect_to_judge_again",
                fields=["policy"],
                condition=Q(state__in=[AWAITING_APPROVAL, BLOCKED, READY]),
            ),
            models.Index(
                name="runs_effect_unknown_by_age",
                fields=["tenant_id", "unknown_since", "id"],
                condition=Q(state=UNKNOWN),
            ),
            models.Index(
                name="runs_effect_unknown_by_weight",
                fields=["tenant_id", "-irreversible", "-consequential", "unknown_since", "id"],
                condition=Q(state=UNKNOWN),
            ),
            models.Index(
                name="runs_effect_unknown_by_owner",
                fields=["tenant_id", "owner", "irreversible", "consequential", "unknown_since", "id"],
                condition=Q(state=UNKNOWN),
            ),
            models.Index(
                name="runs_effect_unknown_by_op",
                fields=["tenant_id", "operation_name", "irreversible", "consequential", "unknown_since", "id"],
                condition=Q(state=UNKNOWN),
            ),
            models.Index(
                name="runs_effect_unknown_by_dep",
                fields=["tenant_id", "dependency_name", "irreversible", "consequential", "unknown_since", "id"],
                condition=Q(state=UNKNOWN),
            ),
            models.Index(
                name="runs_effect_unknown_by_group",
                fields=["tenant_id", "owner_group", "irreversible", "consequential", "unknown_since", "id"],
                condition=Q(state=UNKNOWN) & ~Q(owner_group=""),
            ),
            models.Index(
                name="runs_effect_unknown_overdue",
                fields=["tenant_id", "objective_at"],
                condition=Q(state=UNKNOWN, objective_at__isnull=False),
            ),
            models.Index(
                name="runs_effect_partial_by_age",
                fields=["tenant_id", "ended_at", "id"],
                condition=Q(state=PARTIAL, reconciled_at=None),
            ),
            models.Index(
                name="runs_effect_to_alert",
                fields=["next_alert_at"],
                condition=Q(state__in=(UNKNOWN, PARTIAL), next_alert_at__isnull=False),
            ),
            models.Index(
                name="runs_effect_partial", fields=["tenant_id", "run"], condition=Q(state=PARTIAL, required=True)
            ),
            models.Index(name="runs_effect_superseding", fields=["supersedes"], condition=Q(supersedes__isnull=False)),
            HashIndex(
                name="runs_effect_by_reference", fields=["operation_reference"], condition=~Q(operation_reference="")
            ),
            models.Index(name="runs_effect_by_request", fields=["request"], condition=Q(request__isnull=False)),
            models.Index(
                name="runs_effect_unit_due", fields=["ended_at"], condition=Q(holds_unit=True, ended_at__isnull=False)
            ),
            models.Index(name="runs_effect_by_grant", fields=["grant"], condition=Q(grant__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.summary
