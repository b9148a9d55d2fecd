"""What a policy says: which of its rules holds of an intent, and what follows. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from approvals.policy_asks import Ask, ask_document
from approvals.policy_facts import Window, windows
from console.exact import decode, digest
from console.exact.conditions import ALWAYS, Condition, evaluate, parse, sentence
from console.exact.conditions.forms import checks_in
from console.exact.value import Object, Value

EVERY = "*"
ALLOW, ASK, DENY = "allow", "ask", "deny"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: when it holds, this follows."""

    name: str
    when: Condition
    then: str
    ask: Ask | None
    reason: str


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """A policy in normal form, read."""

    name: str
    version: int
    digest: bytes
    description: str
    operations: tuple[str, ...]
    rules: tuple[Rule, ...]
    otherwise: str
    value: Object = field(repr=False)
    time_zone: str = "UTC"
    spend: tuple[Window, ...] = ()
    asks_time: bool = False

    def governs(self, operation: str) -> bool:
        """Tell whether the policy governs the operation, by name or because it governs every one."""
        return operation in self.operations or EVERY in self.operations


@dataclass(frozen=True, slots=True)
class Judgement:
    """What follows from a policy; `rule` is empty when none held."""

    verdict: str
    rule: str
    ask: Ask | None
    reason: str


def judge(policy: PolicyDocument, facts: Mapping[str, Value]) -> Judgement:
    """Judge an intent by its facts (operation, target, arguments, run_type, agent, owner, tier, irreversible, time, spent): the first rule
    that holds decides."""
    known: Object = dict(facts)
    for rule in policy.rules:
        if evaluate(rule.when, known):
            return Judgement(rule.then, rule.name, rule.ask, rule.reason)
    return Judgement(policy.otherwise, "", None, f"No rule of the policy {policy.name} speaks of this.")


def policy_document(document: Value) -> PolicyDocument:
    """Read a policy, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a policy is a mapping")
    rules = tuple(_rule(rule) for rule in document["rules"])
    return PolicyDocument(
        name=document["name"],
        version=int(document["version"]),
        digest=digest(document),
        description=document["description"],
        operations=tuple(document["operations"]),
        rules=rules,
        otherwise=document["otherwise"],
        value=document,
        time_zone=document.get("time_zone", "UTC"),
        spend=windows(document.get("spend") or ()),
        asks_time=any(check.path[0] == "time" for rule in rules for check in checks_in(rule.when)),
    )


def read_policy(text: str) -> PolicyDocument:
    """Read a policy from the canonical text that was stored."""
    return policy_document(decode(text, levels=128))


def _rule(rule: Object) -> Rule:
    when = parse(rule["when"]) if "when" in rule else ALWAYS
    return Rule(
        rule["name"],
        when,
        rule["then"],
        ask_document(rule["ask"]) if "ask" in rule else None,
        rule.get("reason") or _reason(rule["then"], when),
    )


def _reason(then: str, when: Condition) -> str:
    follows = {ALLOW: "This is allowed", DENY: "This is denied", ASK: "This needs approval"}[then]
    return f"{follows}." if when == ALWAYS else f"{follows} because {sentence(when)}."
