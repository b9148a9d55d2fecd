"""Files that stand beside findings: given as they were, and never shown inside a page of ours."""

from typing import Final
from uuid import UUID

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from runs.models import EvidenceFile

# What a browser may be told it is; anything else, and everything that can hold a script, is bytes.
PLAIN: Final = frozenset(
    {"application/pdf", "image/jpeg", "image/png", "image/gif", "image/webp", "text/plain", "text/csv"}
)
BYTES: Final = "application/octet-stream"


def file(tenant_id: UUID, file_id: UUID) -> EvidenceFile | None:
    """Give a file with its content (None once erased)."""
    return EvidenceFile.objects.filter(tenant_id=tenant_id, pk=file_id).first()


def files(resolution_ids: list[UUID]) -> dict[UUID, list[EvidenceFile]]:
    """Give the files of findings, without their contents, by finding."""
    found: dict[UUID, list[EvidenceFile]] = {}
    rows = EvidenceFile.objects.filter(resolution_id__in=resolution_ids).defer("content")
    for each in rows.order_by("uploaded_at", "pk"):
        found.setdefault(each.resolution_id, []).append(each)
    return found


def attachment(found: EvidenceFile) -> HttpResponse:
    """Answer with a file to be saved: never inline, and never taken for something else than it is declared."""
    content = b"" if found.content is None else bytes(found.content)
    answer = HttpResponse(content, content_type=found.media_type if found.media_type in PLAIN else BYTES)
    answer["Content-Disposition"] = content_disposition_header(True, found.name) or "attachment"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "private, no-store"
    return answer
