"""What becomes of a document that is applied: new, unchanged, or refused and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from console.documents.document import Document
from console.documents.faults import Fault

NEW, UNCHANGED, REFUSED = "new", "unchanged", "refused"


@dataclass(frozen=True, slots=True)
class Applied:
    """The outcome for one document, with the faults that refused it."""

    document: Document
    outcome: str
    faults: Sequence[Fault] = ()

    def __str__(self) -> str:
        named = f"{self.document.kind or 'Document'} {self.document.name or '?'} {self.document.version or ''}".strip()
        return "\n".join([f"{self.outcome:9} {named}", *(f"          {fault}" for fault in self.faults)])


def against_versions(document: Document, digest: bytes, same: bytes | None, current: int | None) -> Applied | None:
    """Compare with what is there: `same` is the digest of this very version, `current` the version in force. None: it is new."""
    if same == digest:
        return Applied(document, UNCHANGED)
    if same is not None:
        why = "This version was applied with other content. Versions are immutable: give the change a new version."
        return Applied(document, REFUSED, [Fault("/version", "version_immutable", why)])
    if current is not None and document.version < current:
        return Applied(document, REFUSED, [Fault("/version", "version_old", f"Version {current} is in force already.")])
    return None
