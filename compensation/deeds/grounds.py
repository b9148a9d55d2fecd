"""On what grounds somebody says that a work item ends: read strictly before anything is locked."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from compensation.deeds.uploads import check_uploads
from compensation.states import RESOLVE, WAIVE
from console.exact import Object, Value
from console.http import reasons
from console.http.evidence import Upload, check_link, check_text
from console.http.refusals import InvalidContent

LONGEST_AUTHORITY: Final = 500
MOST_LEFT: Final = 20
LONGEST_LEFT: Final = 500


class BadEnding(InvalidContent):
    """It is waived with a reason and by an authority; of what is left up to 20 things are named, in up to 500 characters each."""

    code = "bad_ending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What somebody says: how it was resolved and by what that is known, or why and by what authority it is waived, and what is left."""

    ending: str
    evidence: str = ""
    link: str = ""
    reason: str = ""
    authority: str = ""
    left: Sequence[str] = ()
    files: Sequence[Upload] = field(default=())

    def asked(self) -> Object:
        """Give what equality of keys compares."""
        files: list[Value] = [[file.name, file.media_type, file.digest.hex()] for file in self.files]
        return {
            "ending": self.ending, "evidence": self.evidence, "link": self.link, "reason": self.reason, "authority": self.authority,
            "left": [*self.left], "files": files,
        }  # fmt: skip


def checked(grounds: Grounds) -> Grounds:
    """Give grounds without what surrounds their texts. Raises BadEnding, BadEvidence, ReasonMissing, ReasonTooLong."""
    left = [each.strip() for each in grounds.left if each.strip()]
    if len(left) > MOST_LEFT or any(len(each) > LONGEST_LEFT for each in left):
        raise BadEnding("Up to 20 things that are left are named, in up to 500 characters each.", path="/left")
    grounds = replace(
        grounds, evidence=grounds.evidence.strip(), link=grounds.link.strip(), authority=grounds.authority.strip(), left=left,
        reason=reasons.given(grounds.reason) if grounds.ending == WAIVE else _brief(grounds.reason),
        files=check_uploads(grounds.files),
    )  # fmt: skip
    if grounds.ending == RESOLVE:
        check_text(grounds.evidence)
    check_link(grounds.link)
    if grounds.ending == WAIVE and not 1 <= len(grounds.authority) <= LONGEST_AUTHORITY:
        raise BadEnding("Say by what authority it is waived, in 1 to 500 characters.", path="/authority")
    return grounds


def _brief(reason: str) -> str:
    reasons.check_length(reason)
    return reason.strip()
