"""A message of Standard Webhooks: its three headers, and whether one of the secrets signed exactly this body at this time. Pure."""

import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self

from console.notices.signing import signature

__all__ = ["ID", "SIGNATURE", "TIMESTAMP", "Message", "signature"]
ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
TOLERANCE_SECONDS: Final = 300
LONGEST_ID: Final = 255
MOST_SIGNATURES: Final = 10
_VISIBLE = re.compile(r"[\x21-\x7e]+\Z")
_SECONDS = re.compile(r"[0-9]{1,12}\Z")


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it came, with what its headers say."""

    id: str
    signed_at: datetime
    signatures: tuple[str, ...]
    body: bytes

    @classmethod
    def read(cls, headers: Mapping[str, str], body: bytes) -> Self | None:
        """Read a message; None when a header is missing or is none of ours."""
        ident, stamp, signed = (headers.get(name, "") for name in (ID, TIMESTAMP, SIGNATURE))
        signatures = signed.split()
        if not _VISIBLE.match(ident) or len(ident) > LONGEST_ID or not _SECONDS.match(stamp) or not signatures:
            return None
        try:
            signed_at = datetime.fromtimestamp(int(stamp), UTC)
        except (OverflowError, ValueError):
            return None
        return cls(ident, signed_at, tuple(signatures[:MOST_SIGNATURES]), body)

    @property
    def stamp(self) -> int:
        """The time of its signature, in seconds since 1970, as it is signed."""
        return int(self.signed_at.timestamp())

    def is_fresh(self, now: datetime) -> bool:
        """Whether it was signed within five minutes of now, before or after."""
        return abs((now - self.signed_at).total_seconds()) <= TOLERANCE_SECONDS

    def is_signed_by(self, secrets: Iterable[str]) -> bool:
        """Whether one of its signatures is that of one of the secrets; each pair is compared in constant time."""
        made = [signature(secret, self.id, self.stamp, self.body) for secret in secrets]
        found = False
        for ours in made:
            for theirs in self.signatures:
                found |= hmac.compare_digest(ours.encode(), theirs.encode("utf-8", "replace"))
        return found
