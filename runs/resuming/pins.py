"""What a changed version does to a resume: the run type's pins, compared with what was in use before. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from console.exact import Value
from runs.contracts.run_type import PINNED, RunTypeDocument

DECIDE: Final = "decide"
QUARANTINE: Final = "quarantine"
# The versions of ours: one of them in words, and the pin that speaks for it.
OURS: Final = {"operations": ("operation", "interface"), "policies": ("policy", "policy")}


@dataclass(frozen=True, slots=True)
class Difference:
    """One version that is not what it was. `now` is "" when it was not said."""

    name: str
    was: str
    now: str
    pin: str


def differences(
    contract: RunTypeDocument, before: Mapping[str, Value], told: Mapping[str, str] | None, ours: Mapping[str, Value]
) -> list[Difference]:
    """Compare what was in use with what the driver runs with (None: nobody drives) and with what is in force here.

    A version that was kept and is not said now counts as changed: nobody guesses that it is the same."""
    found: list[Difference] = []
    for name in PINNED if told is not None else ():
        was, now = str(before.get(name, "")), str((told or {}).get(name, ""))
        if was and was != now:
            found.append(Difference(name, was, now, contract.pins[name]))
    for kind, (word, pinned) in OURS.items():
        found += (
            Difference(f"{word} {name}", was, now, contract.pins[pinned])
            for name, was, now in _of_ours(before.get(kind), ours.get(kind))
        )
    return found


def _of_ours(before: Value, now: Value) -> Iterator[tuple[str, str, str]]:
    """Give the names known on both sides whose versions differ; what came into use since is no change."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted(before.keys() & now.keys()):
            if before[name] != now[name]:
                yield name, str(before[name]), str(now[name])


def kept(before: Mapping[str, Value], told: Mapping[str, str], ours: Mapping[str, Value]) -> dict[str, Value]:
    """Give what is kept once a driver went on: what it runs with over what was known, and ours."""
    return {**before, **told, **ours}
