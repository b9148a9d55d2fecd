"""Faults of how the other side tells by itself what became of a call (R-F6)."""

from collections.abc import Iterator

from console.documents import Fault
from console.documents.rules import rule_faults
from console.exact.value import Object
from runs.contracts.outcomes import MESSAGE
from runs.contracts.placeholders import answer_faults

NAMES = ("effect_key", "operation_id")
AT = "/http/callback"


def callback_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of an operation's callback: a message must name the effect, and be read by what a message has."""
    callback: Object = contract.get("http", {}).get("callback", {})
    if not callback:
        return
    if not any(name in callback for name in NAMES):
        yield Fault(AT, "needs_name", "A message must name its effect: effect_key, operation_id, or both.")
    for name in NAMES:
        if name in callback:
            yield from answer_faults(callback[name], f"{AT}/{name}", MESSAGE)
            if "{" not in callback[name]:
                yield Fault(
                    f"{AT}/{name}", "bad_template", "This names the same effect in every message; use a {placeholder}."
                )
    yield from rule_faults(callback["outcomes"], MESSAGE, f"{AT}/outcomes")
    for index, rule in enumerate(callback["outcomes"]):
        for name in sorted({"result", "reason"} & rule.keys()):
            yield from answer_faults(rule[name], f"{AT}/outcomes/{index}/{name}", MESSAGE)
    if contract["access"] == "read":
        yield Fault(AT, "not_here", "What only reads is done when it is answered; nothing comes later.")
    named_by_operation = "operation_id" in callback and "effect_key" not in callback
    if named_by_operation and not any("operation_id" in rule for rule in contract["http"]["outcomes"]):
        yield Fault(
            f"{AT}/operation_id", "needs_operation_id", "No answer to the call gives an operation_id to be found by."
        )
