"""A field of an argument schema means what JSON Schema means by it; jsonschema is the oracle."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.documents import Fault, Schema
from console.documents.patterns import regular_expression
from console.exact import canonical
from runs.contracts.argument_schema import normal, schema_faults
from runs.contracts.fields import field, kind_of

NUMBERS = st.integers(-3, 3) | st.sampled_from([Decimal("0.5"), Decimal("1.0"), Decimal("-2.5"), Decimal("0.1")])
TEXTS = st.sampled_from(["", "a", "ab", "abc", "1", "1.50", "x\n"])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from("abc"), v, max_size=3), max_leaves=6
)
TYPES = st.sampled_from(["string", "number", "integer", "boolean", "null", "object", "array"])
COUNTS = st.integers(0, 3)


def schemas(inner: st.SearchStrategy[Any] | None) -> st.SearchStrategy[dict[str, Any]]:
    optional: dict[str, Any] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
        "const": SCALARS,
        "uniqueItems": st.booleans(),
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "additionalProperties": st.booleans(),
        "multipleOf": st.sampled_from([1, 2, Decimal("0.1"), Decimal("0.5")]),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), COUNTS),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS),
    }
    if inner is not None:
        optional |= {"items": inner, "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3)}
    return st.fixed_dictionaries({}, optional=optional)


def taken(schema: Any, value: Any) -> tuple[Any, list[Fault]]:
    faults: list[Fault] = []
    return field(normal(schema)).take(value, (), faults), sorted(set(faults))  # type: ignore[arg-type]


@given(schemas(schemas(schemas(None))), VALUES)
@settings(max_examples=600, deadline=None)
def test_a_field_judges_as_json_schema_does(schema, value):
    found, faults = taken(schema, value)
    expected = [fault for fault in Schema(normal(schema)).faults(value) if fault.path or fault.code]  # type: ignore[arg-type]
    assert bool(faults) == bool(expected)
    if not faults:
        assert canonical(found) == canonical(value)


def test_the_faults_are_the_same_words_at_the_same_places():
    schema = {
        "type": "object",
        "required": ["a", "b"],
        "properties": {"a": {"type": "array", "items": {"type": "integer", "maximum": 5}}},
    }
    value = {"a": [1, 9, "x"], "c": 1}
    assert taken(schema, value)[1] == Schema(normal(schema)).faults(value)  # type: ignore[arg-type]


def test_the_value_given_is_left_as_it_was():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "object", "default": {}, "properties": {"b": {"default": [1]}}}},
    }
    given_value: dict[str, Any] = {}
    first, _ = taken(schema, given_value)
    first["a"]["b"].append(2)
    assert given_value == {}
    assert taken(schema, {})[0] == {"a": {"b": [1]}}


def test_a_pattern_ends_where_the_text_ends():
    assert regular_expression("^a$").search("a")
    assert not regular_expression("^a$").search("a\n")
    assert regular_expression(r"^\$[$]$").search("$$")
    assert regular_expression(r"^[]$]$").search("]")
    assert not regular_expression(r"^\d$").search("\u0661")
    iban = {"type": "string", "pattern": "^[A-Z]{2}[0-9]{2}$", "maxLength": 34}
    assert taken(iban, "DE12")[1] == []
    assert taken(iban, "DE12\n")[1][0].code == "bad_format"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "boolean"),
        (1, "integer"),
        (Decimal("1.0"), "integer"),
        (Decimal("1.5"), "number"),
        (None, "null"),
        ("1", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_kinds(value, kind):
    assert kind_of(value) == kind


@given(schemas(schemas(None)))
@settings(max_examples=200, deadline=None)
def test_no_schema_of_the_subset_breaks_the_checks(schema):
    schema_faults({"type": "object", "properties": {"x": schema}})
