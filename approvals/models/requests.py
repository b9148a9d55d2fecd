"""A request: the question to people, its clocks, and what became of it."""

from typing import ClassVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from approvals.models.policies import Policy
from approvals.states import APPROVED, CLOSED, PENDING, STATES
from console.fields import Digest
from console.identity.models import Agent, Member
from console.ledger.models import Chained


class Request(Chained):
    """A question to people: may exactly this be done? What they approve is `subject_digest` and nothing else."""

    recorded: ClassVar[tuple[str, ...]] = (
        "subject", "subject_digest", "operation", "summary", "target", "arguments", "shown", "reason", "tier", "irreversible",
        "agent_id", "owner_id", "policy_id", "rule", "groups", "quorum", "state", "closing_reason", "decide_by", "use_within_seconds",
        "use_by", "created_at", "decided_at", "consumed_at", "erased_at", "panels", "deadline_at", "extensions", "escalated_at",
        "finish_within_seconds", "finish_then", "finish_by", "overran_at", "narrowing", "to_fit", "revises_id", "target_version",
        "target_state", "target_read_at", "break_glass_id", "read_within_seconds", "alone", "key", "outcome", "outcome_detail",
        "outcome_at", "asker_id",
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
    # the member who had it asked, where it was not the agent: what makes good for something is asked for by people too
    asker = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
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
    # who must approve, where more than one panel is asked: [{groups, roles, quorum}], canonical; "": one panel of `groups` and `quorum`.
    # `groups` names the groups of all panels and `quorum` adds theirs up.
    panels = models.TextField(default="", db_default="")
    deadline_at = models.DateTimeField(null=True)  # it would not be done any more: nobody is asked for longer
    extensions = models.PositiveSmallIntegerField(default=0, db_default=0)
    escalated_at = models.DateTimeField(null=True)
    # what begins under it has to end in this time, counted from its first use; then `finish_then` follows
    finish_within_seconds = models.PositiveIntegerField(null=True)
    finish_then = models.CharField(max_length=15, default="", db_default="")
    finish_by = models.DateTimeField(null=True)
    overran_at = models.DateTimeField(null=True)  # when it was found to be running still, and what then follows began
    # what approvers tightened, a condition over {arguments}, canonical; "": nothing
    narrowing = models.TextField(default="", db_default="")
    # approved for less than was asked: it covers nothing until something is proposed instead that fits the narrowing, once
    to_fit = models.BooleanField(default=False, db_default=False)
    # the request before in its chain of revisions
    revises = models.ForeignKey("self", null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    # what the contract's reader last said of the target: its version, and its state as canonical text; "": nothing was read
    target_version = models.CharField(max_length=200, default="", db_default="")
    target_state = models.TextField(default="", db_default="")
    target_read_at = models.DateTimeField(null=True)
    # how old that may be when it is decided and when it is used; null: the target has no reader
    read_within_seconds = models.PositiveIntegerField(null=True)
    # released over the heads of its approvers
    break_glass = models.ForeignKey("BreakGlass", null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    # asked by an agent that does it by itself: `subject` is no effect, `key` is the agent's own, and it reports what became of it
    alone = models.BooleanField(default=False, db_default=False)
    key = models.CharField(max_length=255, default="", db_default="")
    outcome = models.CharField(max_length=20, default="", db_default="")
    outcome_detail = models.TextField(default="", db_default="")
    outcome_at = models.DateTimeField(null=True)
    # operational: when the target is to be read again, when people are to be reminded, when others are to be asked too, and when what was
    # begun is to be over
    read_due_at = models.DateTimeField(null=True)
    # operational: until when a worker has it in hand to read the target, how often that failed in a row, and how the last time
    reading_until = models.DateTimeField(null=True)
    reads_failed = models.PositiveSmallIntegerField(default=0, db_default=0)
    read_fault = models.TextField(default="", db_default="")
    remind_at = models.DateTimeField(null=True)
    reminders = models.PositiveSmallIntegerField(default=0, db_default=0)
    escalate_at = models.DateTimeField(null=True)
    finish_due_at = models.DateTimeField(null=True)
    # operational: what whoever approved it was last told became of it; `before`: it was asked under a version that told nobody
    outcome_told = models.CharField(max_length=20, default="", db_default="")
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
            models.UniqueConstraint(
                name="approvals_one_request_a_key", fields=["agent", "key"], condition=Q(alone=True)
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
                name="approvals_pending_by_tier",
                fields=["tenant_id", "tier", "decide_by", "id"],
                condition=Q(state=PENDING),
            ),
            models.Index(
                name="approvals_pending_by_age", fields=["tenant_id", "created_at", "id"], condition=Q(state=PENDING)
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
            models.Index(
                name="approvals_outcome_to_tell",
                fields=["decided_at"],
                condition=Q(
                    state__in=["consumed", "revoked"], consumed_at__isnull=False, outcome_told__in=["", "unknown"]
                )
                | Q(state="lapsed", outcome_told=""),
            ),
            models.Index(name="approvals_to_read", fields=["read_due_at"], condition=Q(read_due_at__isnull=False)),
            models.Index(
                name="approvals_being_read", fields=["reading_until"], condition=Q(reading_until__isnull=False)
            ),
            models.Index(name="approvals_to_remind", fields=["remind_at"], condition=Q(remind_at__isnull=False)),
            models.Index(name="approvals_to_escalate", fields=["escalate_at"], condition=Q(escalate_at__isnull=False)),
            models.Index(
                name="approvals_to_finish", fields=["finish_due_at"], condition=Q(finish_due_at__isnull=False)
            ),
            models.Index(
                name="approvals_unreported",
                fields=["finish_by"],
                condition=Q(alone=True, outcome="", finish_by__isnull=False),
            ),
            models.Index(
                name="approvals_alone_kept",
                fields=["tenant_id", "decided_at"],
                condition=Q(alone=True, erased_at=None) & ~Q(state__in=[PENDING, "approved"]),
            ),
            models.Index(name="approvals_revised_by", fields=["revises"], condition=Q(revises__isnull=False)),
            models.Index(name="approvals_on_policy", fields=["policy"], condition=Q(state__in=[PENDING, "approved"])),
        ]

    def __str__(self) -> str:
        return self.summary

    @property
    def apart(self) -> frozenset[UUID]:
        """Who does not decide it, nor in whose place: whoever answers for the agent, and the member who had it asked (APR-07)."""
        return frozenset(each for each in (self.owner_id, self.asker_id) if each is not None)
