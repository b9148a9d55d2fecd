"""The Idempotency-Key of a request, and the memory of what was answered to it."""

import hashlib
import re
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from uuid_utils.compat import uuid7

from console.http.models import IdempotencyRecord
from console.http.refusals import BadRequest, KeyExpired, KeyReused, MissingKey

LONGEST = 255
KEPT = timedelta(days=30)
BURIED = 410  # the status of a stone: what is left of a receipt, so that its key is never taken as new
REPLAYED = "Idempotent-Replayed"  # the header of an answer to a key that had been used before
VISIBLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\Z")


class BadKey(BadRequest):
    """An Idempotency-Key is 1 to 255 printable ASCII characters and neither begins nor ends with a space."""

    code = "bad_key"


def checked(key: str | None) -> str:
    """Give the key as it may be used. Raises MissingKey, BadKey."""
    if key is None or not key.strip():
        raise MissingKey
    if len(key) > LONGEST or not VISIBLE.match(key):
        raise BadKey(length=len(key))
    return key


def take(
    tenant_id: UUID, principal: str, key: str, digest: bytes, now: datetime, subject: UUID | None = None
) -> tuple[IdempotencyRecord, bool]:
    """Take the key for this request, inside its transaction; gives the record and whether it is new.

    Of two requests at once the second waits here until the first has committed. Raises KeyReused, KeyExpired."""
    mine = IdempotencyRecord(
        id=uuid7(), tenant_id=tenant_id, principal=principal, key=key, request_digest=digest, status=0, body="",
        subject=subject, created_at=now, expires_at=now + KEPT,
    )  # fmt: skip
    IdempotencyRecord.objects.bulk_create([mine], ignore_conflicts=True)
    found = IdempotencyRecord.objects.filter(tenant_id=tenant_id, principal=principal, key__in=[key, buried(key)])
    standing = sorted(found, key=lambda record: record.status != BURIED)
    kept = standing[0]  # a stone says that the key was used, whatever stands beside it
    if kept.pk == mine.pk:
        return kept, True
    if kept.status == BURIED or kept.expires_at <= now:
        raise KeyExpired(key=key)
    if kept.request_digest != digest:
        raise KeyReused(key=key)
    return kept, False


def buried(key: str) -> str:
    """Give what stands for an expired key: its digest, behind a space, which no key begins with."""
    return f" {hashlib.sha256(key.encode()).hexdigest()}"


def expired(tenant_id: UUID, before: datetime) -> "QuerySet[IdempotencyRecord]":
    """Give the receipts whose time was over at an instant, and that are not buried."""
    return IdempotencyRecord.objects.filter(tenant_id=tenant_id, expires_at__lte=before).exclude(status=BURIED)


def bury(tenant_id: UUID, before: datetime, limit: int) -> int:
    """Put a stone in the place of expired receipts, at most so many; gives how many. What others have in hand is left to them."""
    due = expired(tenant_id, before).order_by("expires_at").select_for_update(skip_locked=True)
    return _bury(list(due[:limit]))


def bury_about(tenant_id: UUID, subjects: list[UUID]) -> int:
    """Put a stone in the place of every receipt about these, good or not: what they were about is erased. Gives how many."""
    told = IdempotencyRecord.objects.filter(tenant_id=tenant_id, subject__in=subjects).exclude(status=BURIED)
    return _bury(list(told.order_by("pk").select_for_update()))


def _bury(gone: list[IdempotencyRecord]) -> int:
    for record in gone:
        record.key, record.body, record.request_digest, record.status = buried(record.key), "", b"", BURIED
    IdempotencyRecord.objects.bulk_update(gone, ["key", "body", "request_digest", "status"], batch_size=200)
    return len(gone)


def answer(record: IdempotencyRecord, body: str) -> None:
    """Remember what was answered, in the same transaction."""
    IdempotencyRecord.objects.filter(pk=record.pk).update(status=200, body=body)
