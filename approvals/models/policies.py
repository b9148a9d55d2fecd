"""Versions of policies, and which of them governs which operation."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest


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
    # operational: how many open requests stood on the version before when this one came in force; they are judged again one after the other
    standing_before = models.PositiveIntegerField(default=0, db_default=0)
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
