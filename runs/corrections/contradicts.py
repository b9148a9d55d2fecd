"""What a correction says must not be, and whether an intent is that. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from console.exact import Object, Value, decode
from console.exact.conditions import BadCondition, Check, parse, sentence
from console.exact.conditions.evaluation import holds
from console.exact.paths import ABSENT, BadPath, follow, path_of
from console.http.refusals import InvalidContent
from runs.models import Correction

FIELDS: Final = {"operation", "argument", "must"}
LONGEST_NAME: Final = 63


class BadCorrection(InvalidContent):
    """A correction contradicts an operation that exists, an argument, or both; `must` says what must be true of the argument."""

    code = "bad_correction"


def checked(contradicts: Object | None) -> Object:
    """Give what a correction contradicts in its normal form, {} for nothing. Raises BadCorrection."""
    if not contradicts:
        return {}
    unknown = sorted(contradicts.keys() - FIELDS)
    if unknown:
        raise BadCorrection(path=f"/contradicts/{unknown[0]}")
    said: Object = {name: value for name, value in contradicts.items() if value is not None}
    if not said.keys() & {"operation", "argument"}:
        raise BadCorrection(path="/contradicts")
    operation, argument, must = said.get("operation"), said.get("argument"), said.get("must")
    if operation is not None and not (isinstance(operation, str) and 0 < len(operation) <= LONGEST_NAME):
        raise BadCorrection(path="/contradicts/operation")
    if argument is not None:
        try:
            path_of(f"arguments.{argument}" if isinstance(argument, str) else "")
        except BadPath:
            raise BadCorrection(path="/contradicts/argument") from None
    if must is not None:
        _check_of(argument, must)
    return said


def contradicted_by(corrections: Iterable[Correction], operation: str, arguments: Object) -> Correction | None:
    """Give the first of these corrections that an intent contradicts, after those that later ones overtook are left out."""
    for correction in in_force(corrections):
        if contradicts(said_by(correction), operation, arguments):
            return correction
    return None


def contradicts(said: Object, operation: str, arguments: Object) -> bool:
    """Tell whether an intent is what a correction says must not be.

    Without an argument, every effect of the operation is. Without `must`, every effect that carries the argument is. With it, an effect
    whose argument is otherwise is; one that does not carry the argument is only where the correction names its operation."""
    if not said or said.get("operation", operation) != operation:
        return False
    if "argument" not in said:
        return True
    argument = str(said["argument"])
    stands = follow(arguments, path_of(argument))
    if "must" not in said:
        return stands is not ABSENT
    if stands is ABSENT and "operation" not in said:
        return False
    return not holds(_check_of(argument, said["must"]), stands)


def in_force(corrections: Iterable[Correction]) -> Sequence[Correction]:
    """Leave out corrections that a later one overtook, because it is about the same operation and the same argument."""
    last: dict[tuple[Value, Value], Correction] = {}
    for correction in sorted(corrections, key=lambda each: each.number):
        if said := said_by(correction):
            last[said.get("operation"), said.get("argument")] = correction
    return sorted(last.values(), key=lambda each: each.number)


def said_by(correction: Correction) -> Object:
    """Give what a correction contradicts, {} for nothing, also once it is erased."""
    said = decode(correction.contradicts.encode()) if correction.contradicts else {}
    return said if isinstance(said, dict) else {}


def in_words(said: Object) -> str:
    """Say what is not begun any more, as the end of a sentence; nothing where a correction is only a text."""
    if not said:
        return ""
    operation = said.get("operation")
    if "argument" not in said:
        return f"no {operation}"
    if "must" in said:
        check = _check_of(f"arguments.{said['argument']}", said["must"])
        return f"{operation or 'anything'} only where {sentence(check)}"
    return f"{f'no {operation}' if operation else 'nothing'} with the argument {said['argument']}"


def _check_of(argument: Any, must: Any) -> Check:
    """Read what must be true of an argument. Raises BadCorrection."""
    if not isinstance(argument, str) or not isinstance(must, dict) or must.keys() - {"op", "value"}:
        raise BadCorrection(path="/contradicts/must")
    try:
        read = parse({"path": argument, **must})
    except BadCondition as why:
        raise BadCorrection(why.detail, path=f"/contradicts/must{why.path}") from None
    if not isinstance(read, Check):
        raise BadCorrection(path="/contradicts/must")
    return read
