"""What one attempt sends and what it gets back: plain values, so that neither side of a call knows the other."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from console.clock import instant

# Ours to set: a contract may not speak for them, because they say how the message is framed or which effect this is.
RESERVED_HEADERS: Final = frozenset(
    {
        "connection", "content-length", "expect", "fencing-token", "idempotency-key", "keep-alive", "proxy-connection",
        "request-deadline", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
USER_AGENT: Final = "Counterfoil"
SHORTEST_SECRET: Final = 6  # what is shorter is too common a text to be looked for


@dataclass(slots=True)
class WireRequest:
    """One HTTP request, ready to send: every template filled in, every secret in place."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    timeout_seconds: float
    max_response_bytes: int = 65536
    secret_headers: frozenset[str] = frozenset()  # names of headers whose values may not be kept anywhere
    compensates: bool = False  # it makes good for something: tests may strike there

    def secrets(self) -> list[str]:
        """Give what must not be kept: the secret headers' values, and what follows a scheme such as Bearer."""
        if not self.secret_headers:
            return []
        hidden = {name.lower() for name in self.secret_headers}
        values = [value for name, value in self.headers.items() if name.lower() in hidden]
        return [part for value in values for part in (value, value.rpartition(" ")[2]) if len(part) >= SHORTEST_SECRET]


@dataclass(slots=True)
class Answer:
    """What became of one request: the typed outcome and the evidence for it."""

    outcome: str
    http_status: int | None
    sent: bool  # whether any byte of the request may have left this machine
    result: dict[str, object] | None
    reason: str | None
    operation_id: str | None
    retry_after_seconds: float | None
    evidence: str  # bounded canonical JSON: status, chosen headers, the body's beginning, the error's name
    elapsed_seconds: float


def stamped(
    headers: dict[str, str], *, key: str | None, fence: int | None = None, deadline: datetime | str | None = None
) -> dict[str, str]:
    """Put our identities (effect key, fence, absolute deadline) on a contract's headers; ours win."""
    said = {
        "User-Agent": USER_AGENT,
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
    }
    spelled = {name.lower(): name for name in said}
    for name, value in headers.items():
        low = name.lower()
        if low not in RESERVED_HEADERS:
            said[spelled.get(low, name)] = value
    if key is not None:
        said["Idempotency-Key"] = key
    if fence is not None:
        said["Fencing-Token"] = str(fence)
    if deadline is not None:
        said["Request-Deadline"] = deadline if isinstance(deadline, str) else str(instant(deadline))
    return said
