"""What a contract says of making good for its effects, in sentences; what it leaves out, it gives nothing of."""

from collections.abc import Iterator
from typing import Any, Final

from console.exact import canonical
from runs.contracts.spans import in_words

ON: Final = {
    "cancelled": "its run is cancelled", "failed": "its run fails", "expired": "its run expires", "partial": "it was done in part",
}  # fmt: skip
WHO: Final = {"driver": "the run's driver", "operator": "an operator", "admin": "an administrator"}


def undoing_told(section: Any) -> Iterator[str]:
    """Say what the engine goes by."""
    yield from _when(section)
    yield from _with_what(section)
    yield from _by_whom(section)


def _when(section: Any) -> Iterator[str]:
    if section.get("on"):
        yield f"Planned without being asked for when {_or([ON[cause] for cause in section['on']])}."
    if "need" in section:
        yield (
            "The end of the run waits for it."
            if section["need"] == "required"
            else "The end of the run does not wait for it."
        )
    if section.get("after"):
        yield f"Effects of {_and(section['after'])} in the same run are made good for first."
    if section.get("plan_first"):
        yield "Somebody approves the plan before anything of it runs."


def _with_what(section: Any) -> Iterator[str]:
    values: Any = section.get("arguments") or {}
    given = [f"{name} = {value if isinstance(value, str) else canonical(value)}" for name, value in values.items()]
    if given:
        yield f"It is given {_and(given)}."
    expected = [f"{each['path']} is {each['equals']}" for each in section.get("unchanged", [])]
    if expected:
        yield f"Before it acts it is looked whether {_and(expected)}; where not, a person is shown the difference and asked."


def _by_whom(section: Any) -> Iterator[str]:
    if section.get("who"):
        yield f"It is asked for by {_or([WHO[who] for who in section['who']])}."
    if section.get("of_compensation"):
        yield "It may be made good for even where it made good for something itself."
    if "second_person" in section:
        counts = "counts when a second person has confirmed it" if section["second_person"] else "counts"
        yield f"What one person says ended it by hand {counts}."
    if section.get("instructions"):
        yield f"What people do: {section['instructions']}"
    if section.get("checklist"):
        yield f"They tick off: {'; '.join(section['checklist'])}"
    if section.get("owner"):
        yield f"The group {section['owner']} looks after it."
    for rung in section.get("ladder", []):
        after = f"{in_words(rung['after_seconds'])} after" if rung["after_seconds"] else "as soon as"
        yield f"The group {rung['to']} is told {after} it needs somebody."


def _and(parts: list[str]) -> str:
    return _listed(parts, "and")


def _or(parts: list[str]) -> str:
    return _listed(parts, "or")


def _listed(parts: list[str], last: str) -> str:
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)
