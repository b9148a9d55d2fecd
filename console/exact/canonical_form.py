"""The canonical form `cf1`: one text for each value, so that equal values have equal digests.

It is RFC 8785 (keys in the order of their UTF-16 code units, its escapes, no white space), except that numbers are
exact decimals written out in full. docs/canonical-form.md defines it; its vectors are tests.
"""

import hashlib
import re
from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from console.exact.bad_json import BAD_NUMBER, LONE_SURROGATE, NOT_EXACT, NUL, TOO_DEEP, BadJSON
from console.exact.decimals import OutOfRange, number_text
from console.exact.pointer import pointer
from console.exact.surrogates import has_surrogate
from console.exact.value import Value

FORM = "cf1"
LEVELS = 128  # more than may be sent, because what was sent is kept inside documents of ours

_quote = encode_basestring  # the C function where there is one: exactly the escapes of RFC 8785
_WORDS = {True: "true", False: "false", None: "null"}
_ESCAPED_NUL = re.compile(r"\\(?:u0000|.)")


class _Refused(ValueError):
    """The value has no canonical form; a slow walk then says why and where."""


def canonical(value: Value) -> str:
    """Give the value's text in form cf1; BadJSON when it has none."""
    try:
        text = _write(value, LEVELS)
    except (_Refused, OutOfRange, TypeError):
        raise _fault(value) from None
    if has_surrogate(text) or ("\\u0000" in text and "\\u0000" in _ESCAPED_NUL.findall(text)):
        raise _fault(value)
    return text


def digest(value: Value) -> bytes:
    """Give the SHA-256 of the value's canonical text in UTF-8."""
    return hashlib.sha256(canonical(value).encode()).digest()


def _write(value: Any, levels: int) -> str:
    kind = type(value)
    if kind is str:
        return _quote(value)
    if kind is dict:
        return _write_object(value, levels)
    if kind is int or kind is Decimal:
        return number_text(value)
    if kind is list:
        if not levels:
            raise _Refused
        return "[" + ",".join([_write(item, levels - 1) for item in value]) + "]"
    if value is None or kind is bool:
        return _WORDS[value]
    if isinstance(value, str):
        return _quote(str.__str__(value))
    raise _Refused


def _write_object(value: dict[str, Any], levels: int) -> str:
    if not levels:
        raise _Refused
    keys = sorted(value)
    if not "".join(keys).isascii():
        keys.sort(key=_utf16)
    left = levels - 1
    return "{" + ",".join([_quote(key) + ":" + _write(value[key], left) for key in keys]) + "}"


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def _fault(value: Value) -> BadJSON:
    return next(_faults(value), BadJSON(NOT_EXACT, "", "The value has no canonical form."))


def _faults(value: Any) -> Iterator[BadJSON]:
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while waiting:
        path, found = waiting.pop()
        if isinstance(found, dict | list):
            if len(path) >= LEVELS:
                yield BadJSON(TOO_DEEP, pointer(path), f"It is nested more than {LEVELS} levels deep.")
                return
            if isinstance(found, dict):
                for key in found:
                    yield from _text_faults(key, path, "A key")
                waiting.extend(((*path, key), item) for key, item in reversed(found.items()))
            else:
                waiting.extend(((*path, index), item) for index, item in reversed(list(enumerate(found))))
        else:
            yield from _scalar_faults(found, path)


def _scalar_faults(value: Any, path: tuple[str | int, ...]) -> Iterator[BadJSON]:
    if value is None or isinstance(value, bool):
        return
    if type(value) in {int, Decimal}:
        try:
            number_text(value)
        except OutOfRange as why:
            yield BadJSON(BAD_NUMBER, pointer(path), f"The number is not one that can be kept exactly: {why}.")
    else:
        yield from _text_faults(value, path, "The text")


def _text_faults(value: Any, path: tuple[str | int, ...], what: str) -> Iterator[BadJSON]:
    if not isinstance(value, str):
        yield BadJSON(NOT_EXACT, pointer(path), f"{what} is a {type(value).__name__}, which has no exact form.")
    elif "\0" in value:
        yield BadJSON(NUL, pointer(path), f"{what} holds the NUL character, which cannot be stored.")
    elif has_surrogate(value):
        yield BadJSON(LONE_SURROGATE, pointer(path), f"{what} holds half of a surrogate pair, which is no character.")
