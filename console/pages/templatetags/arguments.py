"""Arguments and other JSON as people read it: every value whole, exact and without hidden characters."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from console.exact.amounts import amount
from console.exact.visible import BLANKS, piled, strangers

LONG = 200
ACCOUNT = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
MONEY = re.compile(r"(.*_)?amount")
KEPT = {"\n", "\t", " "}
# Characters that change what a reader sees without being seen: controls, direction marks, zero-width ones.
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@dataclass(frozen=True)
class Row:
    """One line of a JSON value: a leaf, or the heading (kind group) of what lies below it; depth counts headings, long the characters."""

    name: str
    value: SafeString
    kind: str
    depth: int = 0
    long: int = 0


def as_json(value: Mapping[str, object]) -> str:
    """Write what a script of ours is to read from an attribute."""
    return json.dumps(value, default=dict)


def plain(text: object) -> SafeString:
    """Give the text so that it cannot pretend: what hides stands as its code point, what is of another script than its word is marked."""
    written = str(text)
    if written.isascii() and written.replace("\n", "").replace("\t", "").isprintable():  # nearly always: nothing hides
        return escape(written)
    strange, hidden = strangers(written), piled(written)
    shown = (_visible(char, place in strange, place in hidden) for place, char in enumerate(written))
    return mark_safe("".join(shown))  # noqa: S308 - every character is escaped


def _visible(char: str, strange: bool, hidden: bool) -> str:
    if hidden or char in BLANKS or (char not in KEPT and unicodedata.category(char) in HIDDEN):
        return format_html('<span class="hidden-char" title="{}">U+{}</span>', _name(char), f"{ord(char):04X}")
    if strange:
        return format_html('<span class="strange-char" title="{}">{}</span>', _name(char), char)
    return escape(char)


def _name(char: str) -> str:
    return unicodedata.name(char, "control character").lower()


def rows(value: object) -> list[Row]:
    """Give a JSON value as rows, in the order its members come; nothing is left out."""
    if isinstance(value, Mapping):
        return list(_members(value.items(), 0, value))
    if isinstance(value, (list, tuple)):
        return list(_members(enumerate(value, start=1), 0))
    return [_leaf("value", value, 0)]


def _members(members: Iterable[tuple[object, object]], depth: int, inside: object = None) -> Iterator[Row]:
    for name, value in members:
        if isinstance(value, (Mapping, list, tuple)) and value:
            inner = value.items() if isinstance(value, Mapping) else enumerate(value, start=1)
            yield Row(str(name), SafeString(), "group", depth)
            yield from _members(inner, depth + 1, value)
        else:
            yield _leaf(str(name), value, depth, _currency(inside, name))


def _currency(inside: object, name: object) -> str:
    """Give the currency that stands beside an amount, or nothing."""
    beside = inside.get("currency") if isinstance(inside, Mapping) and MONEY.fullmatch(str(name)) else None
    return beside if isinstance(beside, str) else ""


def _leaf(name: str, value: object, depth: int, currency: str = "") -> Row:
    if currency and isinstance(value, (str, int, Decimal)) and not isinstance(value, bool) and value != "":
        return Row(name, plain(amount(value, currency)), "number", depth)
    if isinstance(value, str) and is_account(value):
        return Row(name, grouped(value), "text", depth)
    if isinstance(value, str) and value:
        return Row(name, plain(value), "text", depth, long=len(value) if len(value) > LONG else 0)
    if value in ("", None) or isinstance(value, (bool, Mapping, list, tuple)):
        return Row(name, escape(_word(value)), "word", depth)
    return Row(name, plain(_scalar(value) if isinstance(value, Decimal) else value), "number", depth)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return {"": "empty text", "None": "nothing"}.get(str(value), "empty")


def is_account(text: str) -> bool:
    """Tell whether this is an IBAN, by its form and its check digits (ISO 13616)."""
    if not ACCOUNT.fullmatch(text):
        return False
    return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1


def grouped(account: str) -> SafeString:
    """Give an account's number in groups of four; the gaps are drawn, so that whoever copies it copies what is sent."""
    groups = ((account[at : at + 4],) for at in range(0, len(account), 4))
    return format_html('<span class="account-number">{}</span>', format_html_join("", "<span>{}</span>", groups))


def in_order(value: object, names: Iterable[str]) -> object:
    """Give an object with its members in this order; those that are not named follow as they come."""
    if not isinstance(value, Mapping):
        return value
    return {name: value[name] for name in names if name in value} | dict(value)


def pretty(value: object) -> str:
    """Give a JSON value as indented text; decimals keep their digits."""
    return "\n".join(_lines(value, ""))


def _lines(value: object, pad: str) -> list[str]:
    inner = pad + "  "
    if isinstance(value, Mapping) and value:
        parts = [[f"{inner}{json.dumps(str(k), ensure_ascii=False)}: ", *_lines(v, inner)] for k, v in value.items()]
        return ["{", *_joined(parts), pad + "}"]
    if isinstance(value, (list, tuple)) and value:
        parts = [[inner, *_lines(v, inner)] for v in value]
        return ["[", *_joined(parts), pad + "]"]
    return [_scalar(value)]


def _joined(parts: list[list[str]]) -> Iterator[str]:
    for number, (head, first, *rest) in enumerate(parts, start=1):
        comma = "," if number < len(parts) else ""
        lines = [head + first, *rest]
        lines[-1] += comma
        yield from lines


def _scalar(value: object) -> str:
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else json.dumps(str(value))
    if value is None or isinstance(value, (bool, int, float, str, dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(str(value), ensure_ascii=False)
