"""What must be true of a policy before it is put in force. Pure."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from approvals.policy_document import ALLOW, ASK, PolicyDocument
from approvals.policy_facts import TIME, is_zone, known_of_time
from console.documents import Document, Fault, Schema, filled, schema_file
from console.documents.rules import rule_faults
from console.exact.conditions import AllOf, AnyOf, BadCondition, Check, Condition, Not, Undecided, parse, satisfiable
from console.exact.conditions.forms import checks_in
from console.exact.value import Object, Value

KIND = "Policy"
BY_SILENCE: Final = re.compile(
    r"timeout|time_?out|expir|silen|auto_?approv|auto_?allow|nobody|no_?answer|unanswered|default", re.IGNORECASE
)
FACTS = frozenset(
    {"operation", "target", "arguments", "run_type", "agent", "owner", "tier", "irreversible", "time", "spent"}
)
SCHEMA = schema_file(Path(__file__).parent / "schema" / "policy.json")
_SCHEMA = Schema(SCHEMA)


def normalise(document: Document) -> Document:
    """Give the policy with every default filled in."""
    return Document(filled(document.value, SCHEMA), document.line)


def validate(document: Document) -> list[Fault]:
    """Give everything that is wrong with a policy, rules that can never decide included."""
    faults = _SCHEMA.faults(document.value) or sorted(set(_faults(document.value)))
    return [_of_silence(fault) for fault in faults]


def may_allow(policy: PolicyDocument, known: dict[str, Value]) -> bool:
    """Tell whether the policy might allow, without asking anybody, an intent of which these facts are known.

    False is proven; what cannot be proven counts as true.
    """
    given = tuple(parse({"path": name, "op": "eq", "value": value}) for name, value in known.items())
    earlier: list[Condition] = []
    for rule in policy.rules:
        if rule.then == ALLOW and _possible(AllOf((*given, rule.when, Not(AnyOf(tuple(earlier)))))):
            return True
        earlier.append(rule.when)
    return policy.otherwise == ALLOW and _possible(AllOf((*given, Not(AnyOf(tuple(earlier))))))


def _possible(condition: Condition) -> bool:
    try:
        return satisfiable(condition)
    except Undecided:
        return True


def _of_silence(fault: Fault) -> Fault:
    """Say of a field that would let silence approve why there is none of its kind."""
    if fault.code == "unknown_field" and BY_SILENCE.search(fault.path):
        return Fault(
            fault.path,
            "silence_never_approves",
            "Nothing is approved because nobody answered: it expires, and is not done.",
        )
    return fault


def _faults(policy: Object) -> Iterator[Fault]:
    names: set[str] = set()
    sums = [each["name"] for each in policy.get("spend", [])]
    if not is_zone(policy.get("time_zone", "UTC")):
        yield Fault("/time_zone", "unknown_time_zone", "There is no time zone of this name; one is Europe/Berlin.")
    for place, name in enumerate(sums):
        if name in sums[:place]:
            yield Fault(f"/spend/{place}/name", "doubled", "Another sum has this name.")
    for place, rule in enumerate(policy["rules"]):
        if rule["name"] in names:
            yield Fault(f"/rules/{place}/name", "doubled", "Another rule has this name.")
        names.add(rule["name"])
        if rule["then"] == ASK and "ask" not in rule:
            yield Fault(f"/rules/{place}/ask", "missing", "A rule that asks says whom.")
        if "ask" in rule and ("groups" in rule["ask"]) == ("panels" in rule["ask"]):
            yield Fault(f"/rules/{place}/ask", "whom", "It names either groups or panels.")
        if rule["then"] != ASK and "ask" in rule:
            yield Fault(f"/rules/{place}/ask", "unknown_field", "Only a rule that asks says whom.")
        yield from _clock_faults(rule.get("ask", {}), f"/rules/{place}/ask")
        yield from _part_faults(rule.get("when"), frozenset(sums), f"/rules/{place}/when")
    yield from rule_faults(policy["rules"], FACTS, "/rules", _known)


def _clock_faults(ask: Object, at: str) -> Iterator[Fault]:
    """Find clocks that could never come: others are asked only while there is time left."""
    escalate, within = ask.get("escalate"), ask.get("decide_within_seconds")
    if escalate and within is not None and escalate["after_seconds"] >= within:
        yield Fault(
            f"{at}/escalate/after_seconds", "out_of_range", f"This is less than decide_within_seconds, {within}."
        )


def _part_faults(when: Value, sums: frozenset[str], at: str) -> Iterator[Fault]:
    """Find parts of the time that there are not, and sums that are not declared."""
    known = {"time": TIME, "spent": sums}
    for check in _checks(when):
        parts = known.get(check.path[0])
        if parts is not None and (len(check.path) != 2 or check.path[1] not in parts):
            these = ", ".join(f"{check.path[0]}.{name}" for name in sorted(parts)) or "none; declare it under `spend`"
            yield Fault(at, "unknown_fact", f"{'.'.join(check.path)} is never known here; known: {these}.")


def _checks(when: Value) -> list[Check]:
    try:
        return [] if when is None else list(checks_in(parse(when)))
    except BadCondition:
        return []


def _known(when: Condition) -> Condition:
    named = (check.path[1] for check in checks_in(when) if check.path[0] == "time" and len(check.path) == 2)
    return known_of_time(frozenset(named))
