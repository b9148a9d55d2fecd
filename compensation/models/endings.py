"""What people say ends a work item: that it was done otherwise, with evidence, or that it is waived, with authority."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from uuid_utils.compat import uuid7

from compensation.models.items import WorkItem
from compensation.models.plans import Plan
from compensation.states import ENDING_STATES, ENDINGS, PROPOSED
from console.fields import Digest
from console.identity.models import Member


class Ending(models.Model):
    """One person's word about one item, never changed; `state` says whether it stands, and `decided_*` who else said so."""

    recorded: ClassVar[tuple[str, ...]] = (
        "plan_id", "item_id", "number", "ending", "evidence", "link", "reason", "authority", "left", "needs_second", "state",
        "proposed_by_id", "proposed_at", "decided_by_id", "decided_at", "decided_reason",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, db_index=False, related_name="+")
    item = models.ForeignKey(WorkItem, on_delete=models.PROTECT, db_index=False, related_name="endings")
    number = models.PositiveIntegerField()
    ending = models.CharField(max_length=10)
    evidence = models.TextField(default="", db_default="")
    link = models.TextField(default="", db_default="")
    reason = models.TextField(default="", db_default="")
    authority = models.TextField(default="", db_default="")  # by what somebody may waive it
    left = models.TextField(default="", db_default="")  # what remains, canonical: a list of texts
    needs_second = models.BooleanField()
    state = models.CharField(max_length=10)
    proposed_by = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decided_reason = models.TextField(default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="compensation_ending_number_once", fields=["item", "number"]),
            models.UniqueConstraint(name="compensation_one_open_ending", fields=["item"], condition=Q(state=PROPOSED)),
            models.CheckConstraint(name="compensation_ending_known", condition=Q(ending__in=ENDINGS)),
            models.CheckConstraint(name="compensation_ending_state_known", condition=Q(state__in=ENDING_STATES)),
            models.CheckConstraint(
                name="compensation_ending_by_two",
                condition=Q(decided_by=None) | ~Q(decided_by=F("proposed_by")) | Q(state="withdrawn"),
            ),
            models.CheckConstraint(
                name="compensation_ending_second_said_so",
                condition=~Q(needs_second=True, state="in_force") | Q(decided_by__isnull=False),
            ),
            models.CheckConstraint(
                name="compensation_ending_has_grounds",
                condition=(Q(ending="resolve") & ~Q(evidence=""))
                | (Q(ending="waive") & ~Q(reason="") & ~Q(authority="")),
            ),
        ]
        indexes = [models.Index(name="compensation_ending_by_plan", fields=["plan"])]

    def __str__(self) -> str:
        return f"{self.ending} {self.item_id}"


class EvidenceFile(models.Model):
    """A file that a person put beside a work item, kept with the record and served inert."""

    recorded: ClassVar[tuple[str, ...]] = (
        "plan_id", "item_id", "name", "media_type", "size", "digest", "uploaded_by_id", "uploaded_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, db_index=False, related_name="+")
    item = models.ForeignKey(WorkItem, on_delete=models.PROTECT, db_index=True, related_name="files")
    name = models.CharField(max_length=255)
    media_type = models.CharField(max_length=127)
    size = models.PositiveIntegerField()
    digest = Digest()
    content = models.BinaryField(null=True)  # null once the run's contents were erased
    uploaded_by = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    uploaded_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(name="compensation_evidence_by_plan", fields=["plan"])]

    def __str__(self) -> str:
        return self.name
