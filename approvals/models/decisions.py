"""What people said of a request, and for whom they may say it."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from uuid_utils.compat import uuid7

from approvals.models.requests import Request
from console.fields import Digest
from console.identity.models import Member


class Delegation(models.Model):
    """A member lets another decide in their place: for a time, for some operations and groups, and no further than that one person."""

    recorded: ClassVar[tuple[str, ...]] = (
        "giver_id", "taker_id", "operations", "groups", "reason", "starts_at", "ends_at", "created_at", "revoked_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    giver = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    taker = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    operations = ArrayField(models.CharField(max_length=63), default=list, db_default=[])  # empty: all
    groups = ArrayField(
        models.CharField(max_length=63), default=list, db_default=[]
    )  # of the giver's; empty: all of them
    reason = models.TextField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="approvals_delegation_has_a_span", condition=Q(ends_at__gt=F("starts_at"))),
            models.CheckConstraint(name="approvals_delegated_to_another", condition=~Q(giver=F("taker"))),
        ]
        indexes = [
            models.Index(name="approvals_delegated_to", fields=["taker", "ends_at"], condition=Q(revoked_at=None)),
            models.Index(name="approvals_delegated_by", fields=["giver", "ends_at"], condition=Q(revoked_at=None)),
            models.Index(name="approvals_delegation_newest", fields=["tenant_id", "-created_at", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.giver_id} to {self.taker_id}"


class Decision(models.Model):
    """One member's word on one request; a second word of the same member is refused while the first stands.

    `voice` is whose word counts: the member's own, or that of who handed their decisions over (null in rows of 0.1.0: the member's)."""

    recorded: ClassVar[tuple[str, ...]] = (
        "request_id", "member_id", "verdict", "reason", "shown_digest", "via", "at", "voice_id", "delegation_id", "constraints",
        "alternative", "seen", "stepped_up_at", "withdrawn_at", "withdrawn_reason",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="decisions")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="decisions")
    verdict = models.CharField(max_length=10)
    reason = models.TextField(db_default="")
    shown_digest = Digest()
    via = models.CharField(max_length=20)
    at = models.DateTimeField()
    voice = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    delegation = models.ForeignKey(Delegation, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    # how the approver tightened it, a condition over {arguments}, canonical; "": not at all
    constraints = models.TextField(default="", db_default="")
    # what the denier would have said yes to: arguments, canonical; "": nothing was offered
    alternative = models.TextField(default="", db_default="")
    # what was on the card, as data: canonical text, from which it can be drawn again
    seen = models.TextField(default="", db_default="")
    stepped_up_at = models.DateTimeField(
        null=True
    )  # when they had last proven who they are, where the policy asks for that
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.TextField(default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="approvals_one_standing_word", fields=["request", "member"], condition=Q(withdrawn_at=None)
            ),
            models.UniqueConstraint(
                name="approvals_one_standing_voice", fields=["request", "voice"], condition=Q(withdrawn_at=None)
            ),
            models.CheckConstraint(name="approvals_verdict_known", condition=Q(verdict__in=["approve", "deny"])),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.member_id}"
