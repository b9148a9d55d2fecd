"""What is kept of an exchange as evidence: enough to judge it by later, bounded, in canonical form."""

from typing import Final

from console.exact import Value, canonical
from runs.exchange import Exchange

KEPT_BODY_BYTES: Final = 2048
KEPT_HEADER_CHARACTERS: Final = 256
KEPT_HEADERS: Final = (
    "content-length", "content-type", "date", "etag", "idempotent-replayed", "location", "request-id", "retry-after",
    "server", "x-request-id",
)  # fmt: skip


def evidence(exchange: Exchange, error: Exception | None) -> str:
    """Write down status, chosen headers, the body's beginning and length, and the error's name, as canonical JSON."""
    kept: dict[str, Value] = {"status": exchange.status, "sent": exchange.sent}
    headers = exchange.headers
    if headers is not None:
        kept["headers"] = {
            name: _plain(headers[name][:KEPT_HEADER_CHARACTERS]) for name in KEPT_HEADERS if name in headers
        }
        kept["body"] = _plain(exchange.received[:KEPT_BODY_BYTES].decode("utf-8", "replace"))
        kept["body_bytes"] = len(exchange.received)
    if error is not None:
        kept["error"] = type(error).__name__
    return canonical(kept)


def said(error: Exception) -> str:
    """Give an error's name and words, bounded."""
    return _plain(f"{type(error).__name__}: {error}"[:300])


def _plain(text: str) -> str:
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
