"""Tightening what was asked: proven to be narrower, and intersected where several people did it. Pure.

What was asked is read as a condition: each argument that may be tightened is at most (or at least) what it was asked to be. A narrowing
speaks of these arguments alone, so every other one stays bound by the digest as it was asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from approvals.deciding.refusals import CannotBeSatisfied, NotNarrower
from approvals.policy_asks import Narrowable
from console.exact import Object, Value, canonical, decode
from console.exact.conditions import (
    ALWAYS,
    AllOf,
    AnyOf,
    BadCondition,
    Check,
    Condition,
    Not,
    Undecided,
    document,
    evaluate,
    narrower,
    parse,
    satisfiable,
    sentence,
)
from console.exact.conditions.forms import Op, checks_in, is_number
from console.exact.decimals import decimal_string
from console.exact.paths import ABSENT, Path, follow, path_of

TURNED: Final[Mapping[Op, Op]] = {"lt": "gte", "lte": "gt", "gt": "lte", "gte": "lt"}


def as_asked(narrowable: Sequence[Narrowable], arguments: Object) -> dict[Path, Check]:
    """Give what was asked of the arguments that may be tightened, of those that are numbers."""
    bounds: dict[Path, Check] = {}
    for each in narrowable:
        path = path_of(each.path)
        value = follow({"arguments": arguments}, path)
        if value is not ABSENT and (is_number(value) or (isinstance(value, str) and decimal_string(value) is not None)):
            bounds[path] = Check(path, "lte" if each.towards == "less" else "gte", (value,))  # type: ignore[arg-type]
    return bounds


def read(
    constraints: Value, narrowable: Sequence[Narrowable], arguments: Object, standing: Sequence[Condition] = ()
) -> Condition:
    """Read a narrowing that is proven to be one; `standing` is what others allowed already. Raises NotNarrower, CannotBeSatisfied."""
    try:
        narrowing = parse(constraints)
    except BadCondition as bad:
        raise NotNarrower(bad.detail, path=f"/constraints{bad.path}") from None
    bounds = as_asked(narrowable, arguments)
    for check in checks_in(narrowing):
        if check.path not in bounds:
            raise NotNarrower(path="/constraints", argument=".".join(check.path), narrowable=_named(bounds))
    turned = next((check for check in _bounding(narrowing) if check.path in bounds and _turned(check, bounds)), None)
    if turned is not None:
        raise NotNarrower(path="/constraints", argument=".".join(turned.path), narrowable=_named(bounds))
    asked = AllOf(tuple(bounds.values()))
    narrowed = AllOf((asked, narrowing))
    try:
        if not satisfiable(narrowed):
            raise CannotBeSatisfied(path="/constraints")
        if not narrower(narrowed, asked) or narrower(asked, narrowing):
            raise NotNarrower(path="/constraints", narrowable=_named(bounds))
        if not satisfiable(AllOf((narrowed, *standing))):
            raise CannotBeSatisfied(
                "Nothing is left that all of you would allow.",
                path="/constraints",
                others=sentence(AllOf(tuple(standing))),
            )
    except Undecided:
        raise NotNarrower(
            "It cannot be proven that this allows less; say it more simply.", path="/constraints"
        ) from None
    return narrowing


def _bounding(condition: Condition, *, holds: bool = True) -> Iterator[Check]:
    """Give the bounds that a condition sets, each as it has to hold: not at most so much is more than that."""
    match condition:
        case Check(path, op, values) if op in TURNED:
            yield condition if holds else Check(path, TURNED[op], values)
        case Not(part):
            yield from _bounding(part, holds=not holds)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _bounding(part, holds=holds)


def _turned(check: Check, bounds: Mapping[Path, Check]) -> bool:
    """Tell whether a bound lies on the side that the policy does not name: towards less nobody is made to take at least so much."""
    return check.op[:2] != bounds[check.path].op[:2]


def intersection(texts: Sequence[str]) -> str:
    """Give what all of these narrowings allow, as canonical text; "" where none tightens anything."""
    each = list(dict.fromkeys(text for text in texts if text))
    if len(each) < 2:
        return "".join(each)
    return canonical({"all": [decode(text) for text in each]})


def condition(text: str) -> Condition:
    """Read a narrowing as it is kept; an intersection has more parts than one person may send."""
    value = decode(text) if text else None
    if value is None:
        return ALWAYS
    if isinstance(value, dict) and set(value) == {"all"}:
        return AllOf(tuple(parse(part) for part in value["all"]))
    return parse(value)


def allows(text: str, arguments: Value) -> bool:
    """Tell whether a narrowing, as it is kept, allows these arguments."""
    return evaluate(condition(text), {"arguments": arguments})


def said(text: str) -> str:
    """Say a narrowing in words; "" where nothing is tightened."""
    return sentence(condition(text)) if text else ""


def shown(text: str) -> Object | None:
    """Show a narrowing as data and in words."""
    return {"condition": document(condition(text)), "sentence": said(text)} if text else None


def fits(text: str, narrowable: Sequence[Narrowable], asked: Object, offered: Object) -> bool:
    """Tell whether the offered arguments are those that were asked, but for what may be tightened, and are within the narrowing."""
    bounds = as_asked(narrowable, asked)
    same = _without(asked, bounds) == _without(offered, bounds)
    return same and allows(text, offered) and evaluate(AllOf(tuple(bounds.values())), {"arguments": offered})


def _without(arguments: Object, bounds: Mapping[Path, Check]) -> str:
    """Give the arguments as canonical text, with a mark in the place of each that may be tightened."""
    marked: Value = decode(canonical(arguments))
    for path in bounds:
        place = follow({"arguments": marked}, path[:-1])
        if isinstance(place, dict) and path[-1] in place:
            place[path[-1]] = None
        elif isinstance(place, list) and follow(place, path[-1:]) is not ABSENT:
            place[int(path[-1])] = None
    return canonical(marked)


def _named(bounds: Mapping[Path, Check]) -> list[Value]:
    return [".".join(path) for path in bounds]
