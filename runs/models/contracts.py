"""Contracts as applied: a name, a version, a document and its digest; immutable."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from runs.contracts.executors import EXECUTORS


class Contract(models.Model):
    """What the kinds of contract share. `retired_at` is set when a later version is applied; the row itself never changes."""

    recorded: ClassVar[tuple[str, ...]] = ("name", "version", "document", "digest", "applied_at", "retired_at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    name = models.CharField(max_length=63)
    version = models.PositiveIntegerField()
    document = models.TextField()
    digest = Digest()
    applied_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_version_once", fields=["tenant_id", "name", "version"]
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_one_current", fields=["tenant_id", "name"], condition=Q(retired_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class Dependency(Contract):
    """Something outside that operations call; `concurrency` caps the attempts in flight over all its versions' operations."""

    recorded = (*Contract.recorded, "concurrency")

    concurrency = models.PositiveIntegerField()


class OperationContract(Contract):
    """The recovery contract of one operation. An effect keeps the version that it was accepted under."""

    recorded = (
        *Contract.recorded,
        "access",
        "dependency_name",
        "executor",
        "marks_before_send",
        "attempts_allowed",
        "can_be_asked",
        "groups",
        "argument_names",
    )

    access = models.CharField(max_length=5)
    dependency_name = models.CharField(max_length=63, db_default="")
    executor = models.CharField(max_length=10)
    marks_before_send = models.BooleanField(db_default=False)
    attempts_allowed = models.PositiveIntegerField(db_default=1)
    can_be_asked = models.BooleanField(db_default=False)
    groups = ArrayField(models.CharField(max_length=63), default=list, db_default=[])  # who may do it, if people do
    # as the document names them: its canonical form, which is what is kept, has forgotten their order
    argument_names = ArrayField(models.TextField(), default=list, db_default=[])

    class Meta(Contract.Meta):
        constraints = [
            *Contract.Meta.constraints,
            models.CheckConstraint(name="runs_operation_access_known", condition=Q(access__in=["read", "write"])),
            models.CheckConstraint(name="runs_operation_executor_known", condition=Q(executor__in=EXECUTORS)),
        ]


class RunTypeContract(Contract):
    """The resume contract of one type of run."""
