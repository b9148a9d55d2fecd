"""What a policy says: which of its rules holds of an intent, and what follows. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from console.exact import decode, digest
from console.exact.conditions import ALWAYS, Condition, evaluate, parse, sentence
from console.exact.value import Object, Value

EVERY = "*"
ALLOW, ASK, DENY = "allow", "ask", "deny"


@dataclass(frozen=True, slots=True)
class Ask:
    """Whom to ask, how many of them must approve, and the two clocks: to decide, and to use the approval."""

    groups: tuple[str, ...]
    quorum: int
    decide_within_seconds: int
    use_within_seconds: int


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
    """Judge an intent by its facts (operation, target, arguments, run_type, agent, tier, irreversible): the first rule decides."""
    known: Object = dict(facts)
    for rule in policy.rules:
        if evaluate(rule.when, known):
            return Judgement(rule.then, rule.name, rule.ask, rule.reason)
    return Judgement(policy.otherwise, "", None, f"No rule of the policy {policy.name} speaks of this.")


def policy_document(document: Value) -> PolicyDocument:
    """Read a policy, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a policy is a mapping")
    return PolicyDocument(
        name=document["name"],
        version=int(document["version"]),
        digest=digest(document),
        description=document["description"],
        operations=tuple(document["operations"]),
        rules=tuple(_rule(rule) for rule in document["rules"]),
        otherwise=document["otherwise"],
        value=document,
    )


def read_policy(text: str) -> PolicyDocument:
    """Read a policy from the canonical text that was stored."""
    return policy_document(decode(text, levels=128))


def _rule(rule: Object) -> Rule:
    when = parse(rule["when"]) if "when" in rule else ALWAYS
    return Rule(
        rule["name"], when, rule["then"], _ask(rule.get("ask")), rule.get("reason") or _reason(rule["then"], when)
    )


def _ask(section: Object | None) -> Ask | None:
    if section is None:
        return None
    return Ask(
        groups=tuple(section["groups"]),
        quorum=int(section["quorum"]),
        decide_within_seconds=int(section["decide_within_seconds"]),
        use_within_seconds=int(section["use_within_seconds"]),
    )


def _reason(then: str, when: Condition) -> str:
    follows = {ALLOW: "This is allowed", DENY: "This is denied", ASK: "This needs approval"}[then]
    return f"{follows}." if when == ALWAYS else f"{follows} because {sentence(when)}."
