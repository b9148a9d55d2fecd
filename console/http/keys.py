"""The Idempotency-Key of a request, and the memory of what was answered to it."""

import re
from datetime import datetime, timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from console.http.models import IdempotencyRecord
from console.http.refusals import BadRequest, KeyExpired, KeyReused, MissingKey

LONGEST = 255
KEPT = timedelta(days=30)
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


def take(tenant_id: UUID, principal: str, key: str, digest: bytes, now: datetime) -> tuple[IdempotencyRecord, bool]:
    """Take the key for this request, inside its transaction; gives the record and whether it is new.

    Of two requests at once the second waits here until the first has committed. Raises KeyReused, KeyExpired."""
    mine = IdempotencyRecord(
        id=uuid7(), tenant_id=tenant_id, principal=principal, key=key, request_digest=digest, status=0, body="",
        created_at=now, expires_at=now + KEPT,
    )  # fmt: skip
    IdempotencyRecord.objects.bulk_create([mine], ignore_conflicts=True)
    kept = IdempotencyRecord.objects.get(tenant_id=tenant_id, principal=principal, key=key)
    if kept.pk == mine.pk:
        return kept, True
    if kept.expires_at <= now:
        raise KeyExpired(key=key)
    if kept.request_digest != digest:
        raise KeyReused(key=key)
    return kept, False


def answer(record: IdempotencyRecord, body: str) -> None:
    """Remember what was answered, in the same transaction."""
    IdempotencyRecord.objects.filter(pk=record.pk).update(status=200, body=body)
