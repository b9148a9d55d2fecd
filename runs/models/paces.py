"""How fast a dependency may be asked and retried: operational rows beside the contracts, which never change."""

from django.db import models
from uuid_utils.compat import uuid7

from runs.states import PACES


class Pace(models.Model):
    """A token bucket: `tokens` as of `at`; what a contract allows refills it. Losing it costs nothing but a moment of caution.

    A `breaker` has no tokens while calls are held back."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    dependency_name = models.CharField(max_length=63)
    purpose = models.CharField(max_length=10)
    tokens = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_one_pace", fields=["tenant_id", "dependency_name", "purpose"]),
            models.CheckConstraint(name="runs_pace_purpose_known", condition=models.Q(purpose__in=PACES)),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} of {self.dependency_name}"
