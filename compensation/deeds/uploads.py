"""Which files are taken as evidence beside a work item: kinds that show something and hold no script, and are what they say.

What can be taken apart or run (archives, SVG, HTML) is not taken; what is taken is given back inert (console/http/attachments.py)."""

from collections.abc import Callable, Sequence
from typing import Final

from console.http.evidence import MOST_FILES, BadEvidence, Upload, check_file, typed

TAKEN: Final = "A file is a PDF, a picture (JPEG, PNG, GIF, WebP), plain text or CSV, and holds what its type says."


def check_uploads(files: Sequence[Upload]) -> list[Upload]:
    """Give files with their types read, as many as stand beside one deed. Raises BadEvidence."""
    if len(files) > MOST_FILES:
        raise BadEvidence("At most 5 files are sent at once.", path="/files")
    return [check_upload(file, f"/files/{place}") for place, file in enumerate(files)]


def check_upload(file: Upload, path: str = "") -> Upload:
    """Give a file with its type read; parameters of the type are left away. Raises BadEvidence."""
    file = typed(Upload(file.name, file.media_type.partition(";")[0], file.content))
    check_file(file, path)
    looks = LOOKS.get(file.media_type)
    if looks is None or not looks(file.content):
        raise BadEvidence(TAKEN, path=f"{path}/media_type", known=sorted(LOOKS))
    return file


def _begins(*signatures: bytes) -> Callable[[bytes], bool]:
    return lambda content: content.startswith(signatures)


def _is_webp(content: bytes) -> bool:
    return content[:4] == b"RIFF" and content[8:12] == b"WEBP"


def _is_text(content: bytes) -> bool:
    if b"\0" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


LOOKS: Final[dict[str, Callable[[bytes], bool]]] = {
    "application/pdf": _begins(b"%PDF-"),
    "image/jpeg": _begins(b"\xff\xd8\xff"),
    "image/png": _begins(b"\x89PNG\r\n\x1a\n"),
    "image/gif": _begins(b"GIF87a", b"GIF89a"),
    "image/webp": _is_webp,
    "text/plain": _is_text,
    "text/csv": _is_text,
}
