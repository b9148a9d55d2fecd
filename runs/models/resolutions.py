"""What people found out about an effect that nothing else could tell: an exit, its evidence, and a second person's word where needed."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from uuid_utils.compat import uuid7

from console.fields import Digest
from console.identity.models import Member
from runs.models.effects import Effect
from runs.models.runs import Run
from runs.states import RESOLUTION_EXITS, RESOLUTION_PROPOSED, RESOLUTION_STATES


class Resolution(models.Model):
    """One person's finding about one effect, never changed; `state` says whether it stands, and `decided_*` who else said so."""

    recorded: ClassVar[tuple[str, ...]] = (
        "effect_id", "run_id", "number", "exit", "then", "evidence", "link", "reason", "result", "reference",
        "look_again_at", "extra_attempts", "to_group", "needs_second", "state",
        "proposed_by_id", "proposed_at", "decided_by_id", "decided_at", "decided_reason",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="+")
    effect = models.ForeignKey(Effect, on_delete=models.PROTECT, db_index=False, related_name="resolutions")
    number = models.PositiveIntegerField()
    exit = models.CharField(max_length=20)
    then = models.CharField(max_length=10, db_default="")  # of what did not happen: retry or give_up
    evidence = models.TextField()
    link = models.TextField(db_default="")
    reason = models.TextField(db_default="")  # why more attempts are granted, or why it is handed over
    result = models.TextField(null=True)  # canonical JSON, of what happened
    reference = models.TextField(db_default="")  # the other side's own name for what happened
    look_again_at = models.DateTimeField(null=True)
    extra_attempts = models.PositiveSmallIntegerField(db_default=0)
    to_group = models.CharField(max_length=63, db_default="")  # whom it is handed to; "": the contract's escalation
    needs_second = models.BooleanField()
    state = models.CharField(max_length=10)
    proposed_by = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decided_reason = models.TextField(db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="runs_resolution_number_once", fields=["effect", "number"]),
            models.UniqueConstraint(
                name="runs_one_open_resolution", fields=["effect"], condition=Q(state=RESOLUTION_PROPOSED)
            ),
            models.CheckConstraint(name="runs_resolution_exit_known", condition=Q(exit__in=RESOLUTION_EXITS)),
            models.CheckConstraint(name="runs_resolution_state_known", condition=Q(state__in=RESOLUTION_STATES)),
            models.CheckConstraint(
                name="runs_resolution_by_two",
                condition=Q(decided_by=None) | ~Q(decided_by=F("proposed_by")) | Q(state="withdrawn"),
            ),
            models.CheckConstraint(
                name="runs_resolution_second_said_so",
                condition=~Q(needs_second=True, state="in_force") | Q(decided_by__isnull=False),
            ),
            models.CheckConstraint(name="runs_resolution_has_evidence", condition=~Q(evidence="")),
        ]
        indexes = [
            models.Index(
                name="runs_resolution_open",
                fields=["tenant_id", "proposed_at", "id"],
                condition=Q(state=RESOLUTION_PROPOSED),
            ),
            models.Index(name="runs_resolution_by_run", fields=["run"]),
        ]

    def __str__(self) -> str:
        return f"{self.exit} about {self.effect_id}"


class EvidenceFile(models.Model):
    """A file that a person put beside a finding. It is kept with the record, because evidence elsewhere can go away or change."""

    recorded: ClassVar[tuple[str, ...]] = (
        "effect_id", "run_id", "resolution_id", "name", "media_type", "size", "digest", "uploaded_by_id", "uploaded_at",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, db_index=False, related_name="+")
    effect = models.ForeignKey(Effect, on_delete=models.PROTECT, db_index=False, related_name="+")
    resolution = models.ForeignKey(Resolution, on_delete=models.PROTECT, db_index=True, related_name="files")
    name = models.CharField(max_length=255)
    media_type = models.CharField(max_length=127)
    size = models.PositiveIntegerField()
    digest = Digest()
    content = models.BinaryField(null=True)  # null once the run's contents were erased
    uploaded_by = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    uploaded_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(name="runs_evidencefile_by_run", fields=["run"])]

    def __str__(self) -> str:
        return self.name
