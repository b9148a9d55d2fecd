"""Templates: text with {dotted.paths} in it, and JSON values made of such texts.

A text that is exactly one placeholder takes the value with its type; inside other text a value is written out. `{{` and
`}}` stand for the braces themselves. A template is read once, when its contract is.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from console.exact import number_text
from console.exact.paths import ABSENT, Absent, BadPath, Path, follow, path_of
from console.exact.value import Object, Value

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
Placed: TypeAlias = str | Path  # a piece of text, or the path of a placeholder


class BadTemplate(ValueError):
    """The text is not a template: a brace stands alone, or a placeholder is not a path."""


class CannotFill(ValueError):
    """A placeholder has no value that can stand there; `path` names it."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{{{'.'.join(path)}}} {why}")
        self.path = path
        self.why = why


@dataclass(frozen=True, slots=True)
class Template:
    """A text with placeholders, read."""

    parts: tuple[Placed, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The placeholders, in the order they stand in."""
        return tuple(part for part in self.parts if isinstance(part, tuple))

    @property
    def alone(self) -> Path | None:
        """The placeholder that is the whole template, if it is one."""
        return self.parts[0] if len(self.parts) == 1 and isinstance(self.parts[0], tuple) else None

    def text(self, facts: Value, write: Callable[[Path, str], str] | None = None) -> str:
        """Fill it in as text; CannotFill when a value is absent, null, an object or a list."""
        return "".join([self._piece(part, facts, write) for part in self.parts])

    def value(self, facts: Value) -> Value | Absent:
        """Fill it in, a lone placeholder with its own type; ABSENT when that has no value."""
        return self.text(facts) if self.alone is None else follow(facts, self.alone)

    def _piece(self, part: Placed, facts: Value, write: Callable[[Path, str], str] | None) -> str:
        if isinstance(part, str):
            return part
        found = written(part, follow(facts, part))
        return found if write is None else write(part, found)


def template(text: str, roots: frozenset[str] | None = None) -> Template:
    """Read a template; a placeholder that begins with none of `roots` is an argument. BadTemplate when it is not one."""
    parts: list[Placed] = []
    at = 0
    for token in _TOKEN.finditer(text):
        _add(parts, text[at : token.start()])
        at = token.end()
        if token[0] in {"{{", "}}"}:
            _add(parts, token[0][0])
        elif token[1] is None:
            raise BadTemplate(
                f"the brace at character {token.start() + 1} stands alone; write {{{{ or }}}} for a brace"
            )
        else:
            parts.append(_placeholder(token[1], roots))
    _add(parts, text[at:])
    return Template(tuple(parts))


def _add(parts: list[Placed], text: str) -> None:
    if text and parts and isinstance(parts[-1], str):
        parts[-1] += text
    elif text:
        parts.append(text)


def _placeholder(text: str, roots: frozenset[str] | None) -> Path:
    try:
        path = path_of(text)
    except BadPath as why:
        raise BadTemplate(f"{{{text[:50]}}} is no placeholder: {why}") from None
    return path if roots is None or path[0] in roots else ("arguments", *path)


def written(path: Path, value: Value | Absent) -> str:
    """Write a value as text: numbers in full, true and false as such; CannotFill for what has no plain text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return number_text(value)
    if value is ABSENT:
        raise CannotFill(path, "has no value")
    raise CannotFill(path, "is null" if value is None else "is an object or a list, which has no plain text")


Shape: TypeAlias = Any  # a Template, or a dict or list of shapes, or a plain value


def shape(value: Value, roots: frozenset[str] | None = None) -> Shape:
    """Read a JSON value whose texts are templates."""
    if isinstance(value, dict):
        return {name: shape(item, roots) for name, item in value.items()}
    if isinstance(value, list):
        return [shape(item, roots) for item in value]
    return template(value, roots) if isinstance(value, str) else value


def fill(shaped: Shape, facts: Value, *, lenient: bool = False) -> Value | Absent:
    """Fill a shape in; a field or item whose lone placeholder has no value is left out.

    A longer text that cannot be filled raises CannotFill, or is left out too when `lenient`.
    """
    if isinstance(shaped, Template):
        return _fill_text(shaped, facts, lenient=lenient)
    if isinstance(shaped, dict):
        found: Object = {name: fill(item, facts, lenient=lenient) for name, item in shaped.items()}
        return {name: item for name, item in found.items() if item is not ABSENT}
    if isinstance(shaped, list):
        return [item for item in (fill(each, facts, lenient=lenient) for each in shaped) if item is not ABSENT]
    plain: Value = shaped
    return plain


def _fill_text(text: Template, facts: Value, *, lenient: bool) -> Value | Absent:
    try:
        return text.value(facts)
    except CannotFill:
        if lenient:
            return ABSENT
        raise


def templates_in(shaped: Shape, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Template]]:
    """Give every template of a shape with its place."""
    if isinstance(shaped, Template):
        yield at, shaped
    elif isinstance(shaped, dict):
        for name, item in shaped.items():
            yield from templates_in(item, (*at, name))
    elif isinstance(shaped, list):
        for index, item in enumerate(shaped):
            yield from templates_in(item, (*at, index))
