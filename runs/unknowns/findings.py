"""What a person says they found: read strictly before anything is locked.

Evidence is required text; a link or files may stand beside it, because evidence elsewhere can go away or change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from console.clock import instant
from console.exact import Object, Value, canonical
from console.http.evidence import MOST_FILES, BadEvidence, Upload, check_file, check_link, check_text, typed
from console.http.refusals import InvalidContent
from runs.states import CANNOT_TELL, DID_NOT_HAPPEN, HAPPENED, MUST_BE_UNDONE, RESOLUTION_EXITS, STILL_PENDING
from runs.unknowns.exits import GIVE_UP, RETRY

LONGEST_REASON: Final = 2000
LONGEST_RESULT: Final = 65536
LONGEST_REFERENCE: Final = 1000
MOST_EXTRA: Final = 10
THENS: Final = {DID_NOT_HAPPEN: (RETRY, GIVE_UP)}
WITH_RESULT: Final = (HAPPENED, MUST_BE_UNDONE)


class BadFinding(InvalidContent):
    """A part of the finding does not fit its exit."""

    code = "bad_finding"


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
    finding = replace(finding, **texts, files=[typed(file) for file in finding.files])
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


def _check_evidence(finding: Finding) -> None:
    check_text(finding.evidence)
    check_link(finding.link)
    if len(finding.files) > MOST_FILES:
        raise BadEvidence("At most 5 files stand beside a finding.", path="/files")
    for place, file in enumerate(finding.files):
        check_file(file, f"/files/{place}")


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
