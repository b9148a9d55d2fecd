"""The append-only record: one chain per stream. The hash covers the payload's digest, so a payload can be erased and the chain holds."""

from django.db import models
from django.db.models import Q

from console.fields import Digest


class Chained(models.Model):
    """A row that a move locks anyway, and that therefore carries the head of its stream."""

    ledger_seq = models.BigIntegerField(db_default=0, editable=False)
    ledger_hash = Digest(db_default=b"", editable=False)

    class Meta:
        abstract = True

    def stream(self) -> str:
        """Give the name of this row's stream, `noun:id`."""
        return f"{self._meta.model_name}:{self.pk}"


class Entry(models.Model):
    """One accepted change."""

    id = models.BigAutoField(primary_key=True)
    tenant_id = models.UUIDField()
    stream = models.TextField()
    seq = models.BigIntegerField()
    format = models.SmallIntegerField(db_default=1)
    kind = models.TextField()
    at = models.DateTimeField()
    actor = models.TextField()
    payload_digest = Digest()
    prev_hash = Digest()
    hash = Digest()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="ledger_one_entry_a_place", fields=["stream", "seq"]),
            models.CheckConstraint(name="ledger_seq_from_one", condition=Q(seq__gte=1)),
            models.CheckConstraint(
                name="ledger_words_hold_no_line_break",
                condition=~Q(stream__contains="\n") & ~Q(kind__contains="\n") & ~Q(actor__contains="\n"),
            ),
        ]
        indexes = [
            models.Index(name="ledger_entry_by_tenant", fields=["tenant_id", "-at", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.stream}#{self.seq} {self.kind}"


class Payload(models.Model):
    """What an entry says, as the very text whose digest the entry carries; null once erased."""

    entry = models.OneToOneField(Entry, primary_key=True, on_delete=models.PROTECT, related_name="payload")
    tenant_id = models.UUIDField()
    body = models.TextField(null=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="ledger_payload_or_when_erased",
                condition=Q(body__isnull=False, erased_at=None) | Q(body=None, erased_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"payload of {self.entry_id}"


class Refusal(models.Model):
    """A change that was asked for and refused, written after its transaction was rolled back; no part of any chain."""

    id = models.BigAutoField(primary_key=True)
    tenant_id = models.UUIDField()
    at = models.DateTimeField()
    actor = models.TextField()
    verb = models.TextField()
    subject = models.TextField()
    type = models.TextField()
    detail = models.TextField()

    class Meta:
        indexes = [
            models.Index(name="ledger_refusal_by_tenant", fields=["tenant_id", "-at", "-id"]),
            models.Index(name="ledger_refusal_by_subject", fields=["subject", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}: {self.type}"


class Incarnation(models.Model):
    """Which life of this database this is; a restore raises it, so that fences already sent out are never issued again."""

    id = models.SmallIntegerField(primary_key=True, db_default=1)
    number = models.BigIntegerField(db_default=0)

    class Meta:
        constraints = [models.CheckConstraint(name="ledger_one_incarnation", condition=Q(id=1))]

    def __str__(self) -> str:
        return str(self.number)


class Tally(models.Model):
    """How often something happened, over all processes; no part of the record."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=80)
    labels = models.TextField()
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(name="ledger_one_tally_a_name", fields=["name", "labels"])]

    def __str__(self) -> str:
        return f"{self.name} {self.labels}"


class Beat(models.Model):
    """When a process that nobody calls (the clock) last did its work."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
