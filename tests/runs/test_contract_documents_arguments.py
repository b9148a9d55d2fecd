"""What takes effect is what is shown, approved, digested and sent: defaults filled in, decimals exact, nothing unknown."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.documents import Fault
from console.exact import canonical, decode
from runs.contracts import validate
from runs.contracts.argument_schema import argument_rules, normal, schema_faults
from runs.contracts.arguments import BadArguments, effective, summary, target
from tests.runs.contract_documents import changed, example, read, refund_with

REFUND = read(example("refund"))
SENT = {"order": "8812", "amount": "120.50"}


def refused(arguments: Any) -> set[tuple[str, str]]:
    with pytest.raises(BadArguments) as refusal:
        effective(REFUND, arguments)
    return {(fault.code, fault.path) for fault in refusal.value.faults}


def test_defaults_are_filled_in_and_decimals_made_canonical():
    assert effective(REFUND, SENT) == {"order": "8812", "amount": "120.5", "currency": "EUR"}


def test_what_was_sent_is_left_as_it_was():
    sent = dict(SENT)
    effective(REFUND, sent)
    assert sent == SENT


@pytest.mark.parametrize("amount", ["120.50", "120.5", Decimal("120.50"), "1.205e2", Decimal("1205e-1"), "120.5000"])
def test_an_amount_has_one_form_however_it_is_sent(amount):
    assert effective(REFUND, {"order": "8812", "amount": amount})["amount"] == "120.5"


@pytest.mark.parametrize(
    ("arguments", "code", "path"),
    [
        (None, "wrong_type", "/arguments"),
        ([], "wrong_type", "/arguments"),
        ({"amount": "1"}, "missing", "/arguments/order"),
        ({**SENT, "colour": "red"}, "unknown_field", "/arguments/colour"),
        ({**SENT, "a/b": 1}, "unknown_field", "/arguments/a~1b"),
        ({**SENT, "order": 8812}, "wrong_type", "/arguments/order"),
        ({**SENT, "order": ""}, "wrong_length", "/arguments/order"),
        ({**SENT, "order": "x" * 65}, "wrong_length", "/arguments/order"),
        ({**SENT, "currency": "eur"}, "not_allowed", "/arguments/currency"),
        ({**SENT, "currency": None}, "not_allowed", "/arguments/currency"),
        ({**SENT, "amount": True}, "wrong_type", "/arguments/amount"),
        ({**SENT, "amount": None}, "wrong_type", "/arguments/amount"),
        ({**SENT, "amount": ""}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "1,50"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "+1"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": " 1"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "1\n"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "007"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "\u0661"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "NaN"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": "1e999"}, "bad_format", "/arguments/amount"),
        ({**SENT, "amount": 0}, "out_of_range", "/arguments/amount"),
        ({**SENT, "amount": "-1"}, "out_of_range", "/arguments/amount"),
        ({**SENT, "amount": "10000.01"}, "out_of_range", "/arguments/amount"),
        ({**SENT, "amount": "0.001"}, "out_of_range", "/arguments/amount"),
        ({**SENT, "amount": "0.1000000000000000055511151231257827"}, "out_of_range", "/arguments/amount"),
    ],
)
def test_what_the_contract_does_not_take_is_refused_with_its_place(arguments, code, path):
    assert (code, path) in refused(arguments)


def test_every_fault_is_named_at_once():
    assert refused({"amount": "x", "colour": 1}) == {
        ("missing", "/arguments/order"),
        ("bad_format", "/arguments/amount"),
        ("unknown_field", "/arguments/colour"),
    }


@given(st.decimals("0.01", "10000", places=2))
@settings(deadline=None)
def test_any_amount_survives_exactly(amount):
    found = effective(REFUND, {"order": "8812", "amount": amount})
    assert Decimal(found["amount"]) == amount
    assert effective(REFUND, found) == found


LOOKUP = read(example("lookup"))


@pytest.mark.parametrize("order", [".", "..", "../effects/1", "a\\..\\b"])
def test_what_could_not_be_sent_is_refused_at_the_door(order):
    with pytest.raises(BadArguments) as refusal:
        effective(LOOKUP, {"order": order})
    assert [(fault.code, fault.path) for fault in refusal.value.faults] == [("cannot_be_sent", "/arguments/order")]


def test_what_can_be_sent_passes_the_door():
    assert effective(LOOKUP, {"order": "a/b?c ü"}) == {"order": "a/b?c ü"}
    assert REFUND.rehearsals == ()  # nothing that its arguments could spoil


# Schemas


def effective_by(schema: dict[str, Any], value: Any) -> Any:
    return effective(read(refund_with(arguments=with_refunds_own(schema))), {**SENT, **value})


def with_refunds_own(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {**example("refund").value["arguments"]["properties"], **schema}
    return {"type": "object", "required": ["order", "amount"], "properties": properties}


def test_numbers_are_judged_exactly():
    schema = {
        "n": {"type": "number", "multipleOf": Decimal("0.1"), "maximum": Decimal("0.3")},
        "i": {"type": "integer"},
    }
    assert effective_by(schema, {"n": Decimal("0.3"), "i": 2**60 + 1})["i"] == 2**60 + 1
    assert effective_by(schema, {"i": Decimal("3.0")})["i"] == 3
    for bad in ({"n": Decimal("0.30000000000000000001")}, {"n": Decimal("0.25")}, {"i": Decimal("3.5")}, {"i": True}):
        with pytest.raises(BadArguments):
            effective_by(schema, bad)
    assert "0.3" in canonical(effective_by(schema, {"n": Decimal("0.30")}))


def test_defaults_reach_into_objects_and_lists():
    line = {
        "type": "object",
        "required": ["sku"],
        "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "default": 1}},
    }
    schema = {
        "lines": {"type": "array", "items": line},
        "ship": {"type": "object", "default": {}, "properties": {"speed": {"type": "string", "default": "slow"}}},
    }
    found = effective_by(schema, {"lines": [{"sku": "a"}, {"sku": "b", "count": 2}]})
    assert found["lines"] == [{"sku": "a", "count": 1}, {"sku": "b", "count": 2}]
    assert found["ship"] == {"speed": "slow"}
    with pytest.raises(BadArguments) as refusal:
        effective_by(schema, {"lines": [{"sku": "a", "colour": 1}]})
    assert refusal.value.faults[0].path == "/arguments/lines/0/colour"


def test_decimals_are_canonical_wherever_they_stand():
    money = {"type": "string", "format": "decimal", "minimum": "0.50", "enum": ["0.50", "1.00"]}
    found = effective_by(
        {"lines": {"type": "array", "items": {"type": "object", "properties": {"fee": money}}}}, {"lines": [{"fee": 1}]}
    )
    assert found["lines"] == [{"fee": "1"}]


def test_unknown_fields_are_kept_where_the_contract_takes_them():
    found = effective_by(
        {"meta": {"type": "object", "additionalProperties": True}}, {"meta": {"any": [1, Decimal("2.0")]}}
    )
    assert found["meta"] == {"any": [1, Decimal("2.0")]}


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", ["2026-02-28"], ["2026-02-30", "28.2.2026", "20260228"]),
        (
            "date-time",
            ["2026-02-28T23:59:59Z", "2026-02-28T23:59:59.5+01:00"],
            ["2026-02-28", "2026-02-28T24:00:61Z", "2026-02-28T10:00:00"],
        ),
        (
            "uuid",
            ["0190b6a4-5f3c-7d2a-9c1e-0242ac120002"],
            ["0190b6a4", "not-a-uuid", "0190b6a45f3c7d2a9c1e0242ac120002"],
        ),
    ],
)
def test_formats_are_checked(name, good, bad):
    schema = {"x": {"type": "string", "format": name}}
    for text in good:
        assert effective_by(schema, {"x": text})["x"] == text
    for text in bad:
        with pytest.raises(BadArguments):
            effective_by(schema, {"x": text})


@pytest.mark.parametrize(
    ("schema", "code", "path"),
    [
        ({"type": "string"}, "not_allowed", "/type"),
        ({"properties": {}}, "missing", "/type"),
        ({"type": "object", "$ref": "#/x"}, "unknown_field", "/$ref"),
        ({"type": "object", "properties": {"a": {"oneOf": []}}}, "unknown_field", "/properties/a/oneOf"),
        ({"type": "object", "properties": {"a": {"format": "email"}}}, "not_allowed", "/properties/a/format"),
        ({"type": "object", "properties": {"a b": {}}}, "bad_format", "/properties"),
        ({"type": "object", "properties": {"effect": {}}}, "reserved_name", "/properties/effect"),
        ({"type": "object", "required": ["a"]}, "unknown_argument", "/required"),
        (
            {"type": "object", "properties": {"a": {"type": "number", "format": "decimal"}}},
            "not_text",
            "/properties/a/format",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "number", "minimum": "0"}}},
            "wrong_type",
            "/properties/a/minimum",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "number", "multipleOf": 0}}},
            "out_of_range",
            "/properties/a/multipleOf",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "pattern": "(", "maxLength": 5}}},
            "bad_format",
            "/properties/a/pattern",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "pattern": "a+"}}},
            "missing",
            "/properties/a/maxLength",
        ),
        (
            {"type": "object", "properties": {"a": {"enum": ["x"], "default": "y"}}},
            "bad_default",
            "/properties/a/default",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "object", "default": {"b": 1}}}},
            "bad_default",
            "/properties/a/default/b",
        ),
    ],
)
def test_an_argument_schema_outside_the_subset_is_refused(schema, code, path):
    assert (code, path) in {(fault.code, fault.path) for fault in schema_faults(schema)}


def test_a_schema_fault_stands_under_the_contracts_arguments():
    faults = validate(refund_with(arguments__properties__order={"type": "text"}))
    assert [(fault.code, fault.path) for fault in faults] == [("not_allowed", "/arguments/properties/order/type")]


def test_a_rules_document_is_in_normal_form():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "format": "decimal", "minimum": Decimal("1.50"), "default": 2}},
    }
    found: Any = normal(schema)
    assert found["additionalProperties"] is False
    assert found["properties"]["a"] == {"type": "string", "format": "decimal", "minimum": "1.5", "default": "2"}
    faults: list[Fault] = []
    argument_rules(found).root.take({"a": "1.4"}, (), faults)
    assert faults == [Fault("/a", "out_of_range", "This must be at least 1.5.")]


# Target and sentence


def test_the_target_and_the_sentence_are_of_the_effective_arguments():
    arguments = effective(REFUND, SENT)
    assert target(REFUND, arguments) == "order:8812"
    assert summary(REFUND, arguments) == "Refund 120.50 EUR on order 8812"


def test_a_target_given_beside_must_be_the_contracts():
    arguments = effective(REFUND, SENT)
    assert target(REFUND, arguments, "order:8812") == "order:8812"
    with pytest.raises(BadArguments) as refusal:
        target(REFUND, arguments, "order:1")
    assert refusal.value.faults[0].code == "other_target"


def test_without_a_template_the_target_is_given():
    free = read(refund_with(target=None))
    assert target(free, {}, "order:8812") == "order:8812"
    for missing in (
        None,
        "",
        "order",
        "order:",
        ":8812",
        "or der:1",
        "order:a\nb",
        "order:" + "x" * 200,
        "order:\u202e1",
    ):
        with pytest.raises(BadArguments):
            target(free, {}, missing)


def test_a_sentence_shows_what_cannot_be_seen_and_nothing_is_cut_off():
    arguments = effective(REFUND, {"order": "88\u202e12", "amount": "1"})
    assert summary(REFUND, arguments) == "Refund 1.00 EUR on order 88\\u202e12"
    long = read(changed(example("refund"), {"arguments.properties.order.maxLength": 9000}))
    tail = "x" * 8990 + "DELETE-ALL"
    assert summary(long, effective(long, {"order": tail, "amount": "1"})).endswith("DELETE-ALL")


def test_a_sentence_says_lists_whole_and_absent_things_plainly():
    contract = refund_with(
        summary="Refund {lines} for {note}",
        arguments__properties__lines={"type": "array", "items": {"type": "string"}},
        arguments__properties__note={"type": "string"},
    )
    assert summary(read(contract), {"lines": ["a", "b"], "order": "1"}) == 'Refund ["a","b"] for —'


def test_arguments_survive_being_stored():
    arguments = effective(REFUND, SENT)
    assert decode(canonical(arguments)) == arguments
