"""What was answered to a key, so that the same request again gets the same answer. Runs and effects carry their own keys."""

from django.db import models
from uuid_utils.compat import uuid7

from console.fields import Digest


class IdempotencyRecord(models.Model):
    """One principal's key for one request, written in the transaction of the change that it stands for; later a stone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    principal = models.TextField()
    key = models.CharField(max_length=255)
    request_digest = Digest()
    status = models.SmallIntegerField()
    body = models.TextField()
    # operational: the run, effect, attempt or request that it was about, by which erasing finds it
    subject = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="http_one_answer_a_key", fields=["tenant_id", "principal", "key"]),
        ]
        indexes = [
            models.Index(
                name="http_record_by_expiry", fields=["tenant_id", "expires_at"], condition=~models.Q(status=410)
            ),
            models.Index(name="http_record_by_subject", fields=["subject"], condition=models.Q(subject__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.principal} {self.key}"
