"""Judging a condition by facts. No number is rounded; an absent fact fails every check but `exists: false`."""

from decimal import Decimal

from console.exact.conditions.forms import ORDER, AllOf, AnyOf, Check, Condition
from console.exact.decimals import decimal_string
from console.exact.paths import ABSENT, Absent, follow
from console.exact.value import Number, Value


def evaluate(condition: Condition, facts: Value) -> bool:
    """Tell whether the condition holds of the facts."""
    if isinstance(condition, Check):
        return holds(condition, follow(facts, condition.path))
    if isinstance(condition, AllOf):
        return all(evaluate(part, facts) for part in condition.parts)
    if isinstance(condition, AnyOf):
        return any(evaluate(part, facts) for part in condition.parts)
    return not evaluate(condition.part, facts)


def holds(check: Check, fact: Value | Absent) -> bool:
    """Tell whether one check holds of the fact at its path."""
    if check.op == "exists":
        return (fact is not ABSENT) == check.value
    if fact is ABSENT:
        return False
    if check.op in ORDER:
        number = _as_number(fact)
        return number is not None and _in_order(check, number)
    if check.op == "prefix":
        return isinstance(fact, str) and fact.startswith(str(check.value))
    return _is_one_of(check, fact)


def _as_number(fact: Value | Absent) -> Number | None:
    if isinstance(fact, str):
        return decimal_string(fact)
    return fact if isinstance(fact, int | Decimal) and not isinstance(fact, bool) else None


def _in_order(check: Check, number: Number) -> bool:
    match check.op:
        case "lt":
            return number < check.bound
        case "lte":
            return number <= check.bound
        case "gt":
            return number > check.bound
        case _:
            return number >= check.bound


def _is_one_of(check: Check, fact: Value | Absent) -> bool:
    if isinstance(fact, str):
        return fact in check.texts or (bool(check.numbers) and decimal_string(fact) in check.numbers)
    if fact is None or isinstance(fact, bool):
        return any(fact is value for value in check.values)
    return isinstance(fact, int | Decimal) and fact in check.equals
