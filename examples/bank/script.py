"""What the bank was told to do with which request: rules with a match and a queue of behaviours.

{"rules": [{"match": {"path": "/refunds", "field": {"order": "A-7"}, "nth": 1},
            "behave": ["commit_and_drop", {"do": "rate_limit", "seconds": 2}], "then": "pass"}]}

The first rule that matches and has something left decides; when its queue is empty it passes (or repeats the `last`, or
starts the `cycle` again)."""

from dataclasses import dataclass
from typing import Any

from examples.bank.behaviours import BEHAVIOURS, Behaviour
from examples.bank.wire import Request

MATCHES = {"key", "key_prefix", "method", "path", "path_prefix", "target", "field", "header", "nth", "call"}


class BadScript(ValueError):
    """The script names something that does not exist."""


@dataclass(slots=True)
class Asked:
    """A request as it is understood: its key, body and fence, and which call it is (of its key; of all)."""

    request: Request
    key: str
    body: dict[str, Any]
    fence: int | None
    nth: int
    call: int


@dataclass(slots=True)
class Rule:
    """When it applies, what it does in turn, and what follows then."""

    match: dict[str, Any]
    behave: list[Behaviour]
    then: str = "pass"  # pass | last | cycle
    used: int = 0

    def take(self) -> Behaviour | None:
        """Give what comes next, if anything is left."""
        if self.used >= len(self.behave) and self.then == "pass":
            return None
        turn = self.used % len(self.behave) if self.then == "cycle" else min(self.used, len(self.behave) - 1)
        self.used += 1
        return self.behave[turn]

    def matches(self, asked: Asked) -> bool:
        """Say whether every part of the match holds."""
        return all(_holds(name, wanted, asked) for name, wanted in self.match.items())


class Script:
    """The rules in force."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []

    def read(self, rules: list[Any], *, add: bool = False) -> None:
        """Take these rules instead of (or behind) those in force; BadScript leaves everything as it was."""
        new = [_rule(rule) for rule in rules]
        self.rules = [*self.rules, *new] if add else new

    def choose(self, asked: Asked) -> Behaviour | None:
        """Give the behaviour that the rules have for this request."""
        for rule in self.rules:
            if rule.matches(asked) and (behaviour := rule.take()):
                return behaviour
        return None

    def shown(self) -> list[dict[str, Any]]:
        """Give the rules and how often each was used."""
        return [
            {"match": rule.match, "behave": [behaviour.shown() for behaviour in rule.behave], "then": rule.then,
             "used": rule.used}
            for rule in self.rules
        ]  # fmt: skip


def behaviour(wanted: object) -> Behaviour:
    """Read one behaviour: its name, or {"do": name, …}; BadScript when there is none such."""
    parts = {"do": wanted} if isinstance(wanted, str) else wanted
    if not isinstance(parts, dict) or parts.get("do") not in BEHAVIOURS:
        raise BadScript(f"no behaviour {wanted!r}; there are: {', '.join(sorted(BEHAVIOURS))}")
    return Behaviour(parts["do"], {name: value for name, value in parts.items() if name != "do"})


def _rule(wanted: Any) -> Rule:
    if not isinstance(wanted, dict) or not wanted.get("behave") or set(wanted) - {"match", "behave", "then"}:
        raise BadScript(f"a rule has match, behave and then, not {wanted!r}")
    match, behave, then = wanted.get("match", {}), wanted["behave"], wanted.get("then", "pass")
    if not isinstance(match, dict) or set(match) - MATCHES:
        raise BadScript(f"a match can look at {', '.join(sorted(MATCHES))}, not {match!r}")
    if then not in {"pass", "last", "cycle"}:
        raise BadScript(f"then is pass, last or cycle, not {then!r}")
    return Rule(match, [behaviour(part) for part in (behave if isinstance(behave, list) else [behave])], then)


def _holds(name: str, wanted: Any, asked: Asked) -> bool:
    request = asked.request
    seen: dict[str, Any] = {
        "key": asked.key,
        "method": request.method,
        "path": request.path,
        "nth": asked.nth,
        "call": asked.call,
    }
    if name in seen:
        return bool(seen[name] in wanted if isinstance(wanted, list) else seen[name] == wanted)
    if name == "field":
        return all(asked.body.get(part) == value for part, value in wanted.items())
    if name == "header":
        return all(request.headers.get(part.lower()) == value for part, value in wanted.items())
    if name == "target":
        kind, _, ident = str(wanted).partition(":")
        return asked.body.get(kind) == ident or request.path.endswith("/" + ident)
    prefixed = asked.key if name == "key_prefix" else request.path
    return prefixed.startswith(str(wanted))
