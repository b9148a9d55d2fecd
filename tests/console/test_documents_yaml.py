"""YAML is read exactly, and what would surprise is refused with its line and place."""

import contextlib
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.documents import BadYAML, load
from console.documents.yaml_text import LONGEST, MOST, read

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn", "Zl", "Zp"]), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXTS, v, max_size=3), max_leaves=12)
PIECES = [
    "a",
    ": ",
    "- ",
    "\n",
    "  ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&x ",
    "*x",
    "!t ",
    "'",
    '"',
    "\\",
    "|",
    ">",
    "#",
    "? ",
    "---",
    "1",
    "%",
    "\t",
]


def refused(text: str) -> BadYAML:
    with pytest.raises(BadYAML) as refusal:
        read(text)
    return refusal.value


def test_several_documents_each_with_its_line():
    found = load("# a file\nkind: A\n---\n# nothing here\n---\n\nkind: B\nversion: 2\n")
    assert [(each.kind, each.version, each.line) for each in found] == [("A", 0, 2), ("B", 2, 7)]


def test_scalars_are_what_json_would_say():
    found: Any
    ((_, found),) = read(
        "[1, -0.50, 1e2, true, null, ~, no, Yes, on, 010, 0x1f, 1_000, 2026-01-01, 1:30, '1', \"true\", +1, .5]"
    )
    assert found == [
        *[1, Decimal("-0.50"), Decimal(100), True, None, None],
        *["no", "Yes", "on", "010", "0x1f", "1_000", "2026-01-01", "1:30", "1", "true", "+1", ".5"],
    ]
    assert not any(isinstance(each, float) for each in found)


def test_numbers_are_exact():
    ((_, found),) = read("a: 0.1\nb: 9007199254740993\nc: 120.10")
    assert found == {"a": Decimal("0.1"), "b": 9007199254740993, "c": Decimal("120.10")}


@pytest.mark.parametrize(
    ("text", "code", "path", "line"),
    [
        ("a: 1\nb:\n  x: 1\n  y: 2\n  x: 3", "duplicate_key", "/b/x", 5),
        ("- {a: {b: 1, b: 2}}", "duplicate_key", "/0/a/b", 1),
        ("a: &x 1", "alias", "/a", 1),
        ("a: [1, *x]", "alias", "/a/1", 1),
        ("a: !!python/object:os.system {}", "tag", "/a", 1),
        ("a: !!str 1", "tag", "/a", 1),
        ("1: a", "key_not_text", "", 1),
        ("true: a", "key_not_text", "", 1),
        ("? [a]\n: 1", "key_not_text", "", 1),
        ("a: .inf", "bad_number", "/a", 1),
        ("a: .nan", "bad_number", "/a", 1),
        ("a:\n- 1e999", "bad_number", "/a/0", 2),
        ("a: " + "7" * 5000, "bad_number", "/a", 1),
        ('a: "x\\0y"', "bad_text", "/a", 1),
        ('a: "\\ud800"', "bad_text", "/a", 1),
        ("a: [", "malformed", "", 1),
        ("a: \x01", "malformed", "", 1),
        ('a: "\\Uffffffff"', "malformed", "", 1),
        ("[" * 65, "too_deep", "/0" * 64, 1),
        ("[" * 50_000, "too_deep", "/0" * 64, 1),
        ("a" * (LONGEST + 1), "too_large", "", 1),
        ("[" + "1," * MOST, "too_large", f"/{MOST - 1}", 1),
    ],
)
def test_what_surprises_is_refused_with_its_place(text, code, path, line):
    fault = refused(text)
    assert (fault.code, fault.path, fault.line) == (code, path, line)


def test_a_document_must_be_a_mapping():
    with pytest.raises(BadYAML, match="must be a mapping"):
        load("kind: A\n---\n- 1\n")


@given(VALUES)
@settings(deadline=None)
def test_json_is_yaml_and_means_the_same(value):
    ((_, found),) = read(json.dumps({"v": value}, ensure_ascii=False))
    assert found == {"v": value}


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_reader(text):
    with contextlib.suppress(BadYAML):
        read(text)
