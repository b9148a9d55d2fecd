"""What a condition is: checks of single facts, joined by all, any and not."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from console.exact.decimals import decimal_string
from console.exact.paths import Path
from console.exact.value import Number, Value

Op: TypeAlias = Literal["eq", "in", "lt", "lte", "gt", "gte", "prefix", "exists"]
OPS: tuple[Op, ...] = ("eq", "in", "lt", "lte", "gt", "gte", "prefix", "exists")
ORDER = frozenset({"lt", "lte", "gt", "gte"})

Scalar: TypeAlias = bool | int | Decimal | str | None


@dataclass(frozen=True, slots=True)
class AllOf:
    """Holds when every part holds; with no part, always."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds when some part holds; with no part, never."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Holds when its part does not; so also when the fact that the part speaks of is absent."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Check:
    """Holds when the fact at the path stands in the relation `op` to one of the values."""

    path: Path
    op: Op
    values: tuple[Scalar, ...]
    numbers: frozenset[Number] = field(init=False, compare=False, repr=False)
    texts: frozenset[str] = field(init=False, compare=False, repr=False)
    equals: frozenset[Number] = field(init=False, compare=False, repr=False)  # numbers, and decimal strings as numbers

    def __post_init__(self) -> None:
        numbers = frozenset(value for value in self.values if is_number(value))
        texts = frozenset(value for value in self.values if isinstance(value, str))
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "texts", texts)
        as_numbers = (decimal_string(text) for text in texts)
        object.__setattr__(self, "equals", numbers | {number for number in as_numbers if number is not None})

    @property
    def value(self) -> Scalar:
        """The only value, of every op but `in`."""
        return self.values[0]

    @property
    def bound(self) -> Number:
        """The number that an ordering compares with."""
        return next(iter(self.equals))


Condition: TypeAlias = AllOf | AnyOf | Not | Check

ALWAYS = AllOf(())


def is_number(value: object) -> bool:
    """Tell whether the value is a number; a truth value is not."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def checks_in(condition: Condition) -> Iterator[Check]:
    """Give every check of the condition."""
    if isinstance(condition, Check):
        yield condition
    elif isinstance(condition, Not):
        yield from checks_in(condition.part)
    else:
        for part in condition.parts:
            yield from checks_in(part)


def document(condition: Condition) -> Value:
    """Give the condition as the value that it is written as."""
    match condition:
        case AllOf(parts):
            return {"all": [document(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [document(part) for part in parts]}
        case Not(part):
            return {"not": document(part)}
        case Check(path, op, values):
            return {"path": ".".join(path), "op": op, "value": list(values) if op == "in" else values[0]}
