"""What an operation is called with: the arguments as they take effect, the thing acted on, and the sentence that says it.

An approver sees, a digest covers and the other side gets the effective arguments: defaults filled in, decimals in
canonical form, nothing unknown.
"""

import re

from console.documents import Fault
from console.exact import canonical
from console.exact.amounts import amount
from console.exact.paths import ABSENT, Absent, Path, follow
from console.exact.value import Object, Value
from console.exact.visible import visible
from runs.contracts.operation import OperationDocument
from runs.contracts.templates import CannotFill, written

TARGET = 200
_TARGET = re.compile(r"[^\s:]+:\S(?:.*\S)?", re.DOTALL)
ABSENT_IN_SENTENCE = "—"


class BadArguments(ValueError):
    """The arguments, or the target, are not what the contract takes; `faults` says what and where."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


def effective(operation: OperationDocument, arguments: Value) -> Object:
    """Give the arguments as they take effect; BadArguments, with paths under /arguments, when the contract refuses them."""
    faults: list[Fault] = []
    found = operation.arguments.root.take(arguments, ("arguments",), faults)
    if faults or not isinstance(found, dict):
        raise BadArguments(sorted(faults))
    unsendable = [fault for rehearsal in operation.rehearsals for fault in rehearsal.faults(found)]
    if unsendable:
        raise BadArguments(sorted(set(unsendable)))
    return found


def target(operation: OperationDocument, arguments: Object, given: str | None = None) -> str:
    """Give the target `type:id` of effective arguments: what the contract's template makes of them, or the one given.

    BadArguments when there is none, when it is malformed, or when the one given is another than the contract's.
    """
    if operation.target is None:
        found = given
        if found is None:
            raise BadArguments([Fault("/target", "missing", "This operation needs its target named, as type:id.")])
    else:
        try:
            found = operation.target.text({"arguments": arguments})
        except CannotFill as why:
            raise BadArguments([Fault("/" + "/".join(why.path), "not_text", f"The target needs it: {why}.")]) from None
        if given not in {None, found}:
            raise BadArguments([Fault("/target", "other_target", f"These arguments act on {visible(found)}.")])
    if len(found) > TARGET or not found.isprintable() or not _TARGET.fullmatch(found):
        detail = f"A target is type:id, printable and at most {TARGET} characters."
        raise BadArguments([Fault("/target", "bad_format", detail)])
    return found


def summary(operation: OperationDocument, arguments: Object) -> str:
    """Give the sentence of what will happen, whole; what cannot be seen in a value is shown as its escape."""
    facts: Object = {"arguments": arguments}
    parts = operation.summary.parts
    money = _amounts(operation, arguments)
    return "".join(
        [part if isinstance(part, str) else money.get(part) or _shown(part, follow(facts, part)) for part in parts]
    )


def _amounts(operation: OperationDocument, arguments: Object) -> dict[Path, str]:
    """Write the decimals that stand beside a currency as people write money: 2,400.50; not one digit is dropped."""
    currency, properties = arguments.get("currency"), operation.arguments.document.get("properties", {})
    if not isinstance(currency, str):
        return {}
    return {
        ("arguments", name): amount(value, currency).removesuffix(f" {currency}")
        for name, value in arguments.items()
        if isinstance(value, str) and properties.get(name, {}).get("format") == "decimal"
    }


def _shown(path: Path, value: Value | Absent) -> str:
    if value is ABSENT or value is None:
        return ABSENT_IN_SENTENCE
    return visible(canonical(value) if isinstance(value, dict | list) else written(path, value))
