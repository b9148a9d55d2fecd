"""What is proven about conditions agrees with trying every fact, and what cannot be proven is said to be open."""

import itertools
import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.exact import Value
from console.exact.conditions import AllOf, Undecided, evaluate, example, narrower, parse, satisfiable

ABSENT = object()
VALUES: list[Value] = [
    0,
    1,
    2,
    100,
    Decimal("0.5"),
    "1",
    "1.0",
    "100",
    "2",
    "12",
    "a",
    "ab",
    "abc",
    "b",
    "",
    True,
    False,
    None,
]
FACTS = [
    ABSENT,
    *VALUES,
    Decimal("1.5"),
    3,
    101,
    -1,
    "0.5",
    "1.00",
    "-0",
    "3",
    "ax",
    "abd",
    "1a",
    "99",
    {},
    {"z": 1},
    {"z": "a"},
    {"z": None},
]
NUMBERS = [0, 1, 2, 100, Decimal("0.5"), "1", "2"]


def checks(path: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    def of(op: st.SearchStrategy[str], value: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
        return st.builds(lambda path, op, value: {"path": path, "op": op, "value": value}, path, op, value)

    return (
        of(st.just("eq"), st.sampled_from(VALUES))
        | of(st.just("in"), st.lists(st.sampled_from(VALUES), min_size=1, max_size=4))
        | of(st.sampled_from(["lt", "lte", "gt", "gte"]), st.sampled_from(NUMBERS))
        | of(st.just("prefix"), st.sampled_from(["a", "ab", "1", "1.", "12", "b", "-"]))
        | of(st.just("exists"), st.booleans())
    )


def conditions(*paths: str, leaves: int = 5) -> st.SearchStrategy[Any]:
    return st.recursive(
        checks(st.sampled_from(paths)),
        lambda inner: (
            st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=3))
            | st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=3))
            | st.builds(lambda part: {"not": part}, inner)
        ),
        max_leaves=leaves,
    )


def all_facts(*paths: str) -> list[dict[str, Any]]:
    return [
        {path: fact for path, fact in zip(paths, combined, strict=True) if fact is not ABSENT}
        for combined in itertools.product(FACTS, repeat=len(paths))
    ]


ONE, TWO = all_facts("x"), all_facts("x", "y")


@given(conditions("x", "x.z"))
@settings(max_examples=300, deadline=None)
def test_what_is_impossible_holds_of_no_fact_and_an_example_makes_it_hold(value):
    condition = parse(value)
    try:
        found = example(condition)
    except Undecided:
        return
    if found is None:
        assert not [facts for facts in ONE if evaluate(condition, facts)]
    else:
        assert evaluate(condition, found)


@given(conditions("x", "y", leaves=3), conditions("x", "y", leaves=3))
@settings(max_examples=300, deadline=None)
def test_what_is_narrower_allows_nothing_that_the_other_refuses(one, other):
    tight, wide = parse(one), parse(other)
    try:
        proven = narrower(tight, wide)
    except Undecided:
        return
    if proven:
        assert not [facts for facts in TWO if evaluate(tight, facts) and not evaluate(wide, facts)]


@given(conditions("x"))
@settings(max_examples=300, deadline=None)
def test_single_facts_are_almost_always_decided(value):
    condition = parse(value)
    try:
        satisfiable(condition)
    except Undecided:
        assert not [facts for facts in ONE if evaluate(condition, facts)]


@given(conditions("x", "y"))
@settings(max_examples=200, deadline=None)
def test_a_condition_is_narrower_than_itself(value):
    condition = parse(value)
    try:
        assert narrower(condition, condition)
        assert narrower(AllOf((condition, parse({"path": "y", "op": "eq", "value": "a"}))), condition)
    except Undecided:
        pass


def amount(op: str, value: Any) -> dict[str, Any]:
    return {"path": "arguments.amount", "op": op, "value": value}


def currency(*names: str) -> dict[str, Any]:
    return {"path": "arguments.currency", "op": "in", "value": list(names)}


def target(start: str) -> dict[str, Any]:
    return {"path": "target", "op": "prefix", "value": start}


@pytest.mark.parametrize(
    ("one", "other", "proven"),
    [
        (amount("lte", 50), amount("lte", 100), True),
        (amount("lte", 100), amount("lte", 50), False),
        (amount("lt", 100), amount("lte", 100), True),
        (amount("lte", 100), amount("lt", 100), False),
        (amount("eq", "50"), amount("lte", 100), True),
        (amount("eq", 50), amount("in", [50, 60]), True),
        (amount("lt", Decimal("100.01")), amount("lte", 100), False),  # 100.005 is between
        ({"all": [amount("gte", 5), amount("lte", 5)]}, amount("eq", 5), True),
        (currency("EUR"), currency("EUR", "USD"), True),
        (currency("EUR", "GBP"), currency("EUR", "USD"), False),
        (target("order:88"), target("order:"), True),
        (target("order:"), target("order:88"), False),
        ({"path": "target", "op": "eq", "value": "order:8812"}, target("order:"), True),
        ({"all": [amount("lte", 50), currency("EUR")]}, {"all": [amount("lte", 100), currency("EUR", "USD")]}, True),
        ({"all": [amount("lte", 50), currency("EUR")]}, {"any": [amount("lte", 10), currency("EUR")]}, True),
        (amount("lte", 50), {"all": [amount("lte", 100), currency("EUR")]}, False),
        (amount("gt", 0), {"path": "arguments", "op": "exists", "value": True}, True),  # inside means present
        (amount("gt", 0), {"not": {"path": "arguments", "op": "eq", "value": "x"}}, True),
        (amount("lte", 50), {"not": amount("gt", 100)}, True),
        ({"not": amount("gt", 100)}, amount("lte", 100), False),  # it may be absent
    ],
)
def test_narrower(one, other, proven):
    assert narrower(parse(one), parse(other)) is proven


@pytest.mark.parametrize(
    ("value", "possible"),
    [
        ({"all": [amount("gt", 100), amount("lte", 100)]}, False),
        ({"all": [amount("gt", 100), amount("lt", Decimal("100.0000001"))]}, True),
        ({"all": [amount("gt", 5), amount("eq", "5")]}, False),
        ({"all": [amount("gt", 5), amount("eq", "five")]}, False),
        ({"all": [amount("exists", False), amount("gt", 0)]}, False),
        ({"all": [currency("EUR"), currency("USD")]}, False),
        ({"all": [target("order:"), target("invoice:")]}, False),
        ({"all": [target("order:"), {"not": target("order")}]}, False),
        ({"all": [{"path": "a", "op": "eq", "value": 1}, {"path": "a.b", "op": "exists", "value": True}]}, False),
        ({"all": [{"path": "a.c", "op": "gt", "value": 1}, {"path": "a.b", "op": "exists", "value": False}]}, True),
        ({"not": {"path": "x", "op": "exists", "value": False}}, True),
        (
            {
                "all": [
                    {"not": {"path": "x", "op": "in", "value": [1, 2, 3, "a"]}},
                    {"path": "x", "op": "gte", "value": 1},
                ]
            },
            True,
        ),
    ],
)
def test_satisfiable(value, possible):
    assert satisfiable(parse(value)) is possible


def test_an_example_explains():
    found = example(parse({"all": [amount("gt", 100), currency("EUR")]}))
    assert found is not None
    assert evaluate(parse(amount("gt", 100)), found)
    assert found["arguments"]["currency"] == "EUR"


def test_too_many_cases_are_left_open_and_cheaply():
    parts = [
        {"any": [{"path": f"p{n}", "op": "gt", "value": n}, {"path": f"q{n}", "op": "lt", "value": n}]}
        for n in range(60)
    ]
    large = {"all": [{"not": {"path": "x", "op": "in", "value": list(range(1000))}} for _ in range(60)]}
    began = time.process_time()
    hard: list[Any] = [{"all": parts}, large]
    for value in hard:
        with pytest.raises(Undecided):
            satisfiable(parse(value))
    assert time.process_time() - began < 5
