"""What a list was asked for in its address: known parameters only, each once, each read strictly."""

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.http import QueryDict

from console.http.fields import ID_PATTERN
from console.http.refusals import BadRequest

LIMIT = 50
HIGHEST_LIMIT = 200
_WHOLE = re.compile(r"[0-9]{1,18}\Z")
_ID = re.compile(ID_PATTERN.removesuffix("$") + r"\Z")
_WORD = re.compile(r"[a-z][a-z_]{0,39}\Z")


class UnknownParameter(BadRequest):
    """The address has a parameter that is not known here."""

    code = "unknown_parameter"


class BadParameter(BadRequest):
    """A parameter of the address cannot be read."""

    code = "bad_parameter"


class Asked:
    """The parameters of one request. Every reading method raises BadParameter, naming the parameter."""

    def __init__(self, query: QueryDict, known: Collection[str]) -> None:
        for name, values in query.lists():
            if name not in known:
                raise UnknownParameter(parameter=_shown(name), known=sorted(known))
            if len(values) > 1:
                raise BadParameter(f"`{name}` stands more than once.", parameter=name)
        self.query = query

    def text(self, name: str) -> str | None:
        """Give the parameter's text, None without one."""
        value = self.query.get(name)
        if value is not None and (not value or "\0" in value):
            raise self.bad(name, "is empty or holds the NUL character")
        return value

    def word(self, name: str, known: Collection[str] | None = None) -> str | None:
        """Give a word of lower-case letters, one of `known` where those are given."""
        value = self.text(name)
        if value is not None and not (value in known if known is not None else _WORD.match(value)):
            raise self.bad(
                name, "is none of the words taken here", **({"known": sorted(known)} if known is not None else {})
            )
        return value

    def whole(self, name: str, default: int | None = None, *, least: int = 0, most: int = 10**18 - 1) -> int | None:
        """Give a whole number between `least` and `most`."""
        value = self.text(name)
        if value is None:
            return default
        if not _WHOLE.match(value) or not least <= int(value) <= most:
            raise self.bad(name, f"must be a whole number from {least} to {most}")
        return int(value)

    def id(self, name: str) -> UUID | None:
        """Give an id."""
        value = self.text(name)
        if value is not None and not _ID.match(value):
            raise self.bad(name, "is not an id")
        return None if value is None else UUID(value)

    def yes(self, name: str) -> bool:
        """Give true or false; absent is false."""
        return self.word(name, {"true", "false"}) == "true"

    def limit(self) -> int:
        """Give how many items a page may hold."""
        return self.whole("limit", LIMIT, least=1, most=HIGHEST_LIMIT) or LIMIT

    def bad(self, name: str, why: str, **facts: Any) -> BadParameter:
        """Make the refusal of a parameter."""
        return BadParameter(f"`{name}` {why}.", parameter=name, **facts)


def _shown(name: str) -> str:
    return name.replace("\0", "\\0")[:100]
