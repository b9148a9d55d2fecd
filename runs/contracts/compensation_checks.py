"""Faults of what a contract says of making good for its effects: what it names exists, and what is to be done can be done (R-J1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from console.documents import Fault
from console.exact.paths import Path
from console.exact.pointer import pointer
from console.exact.value import Object
from runs.contracts.placeholders import Place, argument_faults, path_faults
from runs.contracts.results import results_of
from runs.contracts.templates import BadTemplate, shape, templates_in
from runs.contracts.undoing import ROOTS

AT = "/compensation"
EFFECT = frozenset({"id", "key"})
TOLD = ("residue", "checklist")  # lists of texts that are told as they stand, also before anything happened
PLACED = re.compile(r"\{(?:arguments|result|effect|reason)\b[^{}]*\}")
BY_AN_OPERATION = ("arguments", "unchanged")  # what only an operation can be given


@dataclass(frozen=True, slots=True)
class Names:
    """What the templates of the section may name: the arguments, the names in results (None: whatever the answer says), and the reason."""

    place: Place
    results: frozenset[str] | None
    reason: bool


def compensation_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of the section, as far as they can be seen without other contracts."""
    section: Object = contract.get("compensation") or {}
    yield from _nobody_faults(contract, section)
    yield from _told_faults(section)
    names = Place(contract["arguments"]), results_of(contract)
    if "arguments" in section:
        yield from _template_faults(section["arguments"], Names(*names, reason=True), f"{AT}/arguments")
    for index, each in enumerate(section.get("unchanged", [])):
        at = f"{AT}/unchanged/{index}"
        yield from path_faults(each["path"], f"{at}/path")
        yield from _template_faults(each["equals"], Names(*names, reason=False), f"{at}/equals")


def _told_faults(section: Object) -> Iterator[Fault]:
    """Give the texts in which something is to be filled in that are told as they stand."""
    texts: list[tuple[str, Any]] = [
        ("instructions", section.get("instructions", "")),
        ("verification", section.get("verification") or ""),
    ]
    for name in TOLD:
        listed: Any = section.get(name, [])
        texts += [(f"{name}/{index}", text) for index, text in enumerate(listed)]
    for place, text in texts:
        if found := PLACED.search(text):
            yield Fault(
                f"{AT}/{place}",
                "not_here",
                f"{found[0]} is not filled in here: this is told as it stands, also before anything happened.",
            )


def _nobody_faults(contract: Object, section: Object) -> Iterator[Fault]:
    if section.get("on") and contract["access"] == "read":
        yield Fault(f"{AT}/on", "not_here", "What only reads has nothing to make good for.")
    if section.get("operation"):
        return
    for name in BY_AN_OPERATION:
        if name in section:
            yield Fault(f"{AT}/{name}", "not_here", "There is no compensating operation that this would be for.")
    if section.get("on") and not section.get("instructions"):
        why = "People do it, so compensation.instructions says what they do."
        yield Fault(f"{AT}/on", "needs_instructions", why)


def _template_faults(value: Any, names: Names, at: str) -> Iterator[Fault]:
    try:
        found = list(templates_in(shape(value, ROOTS)))
    except BadTemplate as bad:
        yield Fault(at, "bad_template", f"This is no template: {bad}.")
        return
    for inner, each in found:
        for path in each.paths:
            yield from _faults(path, names, at + pointer(inner), as_text=each.alone is None)


def _faults(path: Path, names: Names, at: str, *, as_text: bool) -> Iterator[Fault]:
    root, rest = path[0], path[1:]
    if root == "arguments":
        yield from argument_faults(rest, names.place.arguments, at, as_text=as_text)
    elif root == "result":
        if rest and names.results is not None and rest[0] not in names.results:
            yield Fault(at, "unknown_result", f"No answer gives {rest[0]} as its result.")
    elif not ((root == "effect" and len(rest) == 1 and rest[0] in EFFECT) or (path == ("reason",) and names.reason)):
        yield Fault(at, "not_here", f"{{{'.'.join(path)}}} cannot stand here.")
