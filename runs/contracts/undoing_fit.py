"""Whether what contracts say of making good for effects fits the other contracts: the operation exists, is given what it needs, and can
look; and what comes first goes in no circle. What was published before there was more to say than a name is held to the name."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from console.documents import Fault
from console.exact.value import Object
from runs.contracts.placeholders import field_of
from runs.contracts.templates import shape
from runs.contracts.undoing import ROOTS

AT: Final = "/compensation"
LATER: Final = frozenset(
    {"arguments", "on", "need", "after", "unchanged", "plan_first", "who", "of_compensation", "second_person", "owner", "ladder"}
)  # fmt: skip
Named = tuple[str, Fault]


def undoing_faults(operations: Mapping[str, Object]) -> Iterator[Named]:
    """Give what does not fit, each fault with the name of the operation in whose contract it stands."""
    for name, contract in operations.items():
        section: Object = contract.get("compensation") or {}
        yield from ((name, fault) for fault in _faults(contract, section, operations))
    yield from _circles(operations)


def _faults(contract: Object, section: Object, operations: Mapping[str, Object]) -> Iterator[Fault]:
    compensating = section.get("operation")
    for index, earlier in enumerate(section.get("after", [])):
        if earlier not in operations:
            yield Fault(f"{AT}/after/{index}", "unknown_name", f"There is no operation {earlier}.")
    if compensating is None:
        return
    acting = operations.get(compensating)
    if acting is None:
        yield Fault(f"{AT}/operation", "unknown_name", f"There is no operation {compensating}.")
    elif section.keys() & LATER:
        if acting["access"] == "read":
            yield Fault(f"{AT}/operation", "not_allowed", f"{compensating} only reads; it makes nothing good.")
        if "unchanged" in section and "read" not in acting.get("http", {}):
            why = f"{compensating} has no http.read to look with before it acts."
            yield Fault(f"{AT}/unchanged", "needs_read", why)
        yield from _argument_faults(contract, section, acting)


def _argument_faults(contract: Object, section: Object, acting: Object) -> Iterator[Fault]:
    """Give what the compensating operation is not given, and what it does not take."""
    schema: Object = acting["arguments"]
    needed = [
        name for name in schema.get("required", []) if "default" not in schema.get("properties", {}).get(name, {})
    ]
    if "arguments" not in section:
        if section.get("on"):
            yield from (fault for name in needed for fault in _same_name(name, contract, acting))
        return
    given: Any = section["arguments"]
    for name in needed:
        if name not in given:
            yield Fault(f"{AT}/arguments", "missing", f"{acting['name']} needs {name}.")
        elif not _is_there(given[name], contract):
            why = f"{acting['name']} needs {name}, and what it is to be taken from can be absent."
            yield Fault(f"{AT}/arguments/{name}", "may_be_absent", why)
    if not schema.get("additionalProperties"):
        for name in sorted(given.keys() - schema.get("properties", {}).keys()):
            yield Fault(f"{AT}/arguments/{name}", "unknown_argument", f"{acting['name']} takes no {name}.")


def _same_name(name: str, contract: Object, acting: Object) -> Iterator[Fault]:
    field = field_of((name,), contract["arguments"])
    if field is None or not field.always:
        why = f"{acting['name']} needs {name}, and {contract['name']} does not always have that; say in arguments where it comes from."
        yield Fault(f"{AT}/arguments", "missing", why)


def _is_there(given: Any, contract: Object) -> bool:
    """Tell whether a value is always there, as far as contracts say: an argument that is taken as it is may be absent."""
    alone = getattr(shape(given, ROOTS), "alone", None)
    if alone is None or alone[0] != "arguments":
        return True
    field = field_of(alone[1:], contract["arguments"])
    return field is None or field.always  # that it is none is told where it stands


def _circles(operations: Mapping[str, Object]) -> Iterator[Named]:
    """Give each operation that would wait for itself."""
    first = {name: set(_after(contract)) & operations.keys() for name, contract in operations.items()}
    free: set[str] = set()
    while more := {name for name, names in first.items() if name not in free and names <= free}:
        free |= more
    for name in sorted(first.keys() - free):
        if name in _reached(name, first):
            why = f"What is made good for before {name} would wait for {name} itself."
            yield name, Fault(f"{AT}/after", "circle", why)


def _reached(name: str, first: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = list(first[name])
    while todo:
        other = todo.pop()
        if other not in found:
            found.add(other)
            todo += first[other]
    return found


def _after(contract: Object) -> list[str]:
    section: Any = contract.get("compensation") or {}
    return list(section.get("after", []))
