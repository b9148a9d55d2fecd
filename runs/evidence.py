"""What is kept of an exchange as evidence: enough to judge it by later, bounded, in canonical form."""

import json
from typing import Any, Final

from runs.exchange import Exchange, plain

KEPT_BODY_BYTES: Final = 2048
KEPT_HEADER_CHARACTERS: Final = 256
KEPT_HEADERS: Final = (
    "content-length", "content-type", "date", "etag", "idempotent-replayed", "location", "request-id", "retry-after",
    "server", "x-request-id",
)  # fmt: skip
# For texts and small whole numbers under ASCII names this writes exactly the canonical form, and in C.
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def evidence(exchange: Exchange, error: Exception | None) -> str:
    """Write down status, chosen headers, the body's beginning and length, and the error's name, as canonical JSON."""
    kept: dict[str, Any] = {"status": exchange.status, "sent": exchange.sent}
    if exchange.status is not None:
        headers, received = exchange.headers, exchange.received
        kept["headers"] = {name: headers[name][:KEPT_HEADER_CHARACTERS] for name in KEPT_HEADERS if name in headers}
        kept["body"] = received[:KEPT_BODY_BYTES].decode("utf-8", "replace").replace("\0", "\ufffd")
        kept["body_bytes"] = len(received)
    if error is not None:
        kept["error"] = type(error).__name__
    return _canonical(kept)


def said(error: Exception) -> str:
    """Give an error's name and words, bounded."""
    return plain(f"{type(error).__name__}: {error}"[:300])
