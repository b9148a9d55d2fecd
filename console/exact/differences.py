"""Two JSON values beside each other: what each place said before and says now. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from console.exact.canonical_form import canonical
from console.exact.value import Value


@dataclass(frozen=True, slots=True)
class Change:
    """A place where two values differ; nothing: it was not there, or is no more."""

    place: str
    was: str | None
    now: str | None


def changes(before: Value, after: Value) -> list[Change]:
    """Give every place where the values differ, in the order of the later one; what is gone comes last. Nothing is shortened."""
    was, now = dict(_leaves(before, "")), dict(_leaves(after, ""))
    places = [*now, *(place for place in was if place not in now)]
    return [Change(place, was.get(place), now.get(place)) for place in places if was.get(place) != now.get(place)]


def _leaves(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, part in value.items():
            yield from _leaves(part, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        for number, part in enumerate(value, start=1):
            yield from _leaves(part, f"{place} {number}")
    else:
        yield place, _said(value)


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, list):
        return ", ".join(map(_said, value)) or "none"
    return canonical(value)
