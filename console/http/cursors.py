"""Cursors: the place in a list, sealed, so that it is opaque and fits only the list, the filters and the tenant it was made for."""

import base64
import binascii
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.utils.crypto import salted_hmac

from console.http.refusals import BadRequest

SEAL = 12
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Place = tuple[datetime, UUID]


class BadCursor(BadRequest):
    """This cursor was not given out for this list; begin again without one."""

    code = "bad_cursor"


def seal(place: bytes, binding: Sequence[object]) -> str:
    """Give the cursor for a place in the list that `binding` (tenant, list, filters) names."""
    return base64.urlsafe_b64encode(_mark(place, binding) + place).decode().rstrip("=")


def unseal(text: str, binding: Sequence[object]) -> bytes:
    """Give the place that a cursor stands for. Raises BadCursor."""
    try:
        raw = base64.b64decode((text + "=" * (-len(text) % 4)).encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise BadCursor from None
    mark, place = raw[:SEAL], raw[SEAL:]
    if not hmac.compare_digest(mark, _mark(place, binding)) or seal(place, binding) != text:
        raise BadCursor
    return place


def of_time(at: datetime, row_id: UUID) -> bytes:
    """Write (time, id) as a place."""
    return ((at - _EPOCH) // timedelta(microseconds=1)).to_bytes(8, "big") + row_id.bytes


def time_of(place: bytes) -> Place:
    """Read (time, id) from a place."""
    return _EPOCH + timedelta(microseconds=int.from_bytes(place[:8], "big")), UUID(bytes=place[8:])


def of_number(number: int) -> bytes:
    """Write a number as a place."""
    return number.to_bytes(8, "big")


def number_of(place: bytes) -> int:
    """Read a number from a place."""
    return int.from_bytes(place, "big")


def _mark(place: bytes, binding: Sequence[object]) -> bytes:
    named = "\n".join(str(part) for part in binding).encode()
    return salted_hmac("console.http.cursors", named + b"\n" + place, algorithm="sha256").digest()[:SEAL]
