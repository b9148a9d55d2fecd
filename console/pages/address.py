"""Words in addresses, read strictly: a cursor or a filter that cannot be read is refused, never guessed."""

import re
from datetime import datetime
from typing import NamedTuple, Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest

from console.clock import instant
from console.http.refusals import BadRequest

LONGEST = 200
DIGITS = 9
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


class BadCursor(BadRequest):
    """The address asks for a page of the list that this list never gave out."""

    code = "bad_cursor"


class BadFilter(BadRequest):
    """The address asks for a filter that does not exist."""

    code = "bad_filter"


class Cursor(NamedTuple):
    """A place in a list that is ordered by (database time, id)."""

    at: datetime
    id: UUID

    def __str__(self) -> str:
        return f"{instant(self.at)}_{self.id}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what `str` wrote. Raises BadCursor."""
        at, _, identity = text.partition("_")
        try:
            return cls(_instant(at), UUID(identity))
        except ValueError:
            raise BadCursor from None


def cursor(request: HttpRequest, name: str = "after") -> Cursor | None:
    """Give the cursor in the address, or None on the first page. Raises BadCursor."""
    text = request.GET.get(name, "")
    return Cursor.read(text) if text else None


def place(request: HttpRequest, name: str) -> tuple[datetime, int] | None:
    """Give the place in a history (instant, entry) in the address, or None at its end. Raises BadCursor."""
    at, _, entry = request.GET.get(name, "").partition("_")
    return (_instant(at), _whole(entry)) if at or entry else None


def written(at: tuple[datetime, int]) -> str:
    """Write what `place` reads."""
    return f"{instant(at[0])}_{at[1]}"


def whole_number(request: HttpRequest, name: str) -> int:
    """Give a number in the address, or 0. Raises BadCursor."""
    text = request.GET.get(name, "")
    return _whole(text) if text else 0


def word(request: HttpRequest, name: str) -> str:
    """Give a word that was typed, without blanks around it. Raises BadFilter when it is too long."""
    text = request.GET.get(name, "").strip()
    if len(text) > LONGEST:
        raise BadFilter
    return text


def chosen(request: HttpRequest, name: str, among: set[str] | frozenset[str]) -> str:
    """Give one of the words that may be chosen, or nothing. Raises BadFilter."""
    text = request.GET.get(name, "")
    if text and text not in among:
        raise BadFilter
    return text


def query(**words: object) -> str:
    """Write the words of an address; empty ones are left out."""
    return urlencode({name: str(value) for name, value in words.items() if value})


def _instant(text: str) -> datetime:
    if not INSTANT.fullmatch(text):
        raise BadCursor
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadCursor from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        raise BadCursor
    return int(text)
