"""The blanks of a form: one for each field of a result's schema, as a page shows it, and the value that was written into it.

What is written is only read here, never judged: the move holds it against the contract, and its faults are named beside their blanks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from console.exact import canonical, decode
from console.exact.decimals import from_text
from console.exact.value import Object, Value

PREFIX = "result."
LONG = 200  # a text that may be longer than this is given several lines
CHOICES = 5  # as many are shown beside each other; more are a list to choose from
YES_OR_NO = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values that a blank takes."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Blank:
    """One field to be filled in. Kinds: text, long, date, number, choice (few values), list (many values), json."""

    name: str
    label: str
    kind: str
    help: str
    needed: bool
    written: str
    fault: str
    longest: int | None
    choices: tuple[Choice, ...] = ()

    @property
    def field(self) -> str:
        """Its name in what is posted."""
        return PREFIX + self.name


def blanks(
    schema: Object | None, sent: QueryDict | None = None, faults: Mapping[str, str] | None = None
) -> list[Blank]:
    """Give the blanks of a schema in normal form, with what was written into them before and what is wrong with it."""
    return [
        _blank(name, field, name in _needed(schema), _written(name, field, sent), (faults or {}).get(name, ""))
        for name, field in _fields(schema)
    ]


def read(schema: Object | None, sent: QueryDict) -> Value:
    """Give the value that was written; what was left empty is absent, and what cannot be read stays the text that it is."""
    if schema is None:
        return None
    found = ((name, _value(field, _sent(sent, name))) for name, field in _fields(schema))
    return {name: value for name, value in found if value is not None}


def faults_of(errors: Sequence[Mapping[str, str]]) -> tuple[dict[str, str], list[str]]:
    """Give what is wrong by the name of its blank, and what belongs to none; paths are as a report's, /result/name."""
    named: dict[str, str] = {}
    others: list[str] = []
    for error in errors:
        steps = error.get("path", "").split("/")[1:]
        if steps[:1] == ["result"] and len(steps) > 1:
            named.setdefault(steps[1].replace("~1", "/").replace("~0", "~"), error["detail"])
        else:
            others.append(error["detail"])
    return named, others


def _fields(schema: Object | None) -> Iterator[tuple[str, Any]]:
    """Give the fields in the order in which `required` names them, then the others: a stored schema has no other order."""
    properties: Any = (schema or {}).get("properties", {})
    needed = [name for name in _needed(schema) if name in properties]
    yield from ((name, properties[name]) for name in (*needed, *(name for name in properties if name not in needed)))


def _needed(schema: Object | None) -> Sequence[str]:
    needed: Any = (schema or {}).get("required", ())
    return needed


def _blank(name: str, field: Object, needed: bool, written: str, fault: str) -> Blank:
    values = _values(field)
    kind = _kind(field, len(values))
    choices = tuple(Choice(value, label, value == written) for value, label in values)
    longest: Any = field.get("maxLength")
    label = str(field.get("title") or name.replace("_", " ").replace("-", " "))
    return Blank(
        name, label[:1].upper() + label[1:], kind, str(field.get("description", "")), needed, written, fault,
        int(longest) if longest is not None else None, choices,
    )  # fmt: skip


def _types(field: Object) -> set[str]:
    types: Any = field.get("type", [])
    return set(types if isinstance(types, list) else [types]) - {"null"}


def _values(field: Object) -> list[tuple[str, str]]:
    """Give what can be chosen, as it is posted and as it is read; nothing where anything may be written."""
    if _types(field) == {"boolean"}:
        return [("yes", "Yes"), ("no", "No")]
    taken: Any = field.get("enum", [field["const"]] if "const" in field else [])
    return [(_text(value), _label(value)) for value in taken if value is not None]


def _kind(field: Object, values: int) -> str:
    types = _types(field)
    if values:
        return "choice" if values <= CHOICES else "list"
    if (types and types <= {"integer", "number"}) or field.get("format") == "decimal":
        return "number"
    if types != {"string"}:
        return "json"
    if field.get("format") == "date":
        return "date"
    longest: Any = field.get("maxLength", LONG + 1)
    return "text" if "format" in field or longest <= LONG else "long"


def _sent(sent: QueryDict, name: str) -> str:
    return sent.get(PREFIX + name, "").replace("\r\n", "\n")


def _written(name: str, field: Object, sent: QueryDict | None) -> str:
    if sent is not None:
        return _sent(sent, name)
    default = field.get("default")
    if default is None:
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return _text(default)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else canonical(value)


def _label(value: Value) -> str:
    return value.replace("_", " ").capitalize() if isinstance(value, str) else _text(value)


def _value(field: Object, text: str) -> Value:
    if not text.strip():
        return None
    types = _types(field)
    for value in _enumerated(field):
        if _text(value) == text:
            return value
    if types == {"boolean"}:
        return YES_OR_NO.get(text, text)
    if field.get("format") == "decimal":
        return text.strip()
    if types and types <= {"integer", "number"}:
        number = from_text(text.strip())
        return text if number is None else number
    return text if types == {"string"} else _json(text)


def _enumerated(field: Object) -> Sequence[Value]:
    taken: Any = field.get("enum", [field["const"]] if "const" in field else [])
    return taken


def _json(text: str) -> Value:
    try:
        return decode(text.encode())
    except ValueError:
        return text
