"""What must be true of a policy before it is put in force. Pure."""

from collections.abc import Iterator
from pathlib import Path

from approvals.policy_document import ALLOW, ASK, PolicyDocument
from console.documents import Document, Fault, Schema, filled, schema_file
from console.documents.rules import rule_faults
from console.exact.conditions import AllOf, AnyOf, Condition, Not, Undecided, parse, satisfiable
from console.exact.value import Object, Value

KIND = "Policy"
FACTS = frozenset({"operation", "target", "arguments", "run_type", "agent", "tier", "irreversible"})
SCHEMA = schema_file(Path(__file__).parent / "schema" / "policy.json")
_SCHEMA = Schema(SCHEMA)


def normalise(document: Document) -> Document:
    """Give the policy with every default filled in."""
    return Document(filled(document.value, SCHEMA), document.line)


def validate(document: Document) -> list[Fault]:
    """Give everything that is wrong with a policy, rules that can never decide included."""
    return _SCHEMA.faults(document.value) or sorted(set(_faults(document.value)))


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


def _faults(policy: Object) -> Iterator[Fault]:
    names: set[str] = set()
    for place, rule in enumerate(policy["rules"]):
        if rule["name"] in names:
            yield Fault(f"/rules/{place}/name", "doubled", "Another rule has this name.")
        names.add(rule["name"])
        if rule["then"] == ASK and "ask" not in rule:
            yield Fault(f"/rules/{place}/ask", "missing", "A rule that asks says whom.")
        if rule["then"] != ASK and "ask" in rule:
            yield Fault(f"/rules/{place}/ask", "unknown_field", "Only a rule that asks says whom.")
    yield from rule_faults(policy["rules"], FACTS, "/rules")
