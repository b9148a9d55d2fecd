"""Strict reading: what is refused, where and at what cost (cases API-01, API-02, API-04, API-05, API-07)."""

import json
import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from console.exact import BadJSON, canonical, decode
from console.exact.fault_finder import find_fault
from console.exact.json_text import LEVELS

PIECES = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u0000",
    "\\ud83d",
    "\\ude00",
    "\\u0061",
    "\\\\",
    '"a"',
    '"b"',
    "a",
]
PIECES += [
    "1",
    "0",
    "-",
    ".5",
    "e3",
    "1e999",
    "NaN",
    "Infinity",
    "true",
    "null",
    " ",
    "\n",
    "\t",
    "\x01",
    "\0",
    "é",
    "😀",
]
ALMOST_JSON = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def refused(raw: bytes | str) -> BadJSON:
    with pytest.raises(BadJSON) as refusal:
        decode(raw)
    return refusal.value


def test_numbers_are_whole_or_decimal_and_never_floats():
    numbers: Any = decode(b"[1, 1.10, 1e2]")
    assert numbers == [1, Decimal("1.10"), Decimal(100)]
    assert [type(number) for number in numbers] == [int, Decimal, Decimal]
    assert decode(b"9007199254740993") == 9007199254740993
    assert str(decode(b"0.1000000000000000055511151231257827")) == "0.1000000000000000055511151231257827"


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "7" * 5000])
def test_numbers_that_cannot_be_kept_have_one_stable_code(literal):
    fault = refused(f'{{"amount": {literal}}}')
    assert (fault.code, fault.path) == ("bad_number", "/amount")


def test_a_large_number_round_trips():
    assert decode(b"1" + b"0" * 40) == 10**40
    assert canonical(10**40) == "1" + "0" * 40


def test_nul_is_refused_and_the_six_characters_survive():
    fault = refused(b'{"note":"a\\u0000b"}')
    assert (fault.code, fault.path) == ("nul", "/note")
    kept = decode(b'{"note":"\\\\u0000"}')
    assert kept == {"note": "\\u0000"}
    assert canonical(kept) == '{"note":"\\\\u0000"}'


@pytest.mark.parametrize("depth", [1, 5, 40])
def test_a_key_twice_is_refused_at_any_depth(depth):
    fault = refused('{"p":' * depth + '{"amount":10,"amount":10000}' + "}" * depth)
    assert (fault.code, fault.path) == ("duplicate_key", "/p" * depth + "/amount")


def test_the_limit_of_depth_is_exact():
    assert decode("[" * LEVELS + "]" * LEVELS)
    assert decode('{"a":' * LEVELS + "1" + "}" * LEVELS)
    assert refused("[" * (LEVELS + 1) + "]" * (LEVELS + 1)).code == "too_deep"
    assert refused('{"a":' * (LEVELS + 1) + "1" + "}" * (LEVELS + 1)).code == "too_deep"


def test_brackets_in_text_and_beside_each_other_are_not_depth():
    assert decode(json.dumps(["[" * 500, '"[[' * 100])) == ["[" * 500, '"[[' * 100]
    assert decode("[" + "[]," * 500 + "[]]") == [[]] * 501


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000 + "]" * 20_000, "[" * 70 + '"' + '\\"' * 200_000 + "\\", '{"a":' * 20_000, "[" * 70 + '"' * 200_000],
    ids=["brackets", "an endless string of escaped quotes", "objects", "quotes"],
)
def test_hostile_texts_are_cheap(text):
    began = time.process_time()
    assert refused(text).code in {"too_deep", "malformed"}
    assert time.process_time() - began < 5  # a quadratic look takes minutes


def test_a_path_stays_short_however_long_the_key():
    assert len(refused('{"' + "k" * 100_000 + '": NaN}').path) == 1000


def test_text_that_python_holds_with_half_a_pair_is_refused():
    assert refused('["\ud83d"]').code == "lone_surrogate"


@given(ALMOST_JSON)
@example('["\\ud83d\\ude00"]')
@example('{"a":1,"a":2}')
@example('"\\\\u0000"')
@settings(max_examples=300, deadline=None)
def test_the_reader_refuses_exactly_what_the_fault_finder_faults(text):
    fault = find_fault(text, LEVELS)
    if fault is None:
        decode(text)
    else:
        assert refused(text).code == fault.code


@given(ALMOST_JSON)
@settings(max_examples=300, deadline=None)
def test_what_is_taken_is_what_the_standard_library_reads(text):
    try:
        value = decode(text)
    except BadJSON:
        return
    assert value == json.loads(text, parse_float=Decimal)
