"""Nothing secret in a line: known secrets by their value, and whatever looks like a key, a cookie or a password by its shape."""

import os
import re
from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache
from typing import Any, Final
from urllib.parse import unquote, urlsplit

BLOT: Final = "[secret]"
SHORTEST: Final = 6  # what is shorter is too common a text to be looked for
DEEPEST: Final = 6
# Settings whose value is secret as a whole, or holds a password in its address.
_SECRET_SETTING = re.compile(r"(?:^|_)(?:SECRET|PASSWORD|PASSWD|TOKEN|KEY|KEYS|CREDENTIALS)(?:_FILE)?(?:$|_)|_HEADERS$")
_SECRET_NAME = re.compile(
    r"(?:^|[_.-])(?:secret|password|passwd|token|authorization|cookie|cookies|credential|credentials|csrf|csrfmiddlewaretoken|"
    r"sessionid|api_?-?key|apikey|private_?-?key)s?(?:$|[_.-])",
    re.IGNORECASE,
)
# Each is matched in time that grows with the text alone: whoever sends an address chooses it, and its line is written while others wait.
# So none begins with what may be long.
_SHAPES: Final = (
    # ours: what agents bear
    (re.compile(r"\bcf_[A-Za-z0-9_-]{6,}"), BLOT),
    # a header as text, whatever stands around it: its value up to the end of the line or the closing quote
    (
        re.compile(
            r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-csrftoken)"
            r"(\\?[\"']?\s*[:=,]\s*(?:b?\\?[\"'])?)[^\"'\r\n]+"
        ),
        rf"\1\2{BLOT}",
    ),
    (re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}"), rf"\1 {BLOT}"),
    # name=value and "name": "value", as in queries, forms, JSON and connection strings
    (
        re.compile(
            r"(?i)(password|passwd|secret|token|api_?-?key|sessionid|csrf[a-z]{0,32})"
            r"(\\?[\"']?\s*[:=]\s*(?:b?\\?[\"'])?)[^\s\"'&;,})\]]+"
        ),
        rf"\1\2{BLOT}",
    ),
    # user:password@host
    (re.compile(r"(://[^\s/:@]*:)[^\s/@]+@"), rf"\1{BLOT}@"),
)


def blotted(text: str) -> str:
    """Blot out of a text what is secret."""
    for value in known():
        if value in text:
            text = text.replace(value, BLOT)
    for shape, instead in _SHAPES:
        text = shape.sub(instead, text)
    return text


def blot(logger: Any, method: str, event: MutableMapping[str, Any]) -> dict[str, Any]:
    """Blot a whole event, names and texts at any depth: a step of the logging chain."""
    return {name: _cleaned(name, value, 0) for name, value in event.items()}


def _cleaned(name: str, value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if _SECRET_NAME.search(name):
        return BLOT
    if depth < DEEPEST and isinstance(value, Mapping):
        return {str(key): _cleaned(str(key), inside, depth + 1) for key, inside in value.items()}
    if depth < DEEPEST and isinstance(value, list | tuple | set | frozenset):
        return [_cleaned("", inside, depth + 1) for inside in value]
    return blotted(value if isinstance(value, str) else str(value))


@cache
def known() -> tuple[str, ...]:
    """Give the values of this process's secrets, the longest first, so that none is blotted in part only."""
    return tuple(sorted(set(_values()), key=len, reverse=True))


def _values() -> Iterator[str]:
    for name, value in os.environ.items():
        if _SECRET_SETTING.search(name):
            yield from _parts(name, value)
        elif "://" in value or name.endswith("_URL_FILE"):
            password = _password(_read(value).strip() if name.endswith("_FILE") else value)
            if len(password) >= SHORTEST:
                yield from {password, unquote(password)}


def _parts(name: str, value: str) -> Iterator[str]:
    if name.endswith("_FILE"):
        value = _read(value)
    for part in {value, value.strip(), *value.split(",")}:
        if len(part) >= SHORTEST:
            yield part


def _read(path: str) -> str:
    """Give what a file holds; nothing where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - a path as it was given
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _password(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:
        return ""
