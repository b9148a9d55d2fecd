"""A condition as a sentence for people: "the amount is above 100 and the currency is EUR"."""

import re

from console.exact.conditions.forms import AllOf, AnyOf, Check, Condition, Not, Scalar
from console.exact.decimals import number_text
from console.exact.paths import Path
from console.exact.visible import visible

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.:@/-]*")
_VERBS = {"lt": "below", "lte": "at most", "gt": "above", "gte": "at least"}
_ADJECTIVES = {"irreversible", "consequential"}  # facts that say something about the operation as a whole
_FACTS = {"operation", "target", "run_type", "agent", "tier", "status", "headers", "body", *_ADJECTIVES}


def sentence(condition: Condition) -> str:
    """Say the condition in words; groups inside a group stand in brackets, so that it reads one way only."""
    match condition:
        case AllOf(parts):
            return " and ".join(_part(part) for part in parts) or "always"
        case AnyOf(parts):
            return " or ".join(_part(part) for part in parts) or "never"
        case Not(Check() as check):
            return _check(check, "is not" if check.op not in {"prefix", "exists"} else "not")
        case Not(part):
            return f"it is not so that {_part(part)}"
        case Check() as check:
            return _check(check, "is" if check.op not in {"prefix", "exists"} else "")


def _part(condition: Condition) -> str:
    match condition:
        case Check() | Not(Check()):
            return sentence(condition)
    return f"({sentence(condition)})"


def _check(check: Check, verb: str) -> str:
    if check.op == "exists":
        return f"{_noun(check.path)} is {'given' if check.value == (verb != 'not') else 'not given'}"
    if check.op == "prefix":
        return f"{_noun(check.path)} {'does not begin' if verb else 'begins'} with {_value(check.value)}"
    if check.path[0] in _ADJECTIVES and len(check.path) == 1 and check.op == "eq" and isinstance(check.value, bool):
        return f"it is {'' if check.value == (verb == 'is') else 'not '}{check.path[0]}"
    if check.op in _VERBS:
        return f"{_noun(check.path)} {verb} {_VERBS[check.op]} {number_text(check.bound)}"
    if len(check.values) == 1:
        return f"{_noun(check.path)} {verb} {_value(check.value)}"
    *most, last = map(_value, check.values)
    return f"{_noun(check.path)} {verb} one of {', '.join(most)} or {last}"


def _noun(path: Path) -> str:
    first, *rest = path
    if first == "arguments" and rest:
        return f"the {'argument ' if rest[0] in _FACTS else ''}{_words(rest)}"
    if first == "headers" and rest:
        return f"the header {visible('.'.join(rest))}"
    if first == "body" and rest:
        return f"the answer's {_words(rest)}"
    return f"the {_words(list(path))}"


def _words(steps: list[str]) -> str:
    return visible("'s ".join(steps).replace("_", " "))


def _value(value: Scalar) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and value not in {"null", "true", "false"}:
            return value
        return '"' + visible(value.replace("\\", "\\\\").replace('"', '\\"')) + '"'
    return number_text(value)
