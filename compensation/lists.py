"""Lists as rows keep them: canonical JSON, and an empty text where there is nothing. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from console.exact import Value, canonical, decode


def written(values: Iterable[Value] | Iterable[str] | Iterable[Mapping[str, Any]]) -> str:
    """Write a list down."""
    listed: list[Any] = [*values]
    return canonical(listed) if listed else ""


def listed(text: str) -> tuple[Any, ...]:
    """Read a list."""
    found: Any = decode(text, 128) if text else []
    return tuple(found)
