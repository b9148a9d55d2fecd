"""Released over the heads of the approvers: by whom, why, for how long, and what others said of it afterwards."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from console.identity.models import Member


class BreakGlass(models.Model):
    """One breaking of the glass, for one request. It is no vote; somebody else reviews it when it is over."""

    recorded: ClassVar[tuple[str, ...]] = (
        "request_id", "member_id", "target", "reason", "opened_at", "ends_at", "ended_at", "reviewed_by_id", "reviewed_at", "review",
        "justified",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, editable=False)
    tenant_id = models.UUIDField()
    request = models.ForeignKey("Request", on_delete=models.PROTECT, db_index=False, related_name="+")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    target = models.TextField()  # as they typed it
    reason = models.TextField()
    opened_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    reviewed_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    review = models.TextField(default="", db_default="")
    justified = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="approvals_glass_broken_once", fields=["request"]),
            models.CheckConstraint(name="approvals_glass_has_a_time_box", condition=Q(ends_at__gt=F("opened_at"))),
            models.CheckConstraint(
                name="approvals_glass_reviewed_by_another", condition=Q(reviewed_by=None) | ~Q(reviewed_by=F("member"))
            ),
            models.CheckConstraint(
                name="approvals_glass_review_is_whole",
                condition=Q(reviewed_by=None, reviewed_at=None, justified=None)
                | Q(reviewed_by__isnull=False, reviewed_at__isnull=False, justified__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="approvals_glass_broken_now", fields=["ends_at"], condition=Q(ended_at=None)),
            models.Index(
                name="approvals_glass_to_review", fields=["tenant_id", "opened_at", "id"], condition=Q(reviewed_at=None)
            ),
            models.Index(name="approvals_glass_newest", fields=["tenant_id", "-opened_at", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.request_id} by {self.member_id}"
