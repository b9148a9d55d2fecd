"""Files beside a work item: kept in the database with the record, outside whatever the web serves, and given only to members."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from uuid_utils.compat import uuid7

from compensation.deeds.standing import Held, hold, receipt
from compensation.deeds.uploads import check_upload
from compensation.models import EvidenceFile
from compensation.writing import add
from console.http.evidence import BadEvidence, Upload
from console.ledger.actors import Actor
from console.ledger.moves import move, once

MOST_BESIDE: Final = 20  # beside one item, however they came


@move("add evidence")
def add_file(by: Actor, item_id: UUID, upload: Upload, *, version: int | None = None, key: str) -> dict[str, Any]:
    """Put a file beside a work item that is open. Raises NotFound, NotAnOperator, ItemOver, StaleVersion, BadEvidence."""
    file = check_upload(upload)
    asked: dict[str, Any] = {"item": str(item_id), "file": [file.name, file.media_type, file.digest.hex()]}
    return once(by, key, "add_evidence", asked, lambda: _add(by, item_id, file, version), about=item_id)


def _add(by: Actor, item_id: UUID, file: Upload, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version)
    (kept,) = keep(by, held, [file])
    return receipt(held, file=str(kept.pk), name=kept.name, digest=file.digest.hex())


def keep(by: Actor, held: Held, files: Sequence[Upload]) -> list[EvidenceFile]:
    """Keep files that were checked beside a locked item. Raises BadEvidence where there are too many."""
    if not files:
        return []
    beside = EvidenceFile.objects.filter(item=held.item).count()
    if beside + len(files) > MOST_BESIDE:
        raise BadEvidence("At most 20 files stand beside a work item.", path="/files", beside=beside)
    kept = [
        EvidenceFile(
            id=uuid7(), tenant_id=held.item.tenant_id, plan_id=held.plan.pk, item_id=held.item.pk, name=file.name,
            media_type=file.media_type, size=len(file.content), digest=file.digest, content=file.content,
            uploaded_by_id=by.principal, uploaded_at=held.now,
        )
        for file in files
    ]  # fmt: skip
    add(by, kept, "file.added", held.now)
    return kept
