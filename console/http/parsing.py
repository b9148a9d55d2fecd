"""Bodies are read exactly: strict JSON, numbers as they were written, within stated limits."""

from typing import IO, Any

from django.http import HttpRequest
from rest_framework.parsers import BaseParser

from console.exact import BadJSON, decode
from console.http.refusals import BadRequest, Refusal

LARGEST_BODY = 1024 * 1024
LARGEST_WITH_FILES = 15 * 1024 * 1024  # five files of 2 MiB in base64, with what is said beside them


class TooLarge(Refusal):
    """A body may have at most 1,048,576 bytes, and one with evidence files or a checkpoint 15,728,640."""

    code = "too_large"
    status = 413
    recorded = False


class Malformed(BadRequest):
    """The body is not JSON as this API reads it."""

    code = "malformed"


class ExactJSONParser(BaseParser):
    """`application/json`, read by console.exact."""

    media_type = "application/json"
    largest = LARGEST_BODY

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        raw = stream.read(self.largest + 1)
        if len(raw) > self.largest:
            raise TooLarge
        return read(raw)


class ParserWithFiles(ExactJSONParser):
    """The same, where files travel in the body."""

    largest = LARGEST_WITH_FILES


def with_length(request: HttpRequest, largest: int = LARGEST_BODY) -> None:
    """Give a body that came in chunks its length, without which the framework takes it for absent."""
    if request.META.get("CONTENT_LENGTH") or "HTTP_TRANSFER_ENCODING" not in request.META:
        return
    raw = request.read(largest + 1)
    request._body = raw  # where Django keeps a body that was read
    request.META["CONTENT_LENGTH"] = str(len(raw))


def read(raw: bytes) -> Any:
    """Read a body. Raises Malformed with the code and the path of the fault."""
    try:
        return decode(raw)
    except BadJSON as fault:
        raise _problem(fault) from None


def _problem(fault: BadJSON) -> Malformed:
    problem = Malformed(fault.detail, path=fault.path)
    problem.code = fault.code  # type: ignore[misc]  # the fault's own stable code
    return problem
