"""The schema of an operation's arguments: a part of JSON Schema in which each field stands for itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.documents import Fault, Schema, schema_file
from console.documents.patterns import regular_expression
from console.exact.decimals import decimal_string
from console.exact.pointer import pointer
from console.exact.value import Object, Value
from runs.contracts import fields
from runs.contracts.fields import Field, as_number, canonical_decimal

RESERVED = frozenset({"arguments", "effect", "secret", "dependency", "deadline"})  # templates mean something else
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
SCHEMA = schema_file(Path(__file__).parent / "schema" / "arguments.json")
_SUBSET = Schema(SCHEMA)


@dataclass(frozen=True, slots=True)
class ArgumentRules:
    """An argument schema in normal form, and made ready."""

    document: Object
    root: Field = field(repr=False, compare=False)


def argument_rules(document: Object) -> ArgumentRules:
    """Make a schema in normal form ready to read arguments."""
    return ArgumentRules(document, fields.field(document))


def normal(document: Value) -> Value:
    """Give the schema's normal form: no unknown fields unless it says so, and decimals as canonical decimal strings."""
    if not isinstance(document, dict):
        return document
    found = dict(document)
    if found.get("format") == "decimal":
        for word in {*BOUNDS, "const", "default"} & found.keys():
            found[word] = canonical_decimal(found[word])
        if isinstance(found.get("enum"), list):
            found["enum"] = [canonical_decimal(item) for item in found["enum"]]
    if found.get("type") == "object" or "properties" in found:
        found.setdefault("additionalProperties", False)
    if isinstance(found.get("properties"), dict):
        found["properties"] = {name: normal(part) for name, part in found["properties"].items()}
    if "items" in found:
        found["items"] = normal(found["items"])
    return found


def schema_faults(document: Value) -> list[Fault]:
    """Give what is wrong with an argument schema: outside the subset, contradictory, or with a default it refuses."""
    faults = _SUBSET.faults(document)
    return faults or sorted(_faults(normal(document), ()))


def _faults(schema: Any, at: tuple[str, ...]) -> Iterator[Fault]:
    own = [*_name_faults(schema, at), *_decimal_faults(schema, at), *_pattern_faults(schema, at)]
    inner = [fault for place, part in _parts(schema) for fault in _faults(part, (*at, *place))]
    yield from own
    yield from inner
    if "default" in schema and not own and not inner:
        yield from _default_faults(schema, at)


def _parts(schema: Object) -> Iterator[tuple[tuple[str, ...], Object]]:
    for name, part in schema.get("properties", {}).items():
        yield ("properties", name), part
    if "items" in schema:
        yield ("items",), schema["items"]


def _name_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    properties: Object = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in properties and not schema.get("additionalProperties"):
            yield Fault(pointer([*at, "required"]), "unknown_argument", f"{name} is required but not a property.")
    for name in RESERVED & properties.keys():
        yield Fault(pointer([*at, "properties", name]), "reserved_name", "Templates mean something else by this name.")


def _decimal_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    types = schema.get("type")
    is_decimal = schema.get("format") == "decimal"
    if is_decimal and set(types if isinstance(types, list) else [types]) - {"string", "null"}:
        yield Fault(pointer([*at, "format"]), "not_text", "format decimal needs type string.")
    for word in BOUNDS:
        bound = schema.get(word)
        if isinstance(bound, str) and (not is_decimal or decimal_string(bound) is None):
            yield Fault(pointer([*at, word]), "wrong_type", "This must be a number.")
        elif word == "multipleOf" and bound is not None and as_number(bound) <= 0:
            yield Fault(pointer([*at, word]), "out_of_range", "This must be above 0.")


def _pattern_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    if "pattern" not in schema:
        return
    try:
        regular_expression(schema["pattern"])
    except re.error as why:
        yield Fault(pointer([*at, "pattern"]), "bad_format", f"This is no regular expression: {why}.")
    if "maxLength" not in schema:
        yield Fault(pointer([*at, "maxLength"]), "missing", "A text with a pattern needs a bound on its length.")


def _default_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    faults: list[Fault] = []
    fields.field(schema).take(schema["default"], (*at, "default"), faults)
    return (Fault(fault.path, "bad_default", f"The default is not taken: {fault.message}") for fault in faults)
