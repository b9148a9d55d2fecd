"""What a driver's write carries beside its body: the version it believes in, and the token that says it still drives."""

import re

from console.http.refusals import BadRequest, MissingToken, MissingVersion

_TAG = re.compile(r'"(0|[1-9][0-9]{0,18})"\Z')
_TOKEN = re.compile(r"[1-9][0-9]{0,18}\Z")


class BadVersion(BadRequest):
    """If-Match takes the ETag as it was given, in its quotes, such as "12", or *."""

    code = "bad_version"


class BadToken(BadRequest):
    """Fencing-Token takes the run's epoch, a whole number."""

    code = "bad_token"


def etag(version: int) -> str:
    """Give the ETag for a version."""
    return f'"{version}"'


def version(if_match: str | None) -> int | None:
    """Read If-Match: the version that the caller believes in, or None where any will do. Raises BadVersion."""
    if if_match is None or if_match.strip() == "*":
        return None
    found = _TAG.match(if_match.strip())
    if found is None:
        raise BadVersion
    return int(found[1])


def expected(if_match: str | None) -> int:
    """Read If-Match where it must be there: nobody resolves what they have not seen. Raises MissingVersion, BadVersion."""
    found = version(if_match)
    if found is None:
        raise MissingVersion
    return found


def seen(if_match: str | None) -> int | None:
    """Read If-Match where it must be there, be it `*` for whichever version. Raises MissingVersion, BadVersion."""
    if if_match is None:
        raise MissingVersion
    return version(if_match)


def take_no_version(if_match: str | None) -> None:
    """Refuse If-Match where several changes come at once: the first would make it stale for the others. Raises BadVersion."""
    if version(if_match) is not None:
        raise BadVersion("Several changes at once take no If-Match: each of them changes the version.")


def token(fencing_token: str | None) -> int:
    """Read Fencing-Token. Raises MissingToken, BadToken."""
    if fencing_token is None or not fencing_token.strip():
        raise MissingToken
    text = fencing_token.strip()
    if not _TOKEN.match(text) or int(text) > 2**63 - 1:
        raise BadToken
    return int(text)
