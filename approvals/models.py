"""Rows and constraints of permission. A request knows a subject (digest, operation, target, arguments), not a run."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from approvals.states import APPROVED, CLOSED, PENDING, STATES
from console.fields import Digest
from console.identity.models import Agent, Member
from console.ledger.models import Chained


class Policy(models.Model):
    """One version of a policy file, immutable; `superseded_at` is set when the next version is published."""

    recorded: ClassVar[tuple[str, ...]] = (
        "name",
        "version",
        "document",
        "digest",
        "operations",
        "published_at",
        "superseded_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    name = models.CharField(max_length=63)
    version = models.PositiveIntegerField()
    document = models.TextField()
    digest = Digest()
    operations = ArrayField(models.CharField(max_length=63))
    published_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True)
    # derived from the coverage: operations that `*` would govern and another policy in force does
    displaced = ArrayField(models.CharField(max_length=63), default=list, db_default=[])

    class Meta:
        constraints = [
            models.UniqueConstraint(name="approvals_policy_version_once", fields=["tenant_id", "name", "version"]),
            models.UniqueConstraint(
                name="approvals_one_policy_in_force", fields=["tenant_id", "name"], condition=Q(superseded_at=None)
            ),
        ]
        indexes = [
            models.Index(
                name="approvals_policy_not_whole",
                fields=["id"],
                condition=Q(superseded_at__isnull=False) | ~Q(displaced=[]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class Coverage(models.Model):
    """Which policy governs an operation: exactly one, and `*` stands for every operation that no other governs."""

    id = models.BigAutoField(primary_key=True)
    tenant_id = models.UUIDField()
    operation = models.CharField(max_length=63)
    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="coverage")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="approvals_one_policy_an_operation", fields=["tenant_id", "operation"])
        ]

    def __str__(self) -> str:
        return f"{self.operation} by {self.policy_id}"


class Request(Chained):
    """A question to people: may exactly this be done? What they approve is `subject_digest` and nothing else."""

    recorded: ClassVar[tuple[str, ...]] = (
        "subject", "subject_digest", "operation", "summary", "target", "arguments", "shown", "reason", "tier", "irreversible",
        "agent_id", "owner_id", "policy_id", "rule", "groups", "quorum", "state", "closing_reason", "decide_by", "use_within_seconds",
        "use_by", "created_at", "decided_at", "consumed_at", "erased_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    subject = models.UUIDField()
    subject_digest = Digest()
    operation = models.CharField(max_length=63)
    summary = models.TextField()
    target = models.TextField()
    arguments = models.TextField()
    shown = models.TextField()
    reason = models.TextField(db_default="")
    tier = models.CharField(max_length=10)
    irreversible = models.BooleanField()
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="requests")
    owner = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="requests_of_own_agents")
    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="requests")
    rule = models.CharField(max_length=63)
    groups = ArrayField(models.CharField(max_length=63))
    quorum = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=20)
    closing_reason = models.TextField(db_default="")
    decide_by = models.DateTimeField()
    use_within_seconds = models.PositiveIntegerField()
    use_by = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    consumed_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    # operational: null until whoever owns the subject has taken the news
    heard_at = models.DateTimeField(null=True)
    # operational: the trace in which it was asked, to which the decision's is linked
    traceparent = models.CharField(max_length=55, default="", db_default="")

    class Meta:
        constraints = [
            models.CheckConstraint(name="approvals_request_state_known", condition=Q(state__in=STATES)),
            models.UniqueConstraint(
                name="approvals_one_open_request_a_subject",
                fields=["subject"],
                condition=Q(state__in=[PENDING, "approved", "consumed"]),
            ),
            models.CheckConstraint(name="approvals_quorum_from_one", condition=Q(quorum__gte=1)),
            models.CheckConstraint(
                name="approvals_decided_has_a_time",
                condition=~Q(state__in=sorted(CLOSED | {APPROVED})) | Q(decided_at__isnull=False),
            ),
            models.CheckConstraint(
                name="approvals_use_by_once_approved",
                condition=Q(state__in=["approved", "consumed", "lapsed"], use_by__isnull=False)
                | ~Q(state__in=["approved", "consumed", "lapsed"]),
            ),
        ]
        indexes = [
            models.Index(
                name="approvals_pending_by_deadline",
                fields=["tenant_id", "decide_by", "id"],
                condition=Q(state=PENDING),
            ),
            models.Index(
                name="approvals_decided_by_time",
                fields=["tenant_id", "-decided_at", "-id"],
                condition=~Q(state=PENDING),
            ),
            models.Index(
                name="approvals_decided_by_state",
                fields=["tenant_id", "state", "-decided_at", "-id"],
                condition=~Q(state=PENDING),
            ),
            models.Index(name="approvals_due_decide_by", fields=["decide_by"], condition=Q(state=PENDING)),
            models.Index(name="approvals_due_use_by", fields=["use_by"], condition=Q(state="approved")),
            models.Index(name="approvals_news", fields=["decided_at"], condition=Q(heard_at=None) & ~Q(state=PENDING)),
            models.Index(name="approvals_request_by_subject", fields=["subject"]),
        ]

    def __str__(self) -> str:
        return self.summary


class Decision(models.Model):
    """One member's word on one request; a second word of the same member is refused."""

    recorded: ClassVar[tuple[str, ...]] = ("request_id", "member_id", "verdict", "reason", "shown_digest", "via", "at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="decisions")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="decisions")
    verdict = models.CharField(max_length=10)
    reason = models.TextField(db_default="")
    shown_digest = Digest()
    via = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="approvals_one_word_a_member", fields=["request", "member"]),
            models.CheckConstraint(name="approvals_verdict_known", condition=Q(verdict__in=["approve", "deny"])),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.member_id}"
