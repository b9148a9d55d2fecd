"""Reading YAML exactly and without surprises.

Only what JSON can say is taken: texts, exact numbers, true, false, null, lists and mappings with texts as keys. `no` is a
text and not false, `010` a text and not eight, a date a text; a key twice, an anchor, an alias or a tag is refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from console.exact import Value
from console.exact.decimals import OutOfRange, fraction, whole
from console.exact.pointer import pointer
from console.exact.surrogates import has_surrogate

LONGEST = 512 * 1024
LEVELS = 64
MOST = 20_000  # values; they are read one by one, and whoever pastes a text waits for it, and so do others
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS: dict[str, Value] = {"": None, "~": None, "null": None, "true": True, "false": False}
_NOT_NUMBERS = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


class BadYAML(ValueError):
    """The text is not YAML that is taken; `code` is stable, `path` a JSON pointer, `line` counts from 1."""

    def __init__(self, code: str, path: str, detail: str, line: int) -> None:
        super().__init__(f"line {line}: {detail} (at {path or 'the top'})")
        self.code = code
        self.path = path
        self.detail = detail
        self.line = line


def read(text: str) -> list[tuple[int, Value]]:
    """Read every document of the text, with the line that it begins on; BadYAML when one cannot be taken."""
    if len(text) > LONGEST:
        raise BadYAML("too_large", "", f"The text has more than {LONGEST} characters.", 1)
    try:
        return list(_Builder().documents(yaml.parse(text, Loader=yaml.SafeLoader)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadYAML("malformed", "", f"This is not YAML: {error.problem}.", mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as error:
        raise BadYAML("malformed", "", f"This is not YAML: {str(error).splitlines()[0]}.", 1) from None
    except BadYAML:
        raise
    except (ValueError, OverflowError):  # the reader's own answer to some escapes beyond Unicode
        raise BadYAML("malformed", "", "This is not YAML: it names a character that does not exist.", 1) from None


def means_itself(text: str) -> bool:
    """Tell whether the text, written without quotes, is read as that text and not as a number or a word of JSON."""
    return text not in _WORDS and not _NOT_NUMBERS.fullmatch(text) and not _FRACTION.fullmatch(text)


@dataclass(slots=True)
class _Frame:
    """A list or mapping being built: the place reached in it, and whether a mapping wants a key next."""

    value: Any
    at: str | int
    wants_key: bool
    lines: dict[str, int] = field(default_factory=dict)


class _Builder:
    """Builds values from YAML's events one by one, so that depth costs nothing."""

    def __init__(self) -> None:
        self.frames: list[_Frame] = []
        self.line = 1
        self.values = 0
        self.top: Value = None

    def documents(self, events: Iterator[Any]) -> Iterator[tuple[int, Value]]:
        begins = 0
        for event in events:
            self.line = event.start_mark.line + 1
            if isinstance(event, yaml.DocumentStartEvent):
                begins = 0
            elif isinstance(event, yaml.DocumentEndEvent):
                if begins:
                    yield begins, self.top
            elif isinstance(event, yaml.NodeEvent):
                if not self.frames and not _is_nothing(event):
                    begins = self.line
                self._node(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.frames.pop()

    def _node(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self._bad("alias", "Anchors and aliases are not taken; write the value where it is used.")
        if event.tag is not None:
            raise self._bad("tag", "Tags are not taken; put text in quotes, write numbers plainly.")
        self.values += 1
        if self.values > MOST:
            raise self._bad("too_large", f"It has more than {MOST:,} values.")
        if isinstance(event, yaml.ScalarEvent):
            self._place(self._scalar(event))
            return
        if len(self.frames) >= LEVELS:
            raise self._bad("too_deep", f"It is nested more than {LEVELS} levels deep.")
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        value: Any = {} if is_mapping else []
        self._place(value)
        self.frames.append(_Frame(value, "" if is_mapping else -1, is_mapping))

    def _scalar(self, event: Any) -> Value:
        text: str = event.value
        if "\0" in text or has_surrogate(text):
            raise self._bad("bad_text", "The text holds NUL or half of a surrogate pair, which cannot be stored.")
        return self._plain(text) if event.implicit[0] else text

    def _plain(self, text: str) -> Value:
        if text in _WORDS:
            return _WORDS[text]
        if _NOT_NUMBERS.fullmatch(text):
            raise self._bad("bad_number", "A number must be finite.")
        try:
            if _WHOLE.fullmatch(text):
                return whole(text)
            return fraction(text) if _FRACTION.fullmatch(text) else text
        except OutOfRange as why:
            raise self._bad("bad_number", f"The number cannot be kept exactly: {why}.") from None

    def _place(self, value: Value) -> None:
        """Put the value where the reading stands: at the top, into a list, as a key, or under the key read last."""
        if not self.frames:
            self.top = value
            return
        frame = self.frames[-1]
        if isinstance(frame.at, int):
            frame.at += 1
            frame.value.append(value)
        elif frame.wants_key:
            self._key(frame, value)
        else:
            frame.value[frame.at] = value
            frame.wants_key = True

    def _key(self, frame: _Frame, key: Value) -> None:
        if not isinstance(key, str):
            raise self._bad("key_not_text", "A key must be text; put it in quotes.")
        frame.at = key
        if key in frame.lines:
            raise self._bad("duplicate_key", f"The same key stands twice, first on line {frame.lines[key]}.")
        frame.lines[key] = self.line
        frame.wants_key = False

    def _bad(self, code: str, detail: str) -> BadYAML:
        return BadYAML(code, pointer(self._path()), detail, self.line)

    def _path(self) -> Iterator[str | int]:
        for frame in self.frames:
            if isinstance(frame.at, int):
                yield frame.at + (frame is self.frames[-1])  # the innermost list is about to get one more
            elif frame.at or frame is not self.frames[-1]:
                yield frame.at


def _is_nothing(event: Any) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.implicit[0] and event.value == ""
