"""JSON as the bank reads and writes it: numbers with a fraction stay the text that they were."""

import json
from typing import Any, NoReturn


def _none_such(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


_decode = json.JSONDecoder(parse_float=str, parse_constant=_none_such).decode
_encode = json.JSONEncoder(separators=(",", ":")).encode


def read(raw: bytes) -> Any:
    """Read a document; ValueError when it is none."""
    try:
        return _decode(raw.decode())
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def write(document: Any) -> bytes:
    """Write a document."""
    return _encode(document).encode()
