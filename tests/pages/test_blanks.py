"""The blanks of a form: what a schema asks for is what a person sees, and what they write is read exactly, never judged here."""

from decimal import Decimal
from typing import Any

import pytest
from django.http import QueryDict

from console.pages.blanks import Blank, blanks, faults_of, read
from runs.contracts.argument_schema import argument_rules, normal, schema_faults

SCHEMA: Any = normal(
    {
        "type": "object",
        "required": ["who", "agrees"],
        "properties": {
            "who": {"type": "string", "maxLength": 80, "title": "Who was it", "description": "The name."},
            "notes": {"type": "string", "maxLength": 2000},
            "free": {"type": "string"},
            "agrees": {"type": "boolean"},
            "wish": {"type": "string", "enum": ["refund", "new_one"]},
            "country": {"type": "string", "enum": ["DE", "FR", "NL", "ES", "AT", "DK"], "default": "FR"},
            "grade": {"type": "integer", "enum": [1, 2, 3]},
            "amount": {"type": "string", "format": "decimal"},
            "count": {"type": "integer", "minimum": 1},
            "weight": {"type": ["number", "null"]},
            "day": {"type": "string", "format": "date"},
            "lines": {"type": "array", "items": {"type": "string"}},
        },
    }
)


def sent(**fields: str) -> QueryDict:
    """Give what a browser posts."""
    made = QueryDict(mutable=True)
    made.update({f"result.{name}": value for name, value in fields.items()})
    return made


def by_name(found: list[Blank]) -> dict[str, Blank]:
    """Give blanks by name."""
    return {blank.name: blank for blank in found}


def test_each_field_is_asked_for_in_the_form_that_fits_it() -> None:
    assert schema_faults(SCHEMA) == []
    found = by_name(blanks(SCHEMA))
    assert {name: blank.kind for name, blank in found.items()} == {
        "who": "text", "notes": "long", "free": "long", "agrees": "choice", "wish": "choice", "country": "list", "grade": "choice",
        "amount": "number", "count": "number", "weight": "number", "day": "date", "lines": "json",
    }  # fmt: skip
    assert (found["who"].label, found["who"].help, found["who"].needed, found["who"].longest) == (
        "Who was it",
        "The name.",
        True,
        80,
    )
    assert (found["notes"].label, found["notes"].needed) == ("Notes", False)
    assert [(choice.value, choice.label) for choice in found["agrees"].choices] == [("yes", "Yes"), ("no", "No")]
    assert [choice.label for choice in found["wish"].choices] == ["Refund", "New one"]
    assert [choice.value for choice in found["country"].choices if choice.chosen] == ["FR"]


def test_what_is_needed_comes_first_in_the_order_of_its_list() -> None:
    assert [blank.name for blank in blanks({**SCHEMA, "required": ["day", "who"]})][:3] == ["day", "who", "notes"]


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("who", " Ana ", " Ana "),
        ("notes", "a\r\nb", "a\nb"),
        ("agrees", "yes", True),
        ("agrees", "no", False),
        ("wish", "new_one", "new_one"),
        ("grade", "2", 2),
        ("amount", " 64.50 ", "64.50"),
        ("count", "7", 7),
        ("count", "12345678901234567890", 12345678901234567890),
        ("weight", "1.50", Decimal("1.50")),
        ("day", "2026-12-03", "2026-12-03"),
        ("lines", '["a","b"]', ["a", "b"]),
    ],
)
def test_what_is_written_is_read_exactly(name: str, written: str, value: Any) -> None:
    assert read(SCHEMA, sent(**{name: written})) == {name: value}


@pytest.mark.parametrize(
    ("name", "written"), [("agrees", "perhaps"), ("count", "a few"), ("count", "1,5"), ("lines", "[a"), ("grade", "9x")]
)
def test_what_cannot_be_read_stays_as_it_was_written_and_is_refused_by_the_contract(name: str, written: str) -> None:
    value: Any = read(SCHEMA, sent(**{name: written}))
    assert value == {name: written}
    faults: list[Any] = []
    argument_rules(SCHEMA).root.take(value, ("result",), faults)
    assert f"/result/{name}" in {fault.path for fault in faults}


def test_what_is_left_empty_is_absent() -> None:
    assert read(SCHEMA, sent(who="  ", notes="", agrees="")) == {}
    assert read(None, sent(who="Ana")) is None


def test_what_was_written_stands_there_again_with_what_is_wrong_beside_it() -> None:
    found = by_name(
        blanks(SCHEMA, sent(who="A", wish="refund", country=""), {"who": "This must have at least 2 characters."})
    )
    assert (found["who"].written, found["who"].fault) == ("A", "This must have at least 2 characters.")
    assert [choice.chosen for choice in found["wish"].choices] == [True, False]
    assert not any(choice.chosen for choice in found["country"].choices)


def test_faults_are_named_by_their_field_and_the_first_one_stands() -> None:
    errors = [
        {"path": "/result/who", "code": "missing", "detail": "This is missing."},
        {"path": "/result/lines/0", "code": "wrong_type", "detail": "This must be of type string."},
        {"path": "/result/lines/1", "code": "wrong_type", "detail": "Not this one."},
        {"path": "/evidence", "code": "missing", "detail": "Say how."},
    ]
    assert faults_of(errors) == ({"who": "This is missing.", "lines": "This must be of type string."}, ["Say how."])
