"""A refusal is an exception that says aloud why something was not done; a door turns it into a problem or a page."""

from typing import Any, ClassVar


class Refusal(Exception):
    """The request was refused."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 409
    recorded: ClassVar[bool] = True  # kept as a refusal beside the record, counted and shown

    def __init__(self, detail: str | None = None, **facts: Any) -> None:
        self.detail = detail or (type(self).__doc__ or "").strip()
        self.about: object = None  # what it is kept with, where that is not what the move was asked about
        self.facts = facts
        super().__init__(self.detail)


class BadRequest(Refusal):
    """The request cannot be read."""

    code = "bad_request"
    status = 400
    recorded = False


class InvalidContent(Refusal):
    """The content does not fit."""

    code = "invalid"
    status = 422
    recorded = False


class ReasonTooLong(InvalidContent):
    """A reason has at most 2,000 characters."""

    code = "reason_too_long"


class NotFound(Refusal):
    """There is no such thing here."""

    code = "not_found"
    status = 404
    recorded = False


class Forbidden(Refusal):
    """This is not yours to do."""

    code = "forbidden"
    status = 403


class MissingKey(BadRequest):
    """Send an Idempotency-Key of 1 to 255 visible characters, which names this one intent."""

    code = "missing_key"


class KeyReused(Refusal):
    """This key already stands for something else; nothing was changed."""

    code = "key_reused"
    status = 422


class KeyExpired(Refusal):
    """This key was used longer ago than its records are kept, or for what is erased; take a new key for a new intent."""

    code = "key_expired"
    status = 410


class MissingToken(BadRequest):
    """Send the run's epoch as Fencing-Token."""

    code = "missing_token"


class MissingVersion(BadRequest):
    """Send the version that you saw as If-Match."""

    code = "missing_version"


class StaleToken(Refusal):
    """Somebody else drives this run now; the token is no longer good."""

    code = "stale_token"


class StaleVersion(Refusal):
    """This has changed since you read it."""

    code = "stale_version"
    status = 412
