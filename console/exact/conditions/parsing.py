"""Reading a condition from a document, refusing by name what is not one."""

from typing import Any, cast

from console.exact.conditions.forms import OPS, ORDER, AllOf, AnyOf, Check, Condition, Not, Op, Scalar, is_number
from console.exact.decimals import OutOfRange, check, decimal_string
from console.exact.paths import BadPath, path_of
from console.exact.pointer import pointer
from console.exact.value import Value

PARTS = 200
LEVELS = 10
VALUES = 1000
TEXT = 1000


class BadCondition(ValueError):
    """The value is not a condition; `code` is stable, `path` is a JSON pointer from the condition's top."""

    def __init__(self, code: str, path: str, detail: str) -> None:
        super().__init__(f"{detail} (at {path or 'the top'})")
        self.code = code
        self.path = path
        self.detail = detail


def parse(value: Value) -> Condition:
    """Read a condition; BadCondition when the value is not one, or is larger than is taken."""
    return _Parser().read(value, (), 1)


class _Parser:
    def __init__(self) -> None:
        self.parts = 0

    def read(self, value: Any, at: tuple[str | int, ...], level: int) -> Condition:
        self.parts += 1
        if self.parts > PARTS:
            raise _bad("too_large", (), f"A condition has at most {PARTS} parts.")
        if level > LEVELS:
            raise _bad("too_deep", at, f"A condition is nested at most {LEVELS} levels deep.")
        if not isinstance(value, dict):
            raise _bad("not_a_condition", at, "A condition is all, any, not, or path with op and value.")
        for word in ("all", "any"):
            if word in value:
                return self._group(word, value, at, level)
        if "not" in value:
            _only(value, {"not"}, at)
            return Not(self.read(value["not"], (*at, "not"), level + 1))
        return _check(value, at)

    def _group(self, word: str, value: dict[str, Any], at: tuple[str | int, ...], level: int) -> Condition:
        _only(value, {word}, at)
        parts = value[word]
        if not isinstance(parts, list) or not parts:
            raise _bad("empty", (*at, word), f"`{word}` needs a list with at least one condition.")
        read = tuple(self.read(part, (*at, word, index), level + 1) for index, part in enumerate(parts))
        return AllOf(read) if word == "all" else AnyOf(read)


def _check(value: dict[str, Any], at: tuple[str | int, ...]) -> Check:
    _only(value, {"path", "op", "value"}, at)
    for name in ("path", "op", "value"):
        if name not in value:
            raise _bad("missing_field", (*at, name), f"`{name}` is missing.")
    op = value["op"]
    if op not in OPS:
        raise _bad("unknown_op", (*at, "op"), f"`op` is one of {', '.join(OPS)}.")
    try:
        path = path_of(value["path"] if isinstance(value["path"], str) else "")
    except BadPath as why:
        raise _bad("bad_path", (*at, "path"), f"`path` cannot be used: {why}.") from None
    return Check(path, cast("Op", op), _values(op, value["value"], (*at, "value")))


def _values(op: str, value: Any, at: tuple[str | int, ...]) -> tuple[Scalar, ...]:
    if op == "in":
        if not isinstance(value, list) or not 1 <= len(value) <= VALUES:
            raise _bad("bad_value", at, f"`in` needs a list of 1 to {VALUES} values.")
        return tuple(_scalar(item, (*at, index)) for index, item in enumerate(value))
    scalar = _scalar(value, at)
    if op in ORDER and not is_number(scalar) and not (isinstance(scalar, str) and decimal_string(scalar) is not None):
        raise _bad("bad_value", at, f"`{op}` needs a number.")
    if op == "prefix" and not (isinstance(scalar, str) and scalar):
        raise _bad("bad_value", at, "`prefix` needs text.")
    if op == "exists" and not isinstance(scalar, bool):
        raise _bad("bad_value", at, "`exists` needs true or false.")
    return (scalar,)


def _scalar(value: Any, at: tuple[str | int, ...]) -> Scalar:
    if isinstance(value, str):
        if len(value) > TEXT:
            raise _bad("bad_value", at, f"Text in a condition has at most {TEXT} characters.")
        return value
    if value is None or isinstance(value, bool):
        return value
    if is_number(value):
        try:
            check(value)
        except OutOfRange as why:
            raise _bad("bad_value", at, f"The number cannot be kept exactly: {why}.") from None
        return cast("Scalar", value)
    raise _bad("bad_value", at, "A condition compares with text, an exact number, true, false or null.")


def _only(value: dict[str, Any], names: set[str], at: tuple[str | int, ...]) -> None:
    for name in value:
        if name not in names:
            raise _bad("unknown_field", (*at, name), f"Only {', '.join(sorted(names))} can stand here.")


def _bad(code: str, at: tuple[str | int, ...], detail: str) -> BadCondition:
    return BadCondition(code, pointer(at), detail)
