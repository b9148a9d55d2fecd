"""Standing approvals: bounded in every direction, and what was taken from them."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from approvals.states import ACTIVE, GRANT_ENDED, GRANT_STATES, PROPOSED_GRANT, RESERVED, RETURNED, USE_STATES
from console.identity.models import Agent, Member
from console.ledger.models import Chained


class Grant(Chained):
    """Stands in for approvals of one operation until it is used up, out of time or revoked. `uses_taken` and `amount_taken` count what is
    reserved and what is spent; what is proven not to have happened is given back."""

    recorded: ClassVar[tuple[str, ...]] = (
        "operation", "agent_id", "run_type", "target_pattern", "constraint", "uses_most", "amount_path", "amount_most", "rate_most",
        "rate_seconds", "starts_at", "ends_at", "owner_id", "groups", "purpose", "state", "ended_reason", "confirmed_by_id", "confirmed_at",
        "ended_by_id", "ended_at", "created_at", "uses_taken", "amount_taken", "erased_at", "owner_as", "owner_proved_at", "confirmed_as",
        "confirmed_proved_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    operation = models.CharField(max_length=63)
    agent = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")  # null: any
    run_type = models.CharField(max_length=63, default="", db_default="")  # "": any
    target_pattern = models.TextField()  # the target, or how it begins and then *
    constraint = models.TextField(default="", db_default="")  # a condition over {arguments}, canonical; "": none
    uses_most = models.PositiveIntegerField()
    amount_path = models.CharField(max_length=200, default="", db_default="")  # arguments.amount; "": no sum is kept
    amount_most = models.DecimalField(max_digits=38, decimal_places=6, null=True)
    rate_most = models.PositiveIntegerField(null=True)
    rate_seconds = models.PositiveIntegerField(null=True)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    owner = models.ForeignKey(
        Member, on_delete=models.PROTECT, db_index=False, related_name="+"
    )  # who proposed it, and answers for it
    groups = ArrayField(
        models.CharField(max_length=63), default=list, db_default=[]
    )  # whose approvals it stands in for
    purpose = models.TextField()
    state = models.CharField(max_length=10)
    ended_reason = models.TextField(default="", db_default="")
    confirmed_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    ended_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    uses_taken = models.PositiveIntegerField(default=0, db_default=0)
    amount_taken = models.DecimalField(max_digits=38, decimal_places=6, default=0, db_default=0)
    erased_at = models.DateTimeField(null=True)
    # with which of the asked groups, and which roles ("role:approver"), each of the two spoke, and when they had proved who they are: their
    # words stand while they still have them
    owner_as = ArrayField(models.CharField(max_length=70), default=list, db_default=[])
    owner_proved_at = models.DateTimeField(null=True)
    confirmed_as = ArrayField(models.CharField(max_length=70), default=list, db_default=[])
    confirmed_proved_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)  # operational

    class Meta:
        constraints = [
            models.CheckConstraint(name="approvals_grant_state_known", condition=Q(state__in=GRANT_STATES)),
            models.CheckConstraint(
                name="approvals_grant_not_overdrawn", condition=Q(uses_taken__lte=models.F("uses_most"))
            ),
            models.CheckConstraint(
                name="approvals_grant_sum_not_overdrawn",
                condition=Q(amount_most=None) | Q(amount_taken__lte=models.F("amount_most")),
            ),
            models.CheckConstraint(
                name="approvals_grant_confirmed_by_another",
                condition=Q(confirmed_by=None) | ~Q(confirmed_by=models.F("owner")),
            ),
            models.CheckConstraint(
                name="approvals_grant_ended_has_a_time",
                condition=Q(state__in=[PROPOSED_GRANT, ACTIVE], ended_at=None)
                | (Q(state__in=sorted(GRANT_ENDED)) & Q(ended_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(name="approvals_grant_in_force", fields=["tenant_id", "operation"], condition=Q(state=ACTIVE)),
            models.Index(name="approvals_grant_newest", fields=["tenant_id", "-created_at", "-id"]),
            models.Index(
                name="approvals_grant_due_end", fields=["ends_at"], condition=Q(state__in=[PROPOSED_GRANT, ACTIVE])
            ),
            models.Index(
                name="approvals_grant_used_up",
                fields=["ends_at"],
                condition=Q(state=ACTIVE, uses_taken=models.F("uses_most")),
            ),
        ]

    def __str__(self) -> str:
        return self.purpose


class GrantUse(models.Model):
    """One effect's share of a grant: reserved when it is dispatched, held while nobody knows, then spent or given back."""

    recorded: ClassVar[tuple[str, ...]] = ("grant_id", "subject", "amount", "state", "reserved_at", "ended_at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    grant = models.ForeignKey(Grant, on_delete=models.PROTECT, db_index=False, related_name="uses")
    subject = models.UUIDField()
    amount = models.DecimalField(max_digits=38, decimal_places=6, null=True)
    state = models.CharField(max_length=10)
    reserved_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="approvals_one_standing_use_a_subject", fields=["subject"], condition=~Q(state=RETURNED)
            ),
            models.CheckConstraint(name="approvals_use_state_known", condition=Q(state__in=USE_STATES)),
        ]
        indexes = [
            models.Index(name="approvals_use_by_time", fields=["grant", "-reserved_at", "-id"]),
            models.Index(name="approvals_use_open", fields=["reserved_at"], condition=Q(state=RESERVED)),
        ]

    def __str__(self) -> str:
        return f"{self.subject} of {self.grant_id}: {self.state}"
