"""The schema of an operation's arguments: a part of JSON Schema, made ready once, that judges decimals exactly."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from operator import ge, gt, le, lt
from pathlib import Path
from typing import Any
from uuid import UUID

from jsonschema.exceptions import ValidationError

from console.documents import Fault, Schema, filled, schema_file
from console.documents.schema import is_multiple
from console.exact import number_text
from console.exact.conditions.forms import is_number
from console.exact.decimals import decimal_string, from_text
from console.exact.pointer import pointer
from console.exact.value import Number, Object, Value

RESERVED = frozenset(
    {"arguments", "effect", "secret", "dependency", "deadline"}
)  # a template means something else by them
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SUBSET = Schema(schema_file(Path(__file__).parent / "schema" / "arguments.json"))
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class ArgumentRules:
    """An argument schema made ready: `document` is its normal form."""

    document: Object
    schema: Schema


def argument_rules(document: Object) -> ArgumentRules:
    """Make a schema in normal form ready to judge arguments."""
    return ArgumentRules(document, Schema(document, _EXACT_KEYWORDS))


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


def canonical_decimal(value: Value) -> Value:
    """Give a number, or text with a number in it, as the canonical decimal string; anything else as it is."""
    number: Number | None = None
    if isinstance(value, str):
        number = from_text(value)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        number = value
    return value if number is None else number_text(number)


def coerced(value: Any, schema: Object) -> Any:
    """Give the value with every field of format decimal as a canonical decimal string."""
    if schema.get("format") == "decimal":
        return canonical_decimal(value)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {name: coerced(item, properties.get(name, {})) for name, item in value.items()}
    if isinstance(value, list):
        return [coerced(item, schema.get("items", {})) for item in value]
    return value


def schema_faults(document: Value) -> list[Fault]:
    """Give what is wrong with an argument schema: outside the subset, contradictory, or with a default it refuses."""
    faults = _SUBSET.faults(document)
    return faults or sorted(_faults(normal(document), ()))


def _faults(schema: Any, at: tuple[str, ...]) -> Iterator[Fault]:
    properties: Object = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in properties and not schema.get("additionalProperties"):
            yield Fault(
                pointer([*at, "required"]), "unknown_argument", f"{name} is required but not among the properties."
            )
    for name in RESERVED & properties.keys():
        yield Fault(pointer([*at, "properties", name]), "reserved_name", "Templates mean something else by this name.")
    yield from _decimal_faults(schema, at)
    yield from _pattern_faults(schema, at)
    if "default" in schema:
        yield from _default_faults(schema, at)
    for name, part in properties.items():
        yield from _faults(part, (*at, "properties", name))
    if "items" in schema:
        yield from _faults(schema["items"], (*at, "items"))


def _decimal_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    types = schema.get("type")
    is_decimal = schema.get("format") == "decimal"
    if is_decimal and set(types if isinstance(types, list) else [types]) - {"string", "null"}:
        yield Fault(pointer([*at, "format"]), "not_text", "format decimal needs type string.")
    for word in BOUNDS:
        bound = schema.get(word)
        if isinstance(bound, str) and (not is_decimal or decimal_string(bound) is None):
            yield Fault(pointer([*at, word]), "wrong_type", "This must be a number.")
        elif word == "multipleOf" and bound is not None and _number(bound) <= 0:
            yield Fault(pointer([*at, word]), "out_of_range", "This must be above 0.")


def _pattern_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    if "pattern" not in schema:
        return
    try:
        re.compile(schema["pattern"])
    except re.error as why:
        yield Fault(pointer([*at, "pattern"]), "bad_format", f"This is no regular expression: {why}.")
    if "maxLength" not in schema:
        yield Fault(pointer([*at, "maxLength"]), "missing", "A text with a pattern needs a bound on its length.")


def _default_faults(schema: Object, at: tuple[str, ...]) -> Iterator[Fault]:
    without = {word: part for word, part in schema.items() if word != "default"}
    value = coerced(filled(schema["default"], without), without)
    for fault in Schema(without, _EXACT_KEYWORDS).faults(value):
        yield Fault(pointer([*at, "default"]) + fault.path, "bad_default", f"The default is not taken: {fault.message}")


def _number(bound: Any) -> Number:
    found = decimal_string(bound) if isinstance(bound, str) else bound
    return Decimal(0) if found is None else found


def _comparing(keeps: Callable[[Number, Number], bool]) -> Callable[..., Iterator[ValidationError]]:
    """Make a keyword that compares numbers, and decimal strings where the schema says that they are."""

    def keyword(_: Any, bound: Any, value: Any, schema: Object) -> Iterator[ValidationError]:
        number = decimal_string(value) if isinstance(value, str) and schema.get("format") == "decimal" else value
        if isinstance(number, int | Decimal) and is_number(number) and not keeps(number, _number(bound)):
            yield ValidationError("outside the bound")

    return keyword


def _format(_: Any, wanted: str, value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not _FORMATS[wanted](value):
        yield ValidationError("not of this format")


def _parses(pattern: re.Pattern[str], parse: Callable[[str], object]) -> Callable[[str], bool]:
    def holds(text: str) -> bool:
        try:
            return pattern.fullmatch(text) is not None and parse(text) is not None
        except ValueError:
            return False

    return holds


_FORMATS: dict[str, Callable[[str], bool]] = {
    "decimal": lambda text: decimal_string(text) is not None,
    "date": _parses(_DATE, date.fromisoformat),
    "date-time": _parses(_DATE_TIME, datetime.fromisoformat),
    "uuid": _parses(_UUID, UUID),
}

_EXACT_KEYWORDS: dict[str, Callable[..., Any]] = {
    "minimum": _comparing(ge),
    "maximum": _comparing(le),
    "exclusiveMinimum": _comparing(gt),
    "exclusiveMaximum": _comparing(lt),
    "multipleOf": _comparing(is_multiple),
    "format": _format,
}
