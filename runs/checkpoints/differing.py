"""Two checkpoints beside each other: what each place said then and says in the later one. Pure.

Things are compared with themselves, not by where they stand in a list: an effect that was pending and is done is one line, and so is one
that was not there before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from console.exact import Value, canonical

LABELS: Final = ("name", "key", "number", "id")  # what tells the items of a list apart, in this order
SAYS_MOST: Final = ("state", "reference", "text", "decision", "name")  # of a thing that came or went, in this order
# What of each thing is told where it changed: the rest follows from it, or stands in the document.
OF_RUN: Final = ("state", "epoch", "holder", "driver", "attention", "result")
OF_EFFECT: Final = (
    "state", "outcome", "attempts", "reference", "reason", "unknown_since", "owner_group", "cancel_asked_at", "deadline_at", "after_waits",
)  # fmt: skip
OF_APPROVAL: Final = ("state", "approved_by", "denied_by", "decide_by", "use_by")
AS_THEY_ARE: Final = (
    "version", "goal", "versions", "budgets", "waits", "signals", "children", "artifacts", "evidence", "corrections", "cancellation",
    "compensation",
)  # fmt: skip
LONGEST: Final = 400
MOST: Final = 300


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two checkpoints differ; None: it was not there, or is no more."""

    place: str
    was: str | None
    now: str | None


def of_record(before: Value, after: Value) -> list[Difference]:
    """Give what differs between two authoritative parts."""
    return differences(_told(before), _told(after))


def differences(before: Value, after: Value) -> list[Difference]:
    """Give every place where two values differ, in the order of the later one; what is gone comes last. At most MOST of them."""
    return list(_differing(before, after, ""))[:MOST]


def _told(said: Value) -> Value:
    """Name each effect by its key and each request by its effect's, whatever has become of them."""
    if not isinstance(said, Mapping):
        return said
    groups = said.get("effects", {})
    effects = sorted((each for group in groups.values() for each in group), key=lambda each: int(each["number"]))
    keys = {each.get("id"): each["key"] for each in effects}
    approvals = said.get("approvals", ())
    resume = said.get("resume", {})
    return {
        "run": _some(said.get("run", {}), OF_RUN),
        "effect": [{"key": each["key"], **_some(each, OF_EFFECT)} for each in effects],
        "approval of": [
            {"name": keys.get(each["effect"], each["effect"]), **_some(each, OF_APPROVAL)} for each in approvals
        ],
        **_some(said, AS_THEY_ARE),
        "resume": _some(resume, ("due", "condition", "last")),
    }


def _some(thing: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: thing[name] for name in names if name in thing}


def _differing(was: Any, now: Any, place: str) -> Iterator[Difference]:
    if _is_nothing(was) and _is_nothing(now):
        return
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in (*now, *(name for name in was if name not in now)):
            yield from _differing(was.get(name), now.get(name), f"{place} · {name}" if place else str(name))
    elif _has_things(was) or _has_things(now):
        before, after = _labelled(was), _labelled(now)
        for label in (*after, *(label for label in before if label not in after)):
            yield from _differing(before.get(label), after.get(label), f"{place} {label}".strip())
    elif was != now:
        yield Difference(place, _brief(was), _brief(now))


def _is_nothing(value: Any) -> bool:
    return value is None or value in ([], {})


def _has_things(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value)


def _labelled(items: Any) -> dict[str, Any]:
    """Give the items of a list by what tells them apart; of two with one label the later has its place behind it."""
    found: dict[str, Any] = {}
    for number, item in enumerate(items if isinstance(items, list) else (), start=1):
        named = (
            next((item[label] for label in LABELS if label in item), number) if isinstance(item, Mapping) else number
        )
        label = _said(named)
        found[f"{label} ({number})" if label in found else label] = item
    return found


def _brief(value: Any) -> str | None:
    """Say a value; of a thing what says most."""
    if _is_nothing(value):
        return None
    if isinstance(value, Mapping):
        told = next((value[name] for name in SAYS_MOST if value.get(name)), None)
        return _brief(told) if told is not None else _said(value)
    return _said(value)


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, list):
        return ", ".join(map(_said, value)) or "none"
    text = canonical(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
