"""Judging a value by a JSON Schema (2020-12) exactly: numbers stay whole or decimal, and every fault has its place."""

from collections.abc import Callable, Iterator
from decimal import Context, Decimal, Inexact
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from console.documents.faults import Fault
from console.documents.patterns import regular_expression
from console.exact import number_text
from console.exact.conditions.forms import is_number
from console.exact.pointer import pointer
from console.exact.value import Number, Object, Value

_EXACT = Context(prec=600, traps=[Inexact])


def _is_integer(_: Any, value: object) -> bool:
    return is_number(value) and value == int(value)  # type: ignore[call-overload]


def is_multiple(number: Number, factor: Number) -> bool:
    """Tell whether the number is a whole multiple of the factor, without rounding."""
    return _EXACT.remainder(Decimal(number), Decimal(factor)) == 0


def _multiple_of(_: Any, factor: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    if is_number(value) and not is_multiple(value, factor):
        yield ValidationError("not a multiple")


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not regular_expression(pattern).search(value):
        yield ValidationError("no match")


_extend: Any = extend  # it has no annotations of its own

_Exact = _extend(
    Draft202012Validator,
    validators={"multipleOf": _multiple_of, "pattern": _pattern},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": lambda _, value: is_number(value)}
    ),
)


class Schema:
    """A JSON Schema, made ready once."""

    def __init__(self, document: Object) -> None:
        self.document = document
        self._validator = _Exact(document)

    def faults(self, value: Value) -> list[Fault]:
        """Give everything that is wrong with the value, in the order of its places."""
        return sorted({fault for error in self._validator.iter_errors(value) for fault in _faults(error)})


def _faults(error: ValidationError) -> Iterator[Fault]:
    at = list(error.absolute_path)
    keyword = str(error.validator)
    wanted: Any = error.validator_value
    instance: Any = error.instance
    schema: Any = error.schema
    if keyword == "required":
        for name in wanted:
            if name not in instance:
                yield Fault(pointer([*at, name]), "missing", "This is missing.")
    elif keyword in {"additionalProperties", "unevaluatedProperties"}:
        for name in instance:
            if name not in schema.get("properties", {}):
                yield Fault(pointer([*at, name]), "unknown_field", "There is no such field.")
    else:
        code, message = said(keyword, wanted)
        yield Fault(pointer(at), code, message)


def said(keyword: str, wanted: Any) -> tuple[str, str]:
    """Give the code and the words for a value that does not keep a keyword of JSON Schema."""
    code, message = _SAID.get(keyword, (keyword, lambda _: "This is not allowed here."))
    return code, message(wanted)


def _listed(values: Any) -> str:
    words = [_shown(value) for value in (values if isinstance(values, list) else [values])]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(value: Any) -> str:
    return number_text(value) if is_number(value) else "null" if value is None else str(value)


_SAID: dict[str, tuple[str, Callable[[Any], str]]] = {
    "type": ("wrong_type", lambda wanted: f"This must be of type {_listed(wanted)}."),
    "enum": ("not_allowed", lambda wanted: f"This must be {_listed(wanted)}."),
    "anyOf": ("not_allowed", lambda _: "This has none of the forms that can stand here."),
    "const": ("not_allowed", lambda wanted: f"This must be {_listed(wanted)}."),
    "pattern": ("bad_format", lambda wanted: f"This must match {wanted}."),
    "format": ("bad_format", lambda wanted: f"This must be written as {wanted}."),
    "propertyNames": ("bad_format", lambda _: "This name cannot be used."),
    "minimum": ("out_of_range", lambda wanted: f"This must be at least {_shown(wanted)}."),
    "maximum": ("out_of_range", lambda wanted: f"This must be at most {_shown(wanted)}."),
    "exclusiveMinimum": ("out_of_range", lambda wanted: f"This must be above {_shown(wanted)}."),
    "exclusiveMaximum": ("out_of_range", lambda wanted: f"This must be below {_shown(wanted)}."),
    "multipleOf": ("out_of_range", lambda wanted: f"This must be a multiple of {_shown(wanted)}."),
    "minLength": ("wrong_length", lambda wanted: f"This must have at least {wanted} characters."),
    "maxLength": ("wrong_length", lambda wanted: f"This must have at most {wanted} characters."),
    "minItems": ("wrong_length", lambda wanted: f"This must have at least {wanted} items."),
    "maxItems": ("wrong_length", lambda wanted: f"This must have at most {wanted} items."),
    "minProperties": ("wrong_length", lambda wanted: f"This must have at least {wanted} fields."),
    "maxProperties": ("wrong_length", lambda wanted: f"This must have at most {wanted} fields."),
    "uniqueItems": ("doubled", lambda _: "The same item stands twice."),
}
