"""A fault is found on the line on which it was written."""

from console.documents.places import line_of, places

TEXT = """# a comment
name: money
rules:
  - name: small
    when: {path: a, op: eq, value: 1}
  -
    name: large
"""


def test_each_place_has_its_line() -> None:
    found = places(TEXT)
    assert [found[path] for path in ("/name", "/rules", "/rules/0", "/rules/0/when/op", "/rules/1/name")] == [
        2,
        3,
        4,
        5,
        7,
    ]


def test_what_is_not_written_stands_where_it_would_stand() -> None:
    assert line_of(places(TEXT), "/rules/1/ask/groups") == 7
    assert line_of(places(TEXT), "/operations") == 2
    assert line_of({}, "/operations") == 1
