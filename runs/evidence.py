"""What is kept of an exchange as evidence: enough to judge it by later, bounded, in canonical form, without our secrets."""

import json
from collections.abc import Sequence
from typing import Any, Final

from runs.sending import Sending, plain

KEPT_BODY_BYTES: Final = 2048
KEPT_HEADER_CHARACTERS: Final = 256
KEPT_HEADERS: Final = (
    "content-length", "content-type", "date", "etag", "idempotent-replayed", "location", "request-id", "retry-after",
    "server", "x-request-id",
)  # fmt: skip
# For texts and small whole numbers under ASCII names this writes exactly the canonical form, and in C.
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def evidence(sending: Sending, error: Exception | None, secrets: Sequence[str] = ()) -> str:
    """Write down status, chosen headers, the body's beginning and length, and the error's name, as canonical JSON."""
    kept: dict[str, Any] = {"status": sending.status, "sent": sending.sent}
    if sending.status is not None:
        headers, received = sending.headers, sending.received
        kept["headers"] = {
            name: blotted(headers[name], secrets)[:KEPT_HEADER_CHARACTERS] for name in KEPT_HEADERS if name in headers
        }
        kept["body"] = _beginning(received, secrets)
        kept["body_bytes"] = len(received)
    if error is not None:
        kept["error"] = type(error).__name__
    return _canonical(kept)


def blotted(text: str, secrets: Sequence[str]) -> str:
    """Blot our secrets out of what the other side said, in case it repeats them."""
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, "[secret]")
    return text


def _beginning(received: bytearray, secrets: Sequence[str]) -> str:
    most = KEPT_BODY_BYTES + max(map(len, secrets), default=0)  # so that none is cut in two before it is found
    text = received[:most].decode("utf-8", "replace").replace("\0", "\ufffd")
    return blotted(text, secrets)[:KEPT_BODY_BYTES]


def said(error: Exception) -> str:
    """Give an error's name and words, bounded."""
    return plain(f"{type(error).__name__}: {error}"[:300])
