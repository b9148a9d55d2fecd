"""Looks that follow each other with the same answer, told in one line. Pure; every entry stays within the line."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from runs.states import LOOKS

if TYPE_CHECKING:
    from runs.history import Line

ASKED, ANSWERED = "attempt.dispatched", "attempt.settled"
SAME = ("outcome", "http_status", "to", "reason", "sent")


@dataclass(slots=True)
class _Query:
    """One status query: that it was asked, and what came."""

    lines: list["Line"]
    answer: tuple[Any, ...]


def told_once(lines: Iterable["Line"]) -> list["Line"]:
    """Give the lines, with repeated queries of an effect as one line that holds the others; whatever else happens ends a repetition."""
    told: list[Line] = []
    asked: dict[str, Line] = {}  # by attempt: a query whose answer has not come yet
    repeated: dict[str, _Query] = {}  # by effect: the query that may be repeated
    for line in lines:
        attempt = str(_facts(line).get("attempt") or "")
        if line.kind == ASKED and _facts(line).get("kind") in LOOKS:
            asked[attempt] = line
            told.append(line)
        elif line.kind == ANSWERED and attempt in asked:
            _answered(told, repeated, asked.pop(attempt), line)
        else:
            repeated.clear()
            told.append(line)
    return told


def _answered(told: list["Line"], repeated: dict[str, _Query], question: "Line", answer: "Line") -> None:
    same = tuple(str(_facts(answer).get(name)) for name in SAME)
    before = repeated.get(answer.effect)
    if before is None or before.answer != same:
        told.append(answer)
        repeated[answer.effect] = _Query([question, answer], same)
        return
    told.remove(question)
    if len(before.lines) == 2:
        told.remove(before.lines[1])
    before.lines += [question, answer]
    place = next(place for place, line in enumerate(told) if line.seq == before.lines[0].seq)
    told[place] = _once(before.lines)


def _once(lines: list["Line"]) -> "Line":
    last, times = lines[-1], len(lines) // 2
    sentence = f"Asked the other side {times} times, each time the same: {last.sentence[:1].lower()}{last.sentence[1:]}"
    return replace(lines[0], sentence=sentence, repeats=tuple(lines), until=last.at)


def _facts(line: "Line") -> dict[str, Any]:
    return line.detail if isinstance(line.detail, dict) else {}
