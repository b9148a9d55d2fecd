"""Files that people sent, given back as they were: to be saved, and never shown inside a page of ours."""

from typing import Final, Protocol

from django.http import HttpResponse
from django.utils.http import content_disposition_header

# What a browser may be told it is; anything else, and everything that can hold a script, is bytes.
PLAIN: Final = frozenset(
    {"application/pdf", "image/jpeg", "image/png", "image/gif", "image/webp", "text/plain", "text/csv"}
)
BYTES: Final = "application/octet-stream"


class Kept(Protocol):
    """A file as a row keeps it; its content is None once it was erased."""

    name: str
    media_type: str
    content: bytes | memoryview | None


def attachment(found: Kept) -> HttpResponse:
    """Answer with a file to be saved: never inline, and never taken for something else than it is declared."""
    content = b"" if found.content is None else bytes(found.content)
    answer = HttpResponse(content, content_type=found.media_type if found.media_type in PLAIN else BYTES)
    answer["Content-Disposition"] = content_disposition_header(True, found.name) or "attachment"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "private, no-store"
    return answer
