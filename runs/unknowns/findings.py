"""What a person says they found: read strictly before anything is locked.

Evidence is required text; a link or files may stand beside it, because evidence elsewhere can go away or change."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from console.clock import instant
from console.exact import Object, Value, canonical
from console.http.refusals import InvalidContent
from runs.states import CANNOT_TELL, DID_NOT_HAPPEN, HAPPENED, MUST_BE_UNDONE, RESOLUTION_EXITS, STILL_PENDING
from runs.unknowns.exits import GIVE_UP, RETRY

LONGEST_EVIDENCE: Final = 4000
LONGEST_LINK: Final = 2000
LONGEST_REASON: Final = 2000
LONGEST_RESULT: Final = 65536
LONGEST_REFERENCE: Final = 1000
LONGEST_NAME: Final = 255
MOST_FILES: Final = 5
LARGEST_FILE: Final = 2 * 1024 * 1024
MOST_EXTRA: Final = 10
MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,60}\Z")
THENS: Final = {DID_NOT_HAPPEN: (RETRY, GIVE_UP)}
WITH_RESULT: Final = (HAPPENED, MUST_BE_UNDONE)


class BadFinding(InvalidContent):
    """A part of the finding does not fit its exit."""

    code = "bad_finding"


class BadEvidence(InvalidContent):
    """Evidence is a text of 1 to 4,000 characters; beside it may stand a link (http or https) and up to 5 files of up to 2 MiB each."""

    code = "bad_evidence"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that stands beside a finding."""

    name: str
    media_type: str
    content: bytes

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).digest()


@dataclass(frozen=True, slots=True)
class Finding:
    """What somebody found out about an effect, and by what."""

    exit: str
    then: str = ""
    evidence: str = ""
    link: str = ""
    reason: str = ""
    result: Value = None
    reference: str = ""
    look_again_at: datetime | None = None
    extra_attempts: int = 0
    to_group: str = ""
    files: Sequence[Upload] = ()

    def asked(self) -> Object:
        """Give what equality of keys compares."""
        return {
            "exit": self.exit, "then": self.then, "evidence": self.evidence, "link": self.link, "reason": self.reason,
            "result": self.result,
            "reference": self.reference, "look_again_at": instant(self.look_again_at),
            "extra_attempts": self.extra_attempts,
            "to_group": self.to_group, "files": [[file.name, file.media_type, file.digest.hex()] for file in self.files],
        }  # fmt: skip


def checked(finding: Finding) -> Finding:
    """Give a finding without what surrounds its texts. Raises BadFinding, BadEvidence."""
    texts: dict[str, Any] = {
        name: getattr(finding, name).strip() for name in ("evidence", "link", "reason", "reference", "to_group")
    }
    finding = replace(finding, **texts, files=[_with_type(file) for file in finding.files])
    if finding.exit not in RESOLUTION_EXITS:
        raise BadFinding("There is no such exit.", path="/exit", known=list(RESOLUTION_EXITS))
    if finding.then not in THENS.get(finding.exit, ("",)):
        raise BadFinding(
            f"After it comes one of: {', '.join(THENS[finding.exit])}." if finding.exit in THENS else "Nothing comes after it.",
            path="/then",
        )  # fmt: skip
    _check_evidence(finding)
    _check_terms(finding)
    return finding


def _with_type(file: Upload) -> Upload:
    """Give a file with a media type that is one; what is not is bytes."""
    media_type = file.media_type.strip().lower()
    return replace(file, media_type=media_type if MEDIA_TYPE.match(media_type) else "application/octet-stream")


def _check_evidence(finding: Finding) -> None:
    if not 1 <= len(finding.evidence) <= LONGEST_EVIDENCE:
        raise BadEvidence("Say how it is known, in 1 to 4,000 characters.", path="/evidence")
    if finding.link and not _is_link(finding.link):
        raise BadEvidence("A link is an http or https address of at most 2,000 characters.", path="/link")
    if len(finding.files) > MOST_FILES:
        raise BadEvidence("At most 5 files stand beside a finding.", path="/files")
    for place, file in enumerate(finding.files):
        if not 1 <= len(file.content) <= LARGEST_FILE:
            raise BadEvidence("A file has 1 to 2,097,152 bytes.", path=f"/files/{place}/content")
        if not file.name.strip() or len(file.name) > LONGEST_NAME or not file.name.isprintable() or "/" in file.name:
            raise BadEvidence(
                "A file's name has 1 to 255 visible characters and no slash.", path=f"/files/{place}/name"
            )


def _check_terms(finding: Finding) -> None:
    if len(finding.reason) > LONGEST_REASON:
        raise BadFinding("A reason has at most 2,000 characters.", path="/reason")
    if len(finding.reference) > LONGEST_REFERENCE or (finding.reference and finding.exit not in WITH_RESULT):
        raise BadFinding("A reference, of what happened, has at most 1,000 characters.", path="/reference")
    if finding.result is not None and finding.exit not in WITH_RESULT:
        raise BadFinding("Only what happened has a result.", path="/result")
    if finding.result is not None and len(canonical(finding.result)) > LONGEST_RESULT:
        raise BadFinding("A result has at most 65,536 characters.", path="/result")
    if (finding.look_again_at is None) == (finding.exit == STILL_PENDING):
        raise BadFinding("What is still pending, and only that, says when to look again.", path="/look_again_at")
    if finding.to_group and finding.exit != CANNOT_TELL:
        raise BadFinding("Only what cannot be told is handed over.", path="/to_group")
    if not 0 <= finding.extra_attempts <= MOST_EXTRA or (finding.extra_attempts and finding.then != RETRY):
        raise BadFinding("Up to 10 more attempts are granted, for trying again.", path="/extra_attempts")
    if finding.extra_attempts and not finding.reason:
        raise BadFinding("Say why more attempts are granted than the contract allows.", path="/reason")


def _is_link(text: str) -> bool:
    if len(text) > LONGEST_LINK or not text.isprintable() or " " in text:
        return False
    try:
        parts, port = urlsplit(text), urlsplit(text).port
    except ValueError:
        return False
    return port != 0 and parts.scheme in {"http", "https"} and bool(parts.hostname)
