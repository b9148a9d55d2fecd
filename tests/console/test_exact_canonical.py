"""Canonical form cf1: equal values have one text, different values have different texts."""

import json
import random
from decimal import Decimal
from enum import StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.exact import BadJSON, Value, canonical, decode, digest, number_text
from console.exact.decimals import decimal_string, from_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
WHOLE = st.integers(-(10**30), 10**30)
DECIMALS = st.builds(lambda digits, places: Decimal(digits).scaleb(-places), WHOLE, st.integers(0, 40))
SCALARS = st.none() | st.booleans() | WHOLE | DECIMALS | TEXTS
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(TEXTS, v, max_size=4), max_leaves=20)


def shuffled(value: Value, seed: int) -> Value:
    """Give the same value with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.Random(seed).shuffle(keys)
        return {key: shuffled(value[key], seed) for key in keys}
    return [shuffled(item, seed) for item in value] if isinstance(value, list) else value


@given(VALUES)
@settings(deadline=None)
def test_reading_the_canonical_text_gives_the_value_back(value):
    assert decode(canonical(value).encode()) == value
    assert canonical(decode(canonical(value))) == canonical(value)


@given(VALUES, st.integers())
@settings(deadline=None)
def test_the_order_of_keys_does_not_matter(value, seed):
    assert digest(shuffled(value, seed)) == digest(value)


@given(VALUES, VALUES)
@settings(deadline=None)
def test_texts_are_equal_exactly_when_values_are(one, other):
    same_json = json.dumps(one, default=str, sort_keys=True) == json.dumps(other, default=str, sort_keys=True)
    if same_json:
        assert canonical(one) == canonical(other)
    if canonical(one) == canonical(other):
        assert one == other


@given(WHOLE, st.integers(0, 50))
@settings(deadline=None)
def test_a_number_has_one_text_however_it_is_written(number, zeros):
    expected = str(number)
    assert number_text(Decimal(f"{number}.{'0' * (zeros + 1)}")) == expected
    assert number_text(Decimal(number)) == expected
    assert canonical(decode(f"{number}.0e0")) == expected


def test_one_is_one():
    assert canonical(Decimal("1.0")) == canonical(1) == canonical(Decimal("10e-1")) == canonical(decode("1.0")) == "1"
    assert canonical(Decimal("-0.0")) == canonical(0) == "0"


def test_true_is_not_one():
    assert canonical(True) == "true"
    assert canonical([True, 1, False, 0]) == "[true,1,false,0]"


def test_a_word_of_an_enumeration_is_its_text():
    class State(StrEnum):
        READY = "ready"

    assert canonical({"state": State.READY}) == '{"state":"ready"}'


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ({"a": [1.5]}, "not_exact", "/a/0"),
        ({"a": (1, 2)}, "not_exact", "/a"),
        ({1: "a"}, "not_exact", ""),
        ({"a": {"b": "x\0"}}, "nul", "/a/b"),
        ({"a\0": 1}, "nul", ""),
        (["\ud83d"], "lone_surrogate", "/0"),
        ({"\ud83d": 1}, "lone_surrogate", ""),
        ([Decimal("NaN")], "bad_number", "/0"),
        ([Decimal("Infinity")], "bad_number", "/0"),
        ([10**101], "bad_number", "/0"),
        ([Decimal("1e-101")], "bad_number", "/0"),
    ],
)
def test_a_value_without_an_exact_form_is_refused_with_its_place(value, code, path):
    with pytest.raises(BadJSON) as refusal:
        canonical(value)
    assert (refusal.value.code, refusal.value.path) == (code, path)


def test_a_value_nested_beyond_measure_is_refused_and_not_crashed_on():
    value: list = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(BadJSON) as refusal:
        canonical(value)
    assert refusal.value.code == "too_deep"


@given(st.text("0123456789.-+eE_ ٣", max_size=8))
@settings(deadline=None)
def test_a_decimal_string_is_plain_ascii_digits(text):
    number = decimal_string(text)
    if number is not None:
        assert from_text(text) == number == Decimal(text)
        assert not set(text) - set("0123456789.-")


@pytest.mark.parametrize("text", ["", "007", "+1", " 1", "1 ", "1_0", "٣", ".5", "1.", "1e2", "NaN", "--1", "1\n"])
def test_other_texts_are_not_decimal_strings(text):
    assert decimal_string(text) is None
