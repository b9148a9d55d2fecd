"""What one fact may be when several checks of it must hold, or must not, at once.

Facts fall into kinds (absent, null, truth values, containers, numbers, decimal strings, other text), and within a kind
a check speaks of an interval, a finite set or a prefix. `empty` is claimed only where that reasoning proves it, and every
witness has been judged by the checks themselves, so neither answer can be wrong; a case between the two stays open.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal

from console.exact.conditions.evaluation import holds
from console.exact.conditions.forms import ORDER, Check
from console.exact.decimals import OutOfRange, check, decimal_string, number_text
from console.exact.paths import ABSENT, Absent
from console.exact.value import Number, Value

_WIDE = Context(prec=600)


@dataclass(frozen=True, slots=True)
class Literal:
    """A check that must hold, or one that must not."""

    check: Check
    wanted: bool

    def allows(self, fact: Value | Absent) -> bool:
        return holds(self.check, fact) == self.wanted


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two bounds; None is no bound."""

    low: Decimal | None = None
    low_open: bool = False
    high: Decimal | None = None
    high_open: bool = False

    def is_empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def points(self, count: int) -> Iterator[Decimal]:
        """Give at least `count` different numbers inside, the plainest first; the bounds where they belong to it."""
        yield from (bound for bound in (self.low, self.high) if bound is not None)
        if self.low is None or self.high is None:
            start = self.low if self.low is not None else self.high or Decimal(0)
            step = -1 if self.low is None and self.high is not None else 1
            yield from (_WIDE.add(start, Decimal(step * index)) for index in range(count + 2))
            return
        gap = _WIDE.subtract(self.high, self.low)
        share = Decimal(1)
        while count > 0:
            share = _WIDE.multiply(share, Decimal("0.1"))
            yield from (_WIDE.fma(gap, _WIDE.multiply(share, Decimal(step)), self.low) for step in range(1, 10))
            count -= 9


class Region:
    """The facts that every literal of one path allows."""

    def __init__(self, literals: Iterable[Literal]) -> None:
        self.literals = tuple(dict.fromkeys(literals))
        self.interval = self._interval()
        self.listed = [each.check for each in self.literals if each.wanted and each.check.op in {"eq", "in"}]
        self.unlisted = [each.check for each in self.literals if not each.wanted and each.check.op in {"eq", "in"}]
        self.barred = sum(len(each.check.values) for each in self.literals if not each.wanted)

    def allows(self, fact: Value | Absent) -> bool:
        """Tell whether the fact is in the region."""
        return all(each.allows(fact) for each in self.literals)

    def witness(self) -> Value | Absent:
        """Give a fact of the region that is present, or ABSENT where none was found."""
        return next((fact for fact in self._candidates() if self.allows(fact)), ABSENT)

    def is_empty(self) -> bool:
        """Tell whether it is proven that no fact that is present is in the region."""
        kinds: tuple[Value, ...] = ({}, None, True, False)
        if any(self.allows(fact) for fact in kinds):
            return False
        return self._no_number() and self._no_decimal_string() and self._no_other_text()

    def _candidates(self) -> Iterator[Value]:
        spare = self.barred + 2
        for listed in self.listed[:1]:
            yield from listed.values
            yield from listed.equals
            yield from (spelled for number in listed.numbers for spelled in _spellings(number, spare))
        numbers = [number for number in self.interval.points(spare) if _is_taken(number)]
        yield from numbers
        yield from map(number_text, numbers)
        prefix = self._longest_prefix()
        yield from (f"{prefix}{chr(0x4E00 + index)}" for index in range(spare))
        yield from (prefix + tail for tail in ("", "0", "1", ".5", "00", "000", "000000"))
        yield from ({}, True, False, None)

    def _interval(self) -> Interval:
        interval = Interval()
        for each in self.literals:
            if each.check.op in ORDER:
                interval = _narrowed(interval, each)
        return interval

    def _never(self, *ops: str) -> bool:
        """Tell whether some check that must hold has an op that no value of the kind can satisfy."""
        return any(each.wanted and each.check.op in ops for each in self.literals) or self._must_be_absent()

    def _must_be_absent(self) -> bool:
        return any(each.check.op == "exists" and each.wanted != each.check.value for each in self.literals)

    def _no_number(self) -> bool:
        if self.interval.is_empty() or self._never("prefix"):
            return True
        if self.listed:
            return not any(self.allows(number) for number in self.listed[0].equals)
        return self._is_barred_point(decimal_strings=False)

    def _no_decimal_string(self) -> bool:
        if self.interval.is_empty() or self._must_be_absent() or self._prefixes_clash():
            return True
        if self.listed:
            return not any(self.allows(text) for text in self.listed[0].texts) and all(
                self._no_spelling(number) for number in self.listed[0].numbers
            )
        return not _begins_decimal(self._longest_prefix()) or self._is_barred_point(decimal_strings=True)

    def _no_other_text(self) -> bool:
        if self._never(*ORDER) or self._prefixes_clash():
            return True
        return bool(self.listed) and not any(self.allows(text) for text in self.listed[0].texts)

    def _is_barred_point(self, *, decimal_strings: bool) -> bool:
        """Tell whether the interval is one number, and that number must not be."""
        point = self.interval.low
        if point is None or point != self.interval.high:
            return False
        return any(point in (check.numbers if decimal_strings else check.equals) for check in self.unlisted)

    def _no_spelling(self, number: Number) -> bool:
        """Tell whether no decimal string that means the number is in the region."""
        if not _within(self.interval, number):
            return True
        if any(number in check.numbers for check in self.unlisted):
            return True
        if any(number not in check.equals for check in self.listed):
            return True
        text = number_text(number)
        endless = text + ("" if "." in text else ".") + "0" * 1000
        return number != 0 and not endless.startswith(self._longest_prefix())

    def _longest_prefix(self) -> str:
        return max((str(each.check.value) for each in self._prefixed(wanted=True)), key=len, default="")

    def _prefixed(self, *, wanted: bool) -> Iterator[Literal]:
        return (each for each in self.literals if each.check.op == "prefix" and each.wanted == wanted)

    def _prefixes_clash(self) -> bool:
        longest = self._longest_prefix()
        needed = all(longest.startswith(str(each.check.value)) for each in self._prefixed(wanted=True))
        return not needed or any(longest.startswith(str(each.check.value)) for each in self._prefixed(wanted=False))


def _narrowed(interval: Interval, literal: Literal) -> Interval:
    """Give the interval cut by one ordering; the opposite of an ordering counts only for what is a number at all."""
    bound, op = Decimal(literal.check.bound), literal.check.op
    upper = (op in {"lt", "lte"}) == literal.wanted
    is_open = (op in {"lt", "gt"}) == literal.wanted
    if upper:
        if interval.high is None or (bound, not is_open) < (interval.high, not interval.high_open):
            return Interval(interval.low, interval.low_open, bound, is_open)
    elif interval.low is None or (bound, is_open) > (interval.low, interval.low_open):
        return Interval(bound, is_open, interval.high, interval.high_open)
    return interval


def _within(interval: Interval, number: Number) -> bool:
    above = interval.low is None or number > interval.low or (number == interval.low and not interval.low_open)
    below = interval.high is None or number < interval.high or (number == interval.high and not interval.high_open)
    return above and below


def _spellings(number: Number, count: int) -> Iterator[str]:
    text = number_text(number)
    yield text
    dotted = text if "." in text else text + "."
    yield from (dotted + "0" * zeros for zeros in range(1, min(count, 40) + 1))


def _begins_decimal(prefix: str) -> bool:
    return not prefix or any(decimal_string(prefix + tail) is not None for tail in ("", "0", "1"))


def _is_taken(number: Number) -> bool:
    try:
        check(number)
    except OutOfRange:
        return False
    return True
