"""Saying what is wrong with a JSON text, and where. Thorough, never recursive, and used once reading has failed."""

import re
from dataclasses import dataclass, field

from console.exact.bad_json import BAD_NUMBER, DUPLICATE_KEY, LONE_SURROGATE, MALFORMED, NUL, TOO_DEEP, BadJSON
from console.exact.decimals import OutOfRange, fraction, whole
from console.exact.pointer import pointer

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"')
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")
_NOT_NUMBERS = re.compile(r"NaN|-?Infinity")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

# What may come next.
VALUE, FIRST_ITEM, KEY, FIRST_KEY, COLON, AFTER, END = (
    "value",
    "first item",
    "key",
    "first key",
    "colon",
    "after",
    "end",
)


@dataclass(slots=True)
class _Frame:
    """An object or array that is being read: the key or index we are at, and the keys seen."""

    is_object: bool
    at: str | int
    seen: set[str] = field(default_factory=set)


def find_fault(text: str, levels: int) -> BadJSON | None:
    """Give the first fault of the text, or None where there is none."""
    try:
        _Reader(text, levels).read()
    except BadJSON as fault:
        return fault
    return None


class _Reader:
    def __init__(self, text: str, levels: int) -> None:
        self.text = text
        self.levels = levels
        self.at = 0
        self.next = VALUE
        self.frames: list[_Frame] = []

    def read(self) -> None:
        steps = {
            VALUE: self._value,
            FIRST_ITEM: self._first_item,
            KEY: self._key,
            FIRST_KEY: self._first_key,
            COLON: self._colon,
            AFTER: self._after,
        }
        self._skip_space()
        while self.next != END:
            if self.at >= len(self.text):
                raise self._fault(MALFORMED, "The text ends too early.")
            steps[self.next]()
            self._skip_space()
        if self.at < len(self.text):
            raise self._fault(MALFORMED, f"Something follows the document {self._where()}.")

    def _value(self) -> None:
        mark = self.text[self.at]
        if mark in "{[":
            self._open(is_object=mark == "{")
        elif mark == '"':
            self._string("The text")
            self._settle()
        elif word := _WORD.match(self.text, self.at):
            self.at = word.end()
            self._settle()
        else:
            self._number()
            self._settle()

    def _open(self, *, is_object: bool) -> None:
        if len(self.frames) >= self.levels:
            raise self._fault(TOO_DEEP, f"It is nested more than {self.levels} levels deep.")
        self.at += 1
        self.frames.append(_Frame(is_object, "" if is_object else 0))
        self.next = FIRST_KEY if is_object else FIRST_ITEM

    def _close(self) -> None:
        self.at += 1
        self.frames.pop()
        self._settle()

    def _settle(self) -> None:
        self.next = AFTER if self.frames else END

    def _first_item(self) -> None:
        if self.text[self.at] == "]":
            self._close()
        else:
            self._value()

    def _first_key(self) -> None:
        if self.text[self.at] == "}":
            self._close()
        else:
            self._key()

    def _key(self) -> None:
        if self.text[self.at] != '"':
            raise self._fault(MALFORMED, f"A key in double quotes is missing {self._where()}.")
        frame = self.frames[-1]
        frame.at = self._string("A key")
        self.next = COLON
        if frame.at in frame.seen:
            raise self._fault(DUPLICATE_KEY, "The same key stands twice in one object.")
        frame.seen.add(frame.at)

    def _colon(self) -> None:
        if self.text[self.at] != ":":
            raise self._fault(MALFORMED, f"A colon is missing {self._where()}.")
        self.at += 1
        self.next = VALUE

    def _after(self) -> None:
        frame = self.frames[-1]
        mark = self.text[self.at]
        if mark == ("}" if frame.is_object else "]"):
            self._close()
        elif mark == ",":
            self.at += 1
            if isinstance(frame.at, int):
                frame.at += 1
            self.next = KEY if frame.is_object else VALUE
        else:
            raise self._fault(MALFORMED, f"A comma or a closing bracket is missing {self._where()}.")

    def _number(self) -> None:
        if _NOT_NUMBERS.match(self.text, self.at):
            raise self._fault(BAD_NUMBER, "NaN and Infinity are not JSON.")
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            raise self._fault(MALFORMED, f"A value is missing {self._where()}.")
        try:
            whole(match[0]) if match[2] is match[3] is None else fraction(match[0])
        except OutOfRange as why:
            raise self._fault(BAD_NUMBER, f"The number is not one that can be kept exactly: {why}.") from None
        self.at = match.end()

    def _string(self, what: str) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self._broken_string(what)
        self.at = match.end()
        found = _ESCAPE.sub(_unescape, match[1])
        if "\0" in found:
            raise self._fault(NUL, f"{what} holds the NUL character, which cannot be stored.")
        try:
            joined = found.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise self._fault(
                LONE_SURROGATE, f"{what} holds half of a surrogate pair, which is no character."
            ) from None
        return joined

    def _broken_string(self, what: str) -> BadJSON:
        body = re.compile(r'"(?:[^"\\\x00]++|\\.)*+', re.DOTALL).match(self.text, self.at)
        if body and self.text[body.end() : body.end() + 1] == "\0":
            return self._fault(NUL, f"{what} holds the NUL character, which cannot be stored.")
        return self._fault(MALFORMED, f"{what} that begins {self._where()} is not a JSON string.")

    def _skip_space(self) -> None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def _where(self) -> str:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return f"at line {line}, column {column}"

    def _fault(self, code: str, detail: str) -> BadJSON:
        known = self.frames[:-1] if self.next in {KEY, FIRST_KEY} else self.frames  # a key not read yet has no place
        return BadJSON(code, pointer(frame.at for frame in known), detail)


def _unescape(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _SHORT.get(match[2], match[2])
