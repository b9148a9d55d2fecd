"""Why somebody does something: a reason that the record keeps."""

from typing import Final

from console.http.refusals import InvalidContent, ReasonTooLong

LONGEST_REASON: Final = 2000


class ReasonMissing(InvalidContent):
    """Say why."""

    code = "reason_missing"


def check_length(reason: str) -> None:
    """Refuse a reason that is too long to be kept. Raises ReasonTooLong."""
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong(path="/reason")


def given(reason: str, why: str | None = None) -> str:
    """Give a reason that has to be there, without the blanks around it. Raises ReasonMissing (`why` says what for), ReasonTooLong."""
    check_length(reason)
    if not reason.strip():
        raise ReasonMissing(why, path="/reason")
    return reason.strip()
