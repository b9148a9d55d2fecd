"""Faults of a contract's templates: what a placeholder names must exist, and be what can stand there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from console.documents import Fault
from console.exact.paths import BadPath, Path, path_of
from console.exact.pointer import pointer
from console.exact.value import Object
from runs.contracts.request import ROOTS
from runs.contracts.templates import BadTemplate, Template, shape, templates_in

EFFECT = frozenset({"key", "id", "fence", "fingerprint"})
AFTERWARDS = EFFECT | {"operation_id"}  # what a later call may name too
ANSWER = frozenset({"status", "headers", "body"})
_SECRET_NAME = re.compile(r"[a-z][a-z0-9-]{0,62}")
_TEXTLESS = {"object", "array"}


@dataclass(frozen=True, slots=True)
class Place:
    """What may stand at one place of a contract: the parts of the effect, the deadline, a secret; must it be text?"""

    arguments: Object
    effect: frozenset[str] = frozenset()
    deadline: bool = False
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """What the argument schema says of one path: its schema, and whether a value is always there."""

    schema: Object
    always: bool


def template_faults(value: Any, place: Place, at: str, *, needs_text: bool | None = None) -> Iterator[Fault]:
    """Give the faults of a text, or a JSON value of texts, that are templates.

    A lone placeholder may be absent or of any type and a longer text may not, unless `needs_text` says otherwise of both.
    """
    try:
        found = list(templates_in(shape(value, ROOTS)))
    except BadTemplate as bad:
        yield Fault(at, "bad_template", f"This is no template: {bad}.")
        return
    for inner, each in found:
        as_text = each.alone is None if needs_text is None else needs_text
        yield from placeholder_faults(each, place, at + pointer(inner), as_text=as_text)


def placeholder_faults(found: Template, place: Place, at: str, *, as_text: bool) -> Iterator[Fault]:
    """Give the faults of the placeholders of one template."""
    for path in found.paths:
        yield from _faults(path, place, at, as_text=as_text)


def answer_faults(value: Any, at: str, known: frozenset[str] = ANSWER) -> Iterator[Fault]:
    """Give the faults of templates over an answer: only its status, headers and body are known; a message has no status."""
    try:
        found = list(templates_in(shape(value)))
    except BadTemplate as bad:
        yield Fault(at, "bad_template", f"This is no template: {bad}.")
        return
    for inner, each in found:
        for path in each.paths:
            if path[0] not in known:
                yield Fault(at + pointer(inner), "unknown_fact", f"{{{'.'.join(path)}}} is no part of an answer.")


def path_faults(text: str, at: str) -> Iterator[Fault]:
    """Give the fault of a text that is to be a path into an answer."""
    try:
        path = path_of(text)
    except BadPath as bad:
        yield Fault(at, "bad_path", f"This is no path: {bad}.")
        return
    if path[0] not in ANSWER:
        yield Fault(at, "unknown_fact", f"{text} is no part of an answer.")


def _faults(path: Path, place: Place, at: str, *, as_text: bool) -> Iterator[Fault]:
    root, rest = path[0], path[1:]
    if root == "arguments":
        yield from argument_faults(rest, place.arguments, at, as_text=as_text)
    elif root == "secret":
        yield from _secret_faults(rest, place, at)
    elif not (
        (root == "effect" and len(rest) == 1 and rest[0] in place.effect) or (path == ("deadline",) and place.deadline)
    ):
        yield Fault(at, "not_here", f"{{{'.'.join(path)}}} cannot stand here.")


def _secret_faults(rest: Path, place: Place, at: str) -> Iterator[Fault]:
    if not place.secret:
        yield Fault(at, "secret_not_here", "Secrets stand in headers only, where they are never kept or shown.")
    elif len(rest) != 1 or not _SECRET_NAME.fullmatch(rest[0]):
        yield Fault(at, "bad_secret", "A secret is {secret.name}, its name of small letters, digits and hyphens.")


def argument_faults(path: Path, schema: Object, at: str, *, as_text: bool) -> Iterator[Fault]:
    """Give the faults of the path of one argument, by the schema of them all; `as_text`: it stands within other text."""
    name = ".".join(path)
    found = field_of(path, schema)
    if found is None:
        yield Fault(at, "unknown_argument", f"{{{name}}} is not among the arguments.")
    elif as_text:
        types = _types(found.schema)
        if types & _TEXTLESS:
            yield Fault(at, "not_text", f"{{{name}}} can be an object or a list, which has no plain text.")
        if not found.always:
            yield Fault(at, "may_be_absent", f"{{{name}}} can be absent; require it or give it a default.")
        elif "null" in types:
            yield Fault(at, "may_be_absent", f"{{{name}}} can be null, which has no plain text.")


def field_of(path: Path, schema: Object) -> Field | None:
    """Give what an argument schema says of one path; None where it is not among the arguments."""
    always = True
    for step in path:
        properties = schema.get("properties", {})
        if step in properties:
            always = always and (step in schema.get("required", []) or "default" in properties[step])
            schema = properties[step]
        elif schema.get("additionalProperties"):
            return Field({}, always=False)
        elif "items" in schema and step.isdigit():
            always, schema = False, schema["items"]
        else:
            return None
    return Field(schema, always) if path else None


def _types(schema: Object) -> set[str]:
    found = schema.get("type", [])
    return set(found if isinstance(found, list) else [found])
