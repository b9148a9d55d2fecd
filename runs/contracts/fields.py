"""A field of an argument schema, made ready once: it fills defaults in, brings decimals to canonical form and judges.

One pass over a value does all three, because every effect that is accepted goes through it. The words mean what JSON
Schema 2020-12 means by them; tests compare the two.
"""

import copy
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from operator import ge, gt, le, lt
from typing import Any, TypeAlias
from uuid import UUID

from console.documents import Fault
from console.documents.patterns import regular_expression
from console.documents.schema import is_multiple, said
from console.exact import canonical, number_text
from console.exact.decimals import decimal_string, from_text
from console.exact.pointer import pointer
from console.exact.value import Number, Object, Value

Check: TypeAlias = tuple[str, Any, Callable[[Any], bool]]  # the word, what it wants, whether a value keeps it
Place: TypeAlias = tuple[str | int, ...]

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_COUNTS: dict[str, Callable[[int, int], bool]] = {"min": ge, "max": le}
_BOUNDS: dict[str, Callable[[Number, Number], bool]] = {
    "minimum": ge,
    "maximum": le,
    "exclusiveMinimum": gt,
    "exclusiveMaximum": lt,
    "multipleOf": is_multiple,
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its types, what its values must keep, and what is inside."""

    types: frozenset[str]  # empty: any
    wanted: Any
    is_decimal: bool
    of_any: tuple[Check, ...]
    of_text: tuple[Check, ...]
    of_numbers: tuple[Check, ...]
    of_lists: tuple[Check, ...]
    of_objects: tuple[Check, ...]
    items: "Field | None"
    properties: dict[str, "Field"]
    required: tuple[str, ...]
    takes_others: bool
    defaults: Object

    def take(self, value: Value, at: Place, faults: list[Fault]) -> Value:
        """Give the value as it takes effect, adding what is wrong with it to `faults`."""
        if self.is_decimal:
            value = canonical_decimal(value)
        kind = kind_of(value)
        if self.types and kind not in self.types and not (kind == "integer" and "number" in self.types):
            faults.append(_fault("type", self.wanted, at))
        elif kind == "string":
            self._judge_text(value, at, faults)
        elif kind == "object":
            value = self._take_object(value, at, faults)
            _judge(self.of_objects, value, at, faults)
        elif kind == "array":
            value = self._take_list(value, at, faults)
            _judge(self.of_lists, value, at, faults)
        elif kind in {"integer", "number"}:
            _judge(self.of_numbers, value, at, faults)
        _judge(self.of_any, value, at, faults)
        return value

    def _judge_text(self, text: Any, at: Place, faults: list[Fault]) -> None:
        _judge(self.of_text, text, at, faults)
        if self.is_decimal:
            number = decimal_string(text)
            if number is not None:
                _judge(self.of_numbers, number, at, faults)

    def _take_object(self, value: Any, at: Place, faults: list[Fault]) -> Object:
        found: Object = {}
        for name, item in value.items():
            if name in self.properties:
                found[name] = self.properties[name].take(item, (*at, name), faults)
            elif self.takes_others:
                found[name] = copy.deepcopy(item)
            else:
                faults.append(Fault(pointer([*at, name]), "unknown_field", "There is no such field."))
        for name, default in self.defaults.items():
            if name not in found:
                found[name] = self.properties[name].take(default, (*at, name), faults)
        absent = (name for name in self.required if name not in found)
        faults.extend(Fault(pointer([*at, name]), "missing", "This is missing.") for name in absent)
        return found

    def _take_list(self, value: Any, at: Place, faults: list[Fault]) -> list[Any]:
        if self.items is None:
            return copy.deepcopy(value)
        return [self.items.take(item, (*at, index), faults) for index, item in enumerate(value)]


def field(schema: Object) -> Field:
    """Make a field of an argument schema that is in normal form."""
    types: Any = schema.get("type", [])
    properties: Object = schema.get("properties", {})
    return Field(
        types=frozenset(types if isinstance(types, list) else [types]),
        wanted=types,
        is_decimal=schema.get("format") == "decimal",
        of_any=tuple(_equality(schema)),
        of_text=(*_counts(schema, "Length"), *_texts(schema)),
        of_numbers=tuple(_bounds(schema)),
        of_lists=(*_counts(schema, "Items"), *_unique(schema)),
        of_objects=tuple(_counts(schema, "Properties")),
        items=field(schema["items"]) if "items" in schema else None,
        properties={name: field(part) for name, part in properties.items()},
        required=tuple(schema.get("required", ())),
        takes_others=schema.get("additionalProperties", True),
        defaults={name: part["default"] for name, part in properties.items() if "default" in part},
    )


def kind_of(value: Value) -> str:
    """Give the JSON type of a value; a number without a fraction is an integer however it is written."""
    if isinstance(value, str):
        return "string"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    return "integer" if isinstance(value, int) or value == value.to_integral_value() else "number"


def canonical_decimal(value: Value) -> Value:
    """Give a number, or text with a number in it, as the canonical decimal string; anything else as it is."""
    number: Number | None = None
    if isinstance(value, str):
        number = from_text(value)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        number = value
    return value if number is None else number_text(number)


def as_number(bound: Value) -> Number:
    """Give a bound as a number, whether it is written as one or as a decimal string."""
    found = decimal_string(bound) if isinstance(bound, str) else bound
    return found if isinstance(found, int | Decimal) else 0


def _judge(checks: Sequence[Check], value: Any, at: Place, faults: list[Fault]) -> None:
    for word, wanted, keeps in checks:
        if not keeps(value):
            faults.append(_fault(word, wanted, at))


def _fault(word: str, wanted: Any, at: Place) -> Fault:
    code, message = said(word, wanted)
    return Fault(pointer(at), code, message)


def _equality(schema: Object) -> Iterable[Check]:
    for word in ("enum", "const"):
        if word in schema:
            taken = frozenset(map(canonical, schema[word] if word == "enum" else [schema[word]]))
            yield word, schema[word], partial(_is_one_of, taken)


def _is_one_of(taken: frozenset[str], value: Any) -> bool:
    return canonical(value) in taken


def _counts_to(keeps: Callable[[int, int], bool], bound: int, value: Any) -> bool:
    return keeps(len(value), bound)


def _compares_to(keeps: Callable[[Number, Number], bool], bound: Number, value: Any) -> bool:
    return keeps(value, bound)


def _counts(schema: Object, of: str) -> Iterable[Check]:
    for which, keeps in _COUNTS.items():
        word = which + of
        if word in schema:
            yield word, schema[word], partial(_counts_to, keeps, schema[word])


def _texts(schema: Object) -> Iterable[Check]:
    if "pattern" in schema:
        pattern = regular_expression(schema["pattern"])
        yield "pattern", schema["pattern"], lambda text: pattern.search(text) is not None
    if "format" in schema:
        yield "format", schema["format"], _FORMATS[schema["format"]]


def _bounds(schema: Object) -> Iterable[Check]:
    for word, keeps in _BOUNDS.items():
        if word in schema:
            yield word, schema[word], partial(_compares_to, keeps, as_number(schema[word]))


def _unique(schema: Object) -> Iterable[Check]:
    if schema.get("uniqueItems"):
        yield "uniqueItems", True, lambda value: len(set(map(canonical, value))) == len(value)


def _parses(pattern: re.Pattern[str], parse: Callable[[str], object]) -> Callable[[str], bool]:
    def keeps(text: str) -> bool:
        try:
            return pattern.fullmatch(text) is not None and parse(text) is not None
        except ValueError:
            return False

    return keeps


_FORMATS: dict[str, Callable[[str], bool]] = {
    "decimal": lambda text: decimal_string(text) is not None,
    "date": _parses(_DATE, date.fromisoformat),
    "date-time": _parses(_DATE_TIME, datetime.fromisoformat),
    "uuid": _parses(_UUID, UUID),
}
