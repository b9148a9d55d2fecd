"""What is asked of the list of runs, in one line: `state:unknown dep:bank age>2h op:transfer sort:-age "words"`. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from runs.states import RUN_ENDED, RUN_STATES

OPEN: Final = tuple(state for state in RUN_STATES if state not in RUN_ENDED)
ENDED: Final = tuple(state for state in RUN_STATES if state in RUN_ENDED)
UNKNOWN, ASKING, NEEDS = "unknown", "asking", "needs"
STATES: Final[dict[str, tuple[str, ...]]] = {
    "open": OPEN, "ended": ENDED, **{state: (state,) for state in RUN_STATES}, UNKNOWN: (), ASKING: (), NEEDS: (),
}  # fmt: skip
SORTS: Final = ("age", "-age")
LONGEST: Final = 200
MOST_TERMS: Final = 12
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
AGE: Final = re.compile(r"(\d{1,5})(s|min|m|h|d|w)")
SECONDS: Final = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}
TOKEN: Final = re.compile(
    r"""(?P<name>[a-z]+)(?P<by>[:<>])(?P<value>"[^"]*"|[^\s"]*)|"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+)|(?P<open>")"""
)


@dataclass(frozen=True, slots=True)
class BadTerm(Exception):
    """A part of the line that cannot be understood: which, and why."""

    code: str
    term: str
    why: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked; what is empty is not asked. Spans are ages of runs; `order` is age (youngest first) or -age."""

    state: str = ""
    agent: str = ""
    type: str = ""
    dep: str = ""
    op: str = ""
    older: timedelta | None = None
    younger: timedelta | None = None
    words: tuple[str, ...] = ()
    order: str = "age"

    @property
    def states(self) -> tuple[str, ...]:
        """The states of runs that are meant; none stands for any."""
        return STATES.get(self.state, ())

    @property
    def is_narrowed(self) -> bool:
        """Tell whether anything is asked."""
        return self != Wanted(order=self.order)

    @property
    def is_simple(self) -> bool:
        """Tell whether no more than a state is asked, which is counted along an index."""
        return replace(self, state="", order="age") == Wanted()


def read(line: str) -> tuple[Wanted, list[BadTerm]]:
    """Read a line; gives what was understood, and each part that was not. What is asked twice is asked wrongly."""
    if len(line) > LONGEST:
        return Wanted(), [BadTerm("too_long", "", f"A line has at most {LONGEST} characters.")]
    wanted, faults, seen = Wanted(), list[BadTerm](), set[str]()
    for place, found in enumerate(TOKEN.finditer(line)):
        try:
            if place >= MOST_TERMS:
                raise BadTerm("too_many", found[0], f"At most {MOST_TERMS} parts are looked for together.")
            wanted = _with(wanted, found, seen)
        except BadTerm as fault:
            faults.append(fault)
            if fault.code == "too_many":
                break
    return wanted, faults


def _with(wanted: Wanted, found: re.Match[str], seen: set[str]) -> Wanted:
    if found["open"]:
        raise BadTerm("open_quote", '"', "The quotation mark is not closed.")
    name, value = found["name"], (found["value"] or "").strip('"')
    if name is None:
        text = (found["phrase"] or found["word"] or "").strip()
        return replace(wanted, words=(*wanted.words, text)) if text else wanted
    term = found[0]
    reader = READERS.get(name)
    if reader is None:
        raise BadTerm("unknown_name", term, f"There is nothing called {name} to ask for. Known: {', '.join(READERS)}.")
    if (name == "age") != (found["by"] != ":"):
        how = "age>2h or age<1d" if name == "age" else f"{name}:…"
        raise BadTerm("bad_form", term, f"Write {how}.")
    if not value:
        raise BadTerm("no_value", term, "After it nothing is said.")
    once = name + (found["by"] if name == "age" else "")
    if once in seen:
        raise BadTerm("twice", term, "It is asked twice.")
    seen.add(once)
    return reader(wanted, found["by"], value, term)


def _state(wanted: Wanted, by: str, value: str, term: str) -> Wanted:
    if value not in STATES:
        raise BadTerm("unknown_state", term, f"There is no such state. Known: {', '.join(STATES)}.")
    return replace(wanted, state=value)


def _sort(wanted: Wanted, by: str, value: str, term: str) -> Wanted:
    if value not in SORTS:
        raise BadTerm(
            "unknown_order", term, "Runs are sorted by sort:age (youngest first) or sort:-age (oldest first)."
        )
    return replace(wanted, order=value)


def _age(wanted: Wanted, by: str, value: str, term: str) -> Wanted:
    found = AGE.fullmatch(value)
    if found is None:
        raise BadTerm("bad_age", term, "An age is a whole number with s, min, h, d or w: 90min, 2h, 3d.")
    span = timedelta(seconds=int(found[1]) * SECONDS[found[2]])
    return replace(wanted, older=span) if by == ">" else replace(wanted, younger=span)


def _named(field: str) -> Callable[[Wanted, str, str, str], Wanted]:
    def take(wanted: Wanted, by: str, value: str, term: str) -> Wanted:
        if not NAME.fullmatch(value):
            raise BadTerm("bad_name", term, "That is no name: letters, digits, dots and dashes, at most 63.")
        changes: dict[str, str] = {field: value}
        return replace(wanted, **changes)  # type: ignore[arg-type]

    return take


READERS: Final[dict[str, Callable[[Wanted, str, str, str], Wanted]]] = {
    "state": _state, "dep": _named("dep"), "age": _age, "type": _named("type"), "agent": _named("agent"), "op": _named("op"), "sort": _sort,
}  # fmt: skip


def terms(wanted: Wanted) -> list[tuple[str, str]]:
    """Give what is asked as terms of a line, each with the name of its field; `read` reads them back."""
    found = [
        (name, f"{name}:{getattr(wanted, name)}")
        for name in ("state", "dep", "op", "type", "agent")
        if getattr(wanted, name)
    ]
    found += [("age", f"age>{_span(wanted.older)}")] if wanted.older is not None else []
    found += [("age", f"age<{_span(wanted.younger)}")] if wanted.younger is not None else []
    found += [("words", f'"{text}"') for text in wanted.words]
    return found + ([("sort", f"sort:{wanted.order}")] if wanted.order != "age" else [])


def line(wanted: Wanted) -> str:
    """Write the line that asks for this."""
    return " ".join(text for _, text in terms(wanted))


def _span(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    unit = next((unit for unit in ("w", "d", "h", "min") if seconds and seconds % SECONDS[unit] == 0), "s")
    return f"{seconds // SECONDS[unit]}{unit}"
