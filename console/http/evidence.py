"""How something is known, as people say it: a text, a link and files, read strictly before anything is locked."""

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from console.http.refusals import InvalidContent

LONGEST_EVIDENCE: Final = 4000
LONGEST_LINK: Final = 2000
LONGEST_NAME: Final = 255
MOST_FILES: Final = 5
LARGEST_FILE: Final = 2 * 1024 * 1024
MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,60}\Z")


class BadEvidence(InvalidContent):
    """Evidence is a text of 1 to 4,000 characters; beside it may stand a link (http or https) and up to 5 files of up to 2 MiB each."""

    code = "bad_evidence"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent."""

    name: str
    media_type: str
    content: bytes

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).digest()


def typed(file: Upload) -> Upload:
    """Give a file with a media type that is one; what is not is bytes."""
    media_type = file.media_type.strip().lower()
    return replace(file, media_type=media_type if MEDIA_TYPE.match(media_type) else "application/octet-stream")


def check_text(evidence: str) -> None:
    """Refuse what says nothing, or too much. Raises BadEvidence."""
    if not 1 <= len(evidence) <= LONGEST_EVIDENCE:
        raise BadEvidence("Say how it is known, in 1 to 4,000 characters.", path="/evidence")


def check_link(link: str) -> None:
    """Refuse what no browser should follow; there need not be a link. Raises BadEvidence."""
    if link and not _is_link(link):
        raise BadEvidence(
            "A link is an http or https address without a user or a password, of at most 2,000 characters.",
            path="/link",
        )


def check_file(file: Upload, path: str) -> None:
    """Refuse a file that is empty or too large, or whose name would mislead. Raises BadEvidence."""
    if not 1 <= len(file.content) <= LARGEST_FILE:
        raise BadEvidence("A file has 1 to 2,097,152 bytes.", path=f"{path}/content")
    if not file.name.strip() or len(file.name) > LONGEST_NAME or not file.name.isprintable() or "/" in file.name:
        raise BadEvidence("A file's name has 1 to 255 visible characters and no slash.", path=f"{path}/name")


def _is_link(text: str) -> bool:
    if len(text) > LONGEST_LINK or not text.isprintable() or " " in text or "\\" in text:
        return False
    try:
        parts, port = urlsplit(text), urlsplit(text).port
    except ValueError:
        return False
    # What stands before an @ reads like a host, and is none.
    return port != 0 and parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
