"""Files that stand beside findings."""

from uuid import UUID

from runs.models import EvidenceFile


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
