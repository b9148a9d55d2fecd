"""Reading JSON strictly and exactly.

The C scanner of the standard library does the reading; it says that something is wrong, and `fault_finder` then says
what and where. What the scanner lets through and we do not (NaN, doubled keys, NUL, lone surrogates, depth) is caught
by its hooks or by one linear look at the text, so that a good document pays almost nothing.
"""

import json
import re
from typing import Any, NoReturn, cast

from console.exact.bad_json import BOM, LONE_SURROGATE, MALFORMED, NOT_UTF8, BadJSON
from console.exact.decimals import OutOfRange, fraction, whole
from console.exact.fault_finder import find_fault
from console.exact.surrogates import has_surrogate
from console.exact.value import Value

LEVELS = 64

_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{]++|[\]}]++', re.DOTALL)
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(
    rf"\\(?:[^u]|u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}|u(0000|[dD][89a-fA-F]{_HEX}{{2}})|u)", re.DOTALL
)


class _Refused(ValueError):
    """A hook met something that the scanner alone would let through."""


def _object(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused
    return found


def _constant(name: str) -> NoReturn:
    raise _Refused(name)


_read = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=whole, parse_float=fraction, parse_constant=_constant
).decode


def decode(raw: bytes | str, levels: int = LEVELS) -> Value:
    """Read a JSON document exactly; BadJSON, with a code and the path of the fault, when it is not one we take."""
    text = _text(raw)
    if _deeper_than(text, levels):
        raise _fault(text, levels)
    try:
        value = _read(text)
    except (_Refused, OutOfRange, json.JSONDecodeError):
        raise _fault(text, levels) from None
    if "\\u" in text and any(escape[1] for escape in _ESCAPE.finditer(text)):
        raise _fault(text, levels)
    return cast("Value", value)


def _text(raw: bytes | str) -> str:
    if isinstance(raw, str):
        if has_surrogate(raw):
            raise BadJSON(LONE_SURROGATE, "", "The text holds half of a surrogate pair, which is no character.")
        return raw
    if raw.startswith(b"\xef\xbb\xbf"):
        raise BadJSON(BOM, "", "The text begins with a byte order mark; send plain UTF-8.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJSON(NOT_UTF8, "", f"Byte {error.start + 1} is not UTF-8.") from None


def _deeper_than(text: str, levels: int) -> bool:
    if text.count("[") + text.count("{") <= levels:
        return False
    depth = 0
    for match in _BRACKETS.finditer(text):
        run: Any = match[0]
        if run[0] in "[{":
            depth += len(run)
            if depth > levels:
                return True
        elif run[0] != '"':
            depth -= len(run)
    return False


def _fault(text: str, levels: int) -> BadJSON:
    return find_fault(text, levels) or BadJSON(MALFORMED, "", "This is not JSON.")
