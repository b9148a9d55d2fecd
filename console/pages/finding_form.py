"""The form of a finding as it was sent: only read here. The move judges it, and names the field of a fault by its path."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from console.exact import Object
from console.exact.value import Value
from console.http import keys
from console.http.evidence import LARGEST_FILE, MOST_FILES, Upload
from console.http.refusals import BadRequest, InvalidContent, Refusal
from console.pages import blanks
from runs.contracts.operation import OperationDocument
from runs.states import CANNOT_TELL, HAPPENED, MUST_BE_UNDONE, STILL_PENDING
from runs.unknowns.exits import RETRY
from runs.unknowns.findings import MOST_EXTRA, Finding

VERSION_DIGITS = 18
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d))?(?: ?(?:UTC|Z))?", re.IGNORECASE)
WITH_RESULT = frozenset({HAPPENED, MUST_BE_UNDONE})
# What a form may have written into it; kept in the page when the form is refused.
TEXTS = (
    "way",
    "evidence",
    "link",
    "reason",
    "reference",
    "look_again_at",
    "extra_attempts",
    "to_group",
    "handing_reason",
)


class NoVersion(BadRequest):
    """The form does not say how things stood when it was opened; open the page again."""

    code = "no_version"


class WayNeeded(InvalidContent):
    """Say what you found: choose one of these."""

    code = "way_needed"


class NotAMoment(InvalidContent):
    """Write a day and a time in UTC, like 2026-03-04 16:30."""

    code = "not_a_moment"


class NotANumber(InvalidContent):
    """Write how many more attempts there may be, 0 to 10."""

    code = "not_a_number"


class TooMuchSent(InvalidContent):
    """At most 5 files of up to 2 MiB each."""

    code = "too_much_sent"


@dataclass(frozen=True, slots=True)
class FindingForm:
    """What a member says became of an effect, about exactly what they were shown."""

    finding: Finding
    version: int
    key: str

    @classmethod
    def read(
        cls, sent: QueryDict, files: "MultiValueDict[str, UploadedFile]", document: OperationDocument, now: datetime
    ) -> Self:
        """Read the form. Raises NoVersion, MissingKey, BadKey, WayNeeded, NotAMoment, NotANumber, TooMuchSent."""
        version = version_of(sent)
        key = keys.checked(sent.get("idempotency_key"))
        name, _, then = sent.get("way", "").partition(":")
        if not name:
            raise WayNeeded(path="/way")
        return cls(
            Finding(
                exit=name, then=then, evidence=text(sent, "evidence"), link=text(sent, "link"),
                reason=_reason(sent, name, then), result=_result(sent, name, document),
                reference=text(sent, "reference") if name in WITH_RESULT else "",
                look_again_at=moment(text(sent, "look_again_at")) if name == STILL_PENDING else None,
                extra_attempts=_extra(text(sent, "extra_attempts")) if then == RETRY else 0,
                to_group=text(sent, "to_group") if name == CANNOT_TELL else "", files=uploads(files),
            ),
            version,
            key,
        )  # fmt: skip


def version_of(sent: QueryDict) -> int:
    """Give the version that a form was opened at. Raises NoVersion."""
    version = sent.get("version", "")
    if not (version.isascii() and version.isdigit() and len(version) <= VERSION_DIGITS):
        raise NoVersion
    return int(version)


def text(sent: QueryDict, name: str) -> str:
    """Give what was written into a field, without what surrounds it."""
    return sent.get(name, "").replace("\r\n", "\n").strip()


def moment(written: str) -> datetime:
    """Read a day and a time in UTC. Raises NotAMoment."""
    found = MOMENT.fullmatch(written)
    if found is None:
        raise NotAMoment(path="/look_again_at")
    day, minute, second = found.groups()
    try:
        return datetime.fromisoformat(f"{day}T{minute}:{second or '00'}").replace(tzinfo=UTC)
    except ValueError:
        raise NotAMoment(path="/look_again_at") from None


def result_schema(document: OperationDocument) -> Object | None:
    """Give what is to be filled in about a result: what the contract's own answer would have brought; None when that is nothing."""
    if document.permit is not None:
        return document.permit.form
    acts: Any = document.value.get("http", {})
    names = [
        name
        for row in (acts.get("outcomes", []) if isinstance(acts, dict) else [])
        if row.get("outcome") == "succeeded"
        for name in (row.get("result") or {})
    ]
    return (
        {"properties": {name: {"type": "string", "maxLength": 200} for name in dict.fromkeys(names)}} if names else None
    )


def faults(refusal: Refusal) -> dict[str, str]:
    """Give what is wrong by the name of its field: as far as a refusal names one."""
    path = refusal.facts.get("path")
    steps = str(path).split("/")[1:] if path else []
    if not steps:
        return {}
    if steps[0] == "result" and len(steps) > 1:
        return {blanks.PREFIX + steps[1].replace("~1", "/").replace("~0", "~"): refusal.detail}
    return {FIELDS.get(steps[0], steps[0]): refusal.detail}


FIELDS = {"exit": "way", "then": "way"}


def _result(sent: QueryDict, name: str, document: OperationDocument) -> Value:
    return (blanks.read(result_schema(document), sent) or None) if name in WITH_RESULT else None


def _reason(sent: QueryDict, name: str, then: str) -> str:
    """Give why more attempts are granted, or why it is handed over; each has a field of its own in the one form."""
    if name == CANNOT_TELL:
        return text(sent, "handing_reason")
    return text(sent, "reason") if then == RETRY else ""


def _extra(written: str) -> int:
    if not written:
        return 0
    if not (written.isascii() and written.isdigit() and int(written) <= MOST_EXTRA):
        raise NotANumber(path="/extra_attempts")
    return int(written)


def uploads(files: "MultiValueDict[str, UploadedFile]", name: str = "files") -> tuple[Upload, ...]:
    """Read the files; none is read that would be refused for its size anyway."""
    sent = [file for file in files.getlist(name) if file]
    if len(sent) > MOST_FILES or any((file.size or 0) > LARGEST_FILE for file in sent):
        raise TooMuchSent(path=f"/{name}")
    return tuple(Upload(file.name or "", file.content_type or "application/octet-stream", file.read()) for file in sent)
