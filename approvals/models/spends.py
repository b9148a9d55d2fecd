"""What counts in the windows of policies: one row for each intent and sum."""

from django.db import models
from django.db.models import Q

from console.fields import Digest, Exact


class Spend(models.Model):
    """An intent's amount in one sum, from when it was judged last until it ends without being done, kept for as long as a window may
    reach back. Derived: no move is told by it."""

    id = models.BigAutoField(primary_key=True)
    tenant_id = models.UUIDField()
    subject = models.UUIDField()
    meter = Digest()
    amount = Exact()
    at = models.DateTimeField()
    returned_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="approvals_spent_once", fields=["subject", "meter"]),
            models.CheckConstraint(name="approvals_spent_not_below_zero", condition=Q(amount__gte=0)),
        ]
        indexes = [
            models.Index(
                name="approvals_spent_by_time",
                fields=["tenant_id", "meter", "at"],
                include=["amount", "subject"],
                condition=Q(returned_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} for {self.subject}"
