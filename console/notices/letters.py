"""What is sent: a notice as the body of a webhook, and as an e-mail. Pure but for PUBLIC_URL."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from console.clock import instant
from console.exact import canonical
from console.exact.visible import visible


@dataclass(frozen=True, slots=True)
class Letter:
    """A delivery as the courier has it in hand. `attempt` counts from one, since it was last sent off."""

    delivery_id: UUID
    attempt: int
    channel: str
    tenant: str
    notice_id: UUID
    kind: str
    about: UUID | None
    title: str
    text: str
    path: str
    posted_at: datetime
    address: str  # an e-mail address, or a URL
    wanted: bool  # whether the receiver is still one: an active member, or an endpoint or channel that is not stopped
    endpoint_id: UUID | None
    sealed_secret: str | None
    via_id: UUID | None = None
    sealed_url: str | None = None
    because: str = ""
    state: str = ""
    until: datetime | None = None


def body(letter: Letter) -> bytes:
    """Write a webhook's body; the same for each attempt."""
    data: dict[str, Any] = {
        "notice": str(letter.notice_id), "tenant": letter.tenant, "about": str(letter.about) if letter.about else None,
        "title": letter.title, "text": letter.text, "path": letter.path, "url": link(letter.path) or None,
        "state": letter.state or None, "until": instant(letter.until),
    }  # fmt: skip
    return canonical({"type": letter.kind, "timestamp": instant(letter.posted_at), "data": data}).encode()


def message(letter: Letter) -> str:
    """Write what a person reads: the text, where to go, why they were told, and by which number a repeated message is known."""
    where = link(letter.path) or f"Counterfoil, at {letter.path}"
    why = f"{letter.because}\n" if letter.because else ""
    known = f"{letter.tenant}, {letter.posted_at:%Y-%m-%d %H:%M} UTC, notice {str(letter.delivery_id)[-8:]}."
    text = "\n".join(visible(line) for line in letter.text.splitlines())
    return f"{text}\n\n{where}\n\n{why}{known}\n"


def subject(letter: Letter) -> str:
    """Give an e-mail's subject: the title in one line of bearable length."""
    return visible(" ".join(letter.title.split()))[:200]


def link(path: str) -> str:
    """Give the address of a page, or nothing where PUBLIC_URL does not say under which name people come."""
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else ""
