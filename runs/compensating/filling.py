"""What a compensating effect is called with, and what must still be so: filled in from what happened. Pure (R-J1)."""

from collections.abc import Collection, Mapping
from typing import Any, Final, cast

from console.exact import Object, Value, canonical, decode
from console.exact.paths import ABSENT
from runs.contracts.templates import CannotFill, Template, fill
from runs.contracts.undoing import Undoing
from runs.models import Effect

WHY: Final = ("reason",)  # the place of templates where it stands why something is made good for


def facts_of(effect: Effect, reason: str) -> Object:
    """Give what templates of the contract may name: the arguments and the result of what happened, its id, and why it is made good for."""
    return {
        "arguments": decode(effect.arguments.encode()),
        "result": decode(effect.result.encode()) if effect.result else {},
        "effect": {"id": str(effect.pk), "key": effect.key},
        "reason": reason,
    }


def arguments(undoing: Undoing, facts: Object, takes: Collection[str]) -> Object:
    """Fill the arguments of the compensating operation in, which takes those names. Raises CannotFill.

    Where the contract does not say, they are the original's arguments of the same name."""
    if undoing.arguments is None:
        given = cast("dict[str, Value]", facts["arguments"])
        return {name: value for name, value in given.items() if name in takes}
    filled: Any = fill(undoing.arguments, facts)
    return cast("Object", filled)


def with_room(undoing: Undoing, filled: Object, takes: Mapping[str, Any]) -> Object:
    """Cut texts that tell why, where the operation takes fewer characters: a long reason keeps nothing from being made good for."""
    if not isinstance(undoing.arguments, dict):
        return filled
    telling = [
        name for name, each in undoing.arguments.items() if isinstance(each, Template) and WHY in each.paths and name in filled
    ]  # fmt: skip
    return filled | {name: _cut(filled[name], takes.get(name, {}).get("maxLength")) for name in telling}


def _cut(value: Value, longest: Any) -> Value:
    if not isinstance(value, str) or longest is None or len(value) <= int(longest):
        return value
    return value[: int(longest) - 1] + "…"


def expects(undoing: Undoing, facts: Object) -> str:
    """Fill in what must still be so, canonical; "" where nothing is expected. Raises CannotFill: what cannot be told cannot be compared."""
    expected: list[Value] = []
    for each in undoing.unchanged:
        equals = each.equals.value(facts)
        if equals is ABSENT:
            raise CannotFill(each.equals.alone or each.path, "has no value")
        expected.append({"path": ".".join(each.path), "equals": equals})
    return canonical(expected) if expected else ""
