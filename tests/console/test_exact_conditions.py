"""Structured conditions: reading, judging exactly, and saying them."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.exact import decode
from console.exact.conditions import ALWAYS, BadCondition, Condition, document, evaluate, parse, sentence


def check(path: str, op: str, value: Any) -> dict[str, Any]:
    return {"path": path, "op": op, "value": value}


ABOVE_100 = check("arguments.amount", "gt", 100)
IN_EUR = check("arguments.currency", "eq", "EUR")


@pytest.mark.parametrize(
    ("op", "value", "fact", "expected"),
    [
        ("eq", "EUR", "EUR", True),
        ("eq", "EUR", "eur", False),
        ("eq", 100, 100, True),
        ("eq", 100, Decimal("100.00"), True),
        ("eq", 100, "100.00", True),  # a decimal string compares as a number with a number
        ("eq", "100", 100, True),
        ("eq", "100", "100.0", False),  # two texts compare as text
        ("eq", 7, "007", False),  # an identifier is not a decimal string
        ("eq", 1, True, False),
        ("eq", True, True, True),
        ("eq", True, 1, False),
        ("eq", None, None, True),
        ("eq", None, 0, False),
        ("eq", "a", ["a"], False),
        ("in", [200, 201], 201, True),
        ("in", [200, 201], 202, False),
        ("in", ["EUR", 5], "5.0", True),
        ("gt", 100, "100.01", True),
        ("gt", 100, "100.00", False),
        ("gt", "99.99", 100, True),
        ("gt", "9", "10", True),  # an ordering is always of numbers
        ("gt", Decimal("0.1"), Decimal("0.1000000000000000000000000000000000000000001"), True),
        ("gt", 9007199254740992, 9007199254740993, True),
        ("gte", 100, 100, True),
        ("lt", 100, 99, True),
        ("lte", 100, "abc", False),
        ("lt", 100, None, False),
        ("lt", 100, False, False),
        ("prefix", "order:", "order:8812", True),
        ("prefix", "order:", "Order:8812", False),
        ("prefix", "1", 12, False),
        ("exists", True, None, True),
        ("exists", False, None, False),
    ],
)
def test_a_check_judges_a_fact(op, value, fact, expected):
    assert evaluate(parse(check("x", op, value)), {"x": fact}) is expected


@pytest.mark.parametrize("op", ["eq", "in", "lt", "lte", "gt", "gte", "prefix", "exists"])
def test_an_absent_fact_fails_every_check_but_exists_false(op):
    value = {"in": [1], "prefix": "a", "exists": True}.get(op, 1)
    assert not evaluate(parse(check("a.b", op, value)), {"a": {}})
    assert evaluate(parse({"not": check("a.b", op, value)}), {"a": {}})
    assert evaluate(parse(check("a.b", "exists", False)), {"a": 1})


def test_a_path_leads_through_objects_and_lists():
    facts = decode('{"body":{"items":[{"id":"x"},{"id":"y"}]},"headers":{"retry-after":"30"}}')
    assert evaluate(parse(check("body.items.1.id", "eq", "y")), facts)
    assert not evaluate(parse(check("body.items.2.id", "exists", True)), facts)
    assert not evaluate(parse(check("body.items.01.id", "exists", True)), facts)
    assert evaluate(parse(check("headers.retry-after", "gte", 30)), facts)


def test_groups_combine():
    both, either = parse({"all": [ABOVE_100, IN_EUR]}), parse({"any": [ABOVE_100, {"not": IN_EUR}]})
    cheap_in_eur = {"arguments": {"amount": "99", "currency": "EUR"}}
    assert not evaluate(both, cheap_in_eur)
    assert not evaluate(either, cheap_in_eur)
    assert evaluate(both, {"arguments": {"amount": "100.01", "currency": "EUR"}})
    assert evaluate(ALWAYS, {})


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ("amount > 100", "not_a_condition", ""),
        ({}, "missing_field", "/path"),
        ({"all": []}, "empty", "/all"),
        ({"any": {"path": "a"}}, "empty", "/any"),
        ({"all": [ABOVE_100], "any": [IN_EUR]}, "unknown_field", "/any"),
        ({"all": [ABOVE_100, {**IN_EUR, "extra": 1}]}, "unknown_field", "/all/1/extra"),
        ({"not": check("a", "is", 1)}, "unknown_op", "/not/op"),
        (check("a..b", "eq", 1), "bad_path", "/path"),
        (check("a b", "eq", 1), "bad_path", "/path"),
        (check("", "eq", 1), "bad_path", "/path"),
        (check("a." * 16 + "a", "eq", 1), "bad_path", "/path"),
        ({"path": 5, "op": "eq", "value": 1}, "bad_path", "/path"),
        (check("a", "eq", [1]), "bad_value", "/value"),
        (check("a", "eq", 0.5), "bad_value", "/value"),
        (check("a", "eq", 10**200), "bad_value", "/value"),
        (check("a", "eq", "x" * 1001), "bad_value", "/value"),
        (check("a", "in", "abc"), "bad_value", "/value"),
        (check("a", "in", []), "bad_value", "/value"),
        (check("a", "in", [1, {"b": 2}]), "bad_value", "/value/1"),
        (check("a", "gt", "2026-01-01"), "bad_value", "/value"),
        (check("a", "gt", True), "bad_value", "/value"),
        (check("a", "prefix", ""), "bad_value", "/value"),
        (check("a", "exists", 1), "bad_value", "/value"),
        ({"all": [ABOVE_100] * 200}, "too_large", ""),
        (
            {"not": {"not": {"not": {"not": {"not": {"not": {"not": {"not": {"not": {"not": 1}}}}}}}}}},
            "too_deep",
            "/not" * 10,
        ),
    ],
)
def test_what_is_not_a_condition_is_refused_by_name_and_place(value, code, path):
    with pytest.raises(BadCondition) as refusal:
        parse(value)
    assert (refusal.value.code, refusal.value.path) == (code, path)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"all": [ABOVE_100, IN_EUR]}, "the amount is above 100 and the currency is EUR"),
        (
            {"any": [ABOVE_100, {"all": [IN_EUR, ABOVE_100]}]},
            "the amount is above 100 or (the currency is EUR and the amount is above 100)",
        ),
        ({"not": {"any": [ABOVE_100, IN_EUR]}}, "it is not so that (the amount is above 100 or the currency is EUR)"),
        ({"not": ABOVE_100}, "the amount is not above 100"),
        ({"not": IN_EUR}, "the currency is not EUR"),
        (check("arguments.currency", "in", ["EUR", "USD", "GBP"]), "the currency is one of EUR, USD or GBP"),
        (check("status", "in", [200, 201]), "the status is one of 200 or 201"),
        (check("status", "eq", 409), "the status is 409"),
        (check("arguments.amount", "lte", Decimal("99.50")), "the amount is at most 99.5"),
        (check("target", "prefix", "order:"), "the target begins with order:"),
        ({"not": check("target", "prefix", "order:")}, "the target does not begin with order:"),
        (check("arguments.note", "exists", True), "the note is given"),
        ({"not": check("arguments.note", "exists", True)}, "the note is not given"),
        (check("run_type", "eq", "close-invoice"), "the run type is close-invoice"),
        (check("irreversible", "eq", True), "it is irreversible"),
        ({"not": check("irreversible", "eq", True)}, "it is not irreversible"),
        (check("body.payment.state", "eq", "done"), "the answer's payment's state is done"),
        (check("headers.retry-after", "exists", True), "the header retry-after is given"),
        (check("arguments.target", "eq", "x"), "the argument target is x"),
        (check("arguments.customer.name", "eq", "Ada Byron"), 'the customer\'s name is "Ada Byron"'),
        (check("arguments.code", "eq", "100"), 'the code is "100"'),
        (check("arguments.code", "eq", "true"), 'the code is "true"'),
        (check("arguments.code", "eq", True), "the code is true"),
        (check("arguments.code", "eq", None), "the code is null"),
        (check("arguments.code", "eq", 'a" and "b'), 'the code is "a\\" and \\"b"'),
        (check("arguments.code", "eq", "\u202egnp"), 'the code is "\\u202egnp"'),
    ],
)
def test_a_condition_is_said_as_a_sentence(value, said):
    assert sentence(parse(value)) == said


def test_no_condition_is_always():
    assert sentence(ALWAYS) == "always"


LEAVES = st.builds(
    check,
    st.sampled_from(["arguments.a", "target", "b.c"]),
    st.just("in"),
    st.lists(st.integers() | st.text(max_size=3), min_size=1, max_size=3),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda part: {"not": part}, inner)
    ),
    max_leaves=6,
)


@given(CONDITIONS)
@settings(deadline=None)
def test_a_condition_is_written_as_it_was_read(value):
    assert document(parse(value)) == value


@given(CONDITIONS, CONDITIONS)
@settings(deadline=None)
def test_conditions_that_differ_are_said_differently(one, other):
    if sentence(parse(one)) == sentence(parse(other)):
        assert _plain(parse(one)) == _plain(parse(other))


def _plain(condition: Condition) -> Any:
    """Give the condition without groups of one, which say nothing."""
    value = document(condition)
    return _without_lone_groups(value)


def _without_lone_groups(value: Any) -> Any:
    for word in ("all", "any"):
        if word in value:
            parts = [_without_lone_groups(part) for part in value[word]]
            return parts[0] if len(parts) == 1 else {word: parts}
    return {"not": _without_lone_groups(value["not"])} if "not" in value else value
