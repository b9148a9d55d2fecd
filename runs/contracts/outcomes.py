"""What an answer means: the first rule of the contract's table that holds of it (R-B2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from console.exact.conditions import Condition, evaluate, parse
from console.exact.value import Object, Value
from runs.contracts.templates import CannotFill, Shape, Template, fill, shape, template, templates_in

ROOTS = frozenset({"status", "headers", "body"})
MESSAGE = frozenset({"headers", "body"})  # what a callback is read by: it has no status


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer means, and what it says; `rule` is the place, from 0, of the rule in the table."""

    outcome: str
    result: Object | None = None
    reason: str | None = None
    operation_id: str | None = None
    rule: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an outcome table."""

    when: Condition
    outcome: str
    result: Shape
    reason: Template | None
    operation_id: Template | None

    def fits(self, body: Value) -> bool:
        """Tell whether a body is of the type that the templates look into: an object, or a list where a number comes first."""
        kept = [each for _, each in templates_in(self.result)]
        kept += [each for each in (self.reason, self.operation_id) if each is not None]
        steps = {path[1] for each in kept for path in each.paths if path[0] == "body" and len(path) > 1}
        return all(isinstance(body, dict) or (isinstance(body, list) and step.isdigit()) for step in steps)


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """The rules in their order; the first that holds decides."""

    rules: tuple[Rule, ...]


def outcome_table(rules: Sequence[Object]) -> OutcomeTable:
    """Read a contract's outcome table."""
    return OutcomeTable(tuple(_rule(rule) for rule in rules))


def classify(
    table: OutcomeTable | Sequence[Object], status: int, headers: Mapping[str, str], body: Value
) -> Verdict | None:
    """Give the verdict of the first rule that holds, or None; header names in lower case, a body that is no JSON as None.

    Without a rule the outcome of a write is unknown and that of a read transient; the caller knows which it was.
    """
    if not isinstance(table, OutcomeTable):
        table = outcome_table(table)
    return verdict_of(table, {"status": status, **said_in(headers, body)})


def said_in(headers: Mapping[str, str], body: Value) -> Object:
    """Give what conditions and templates read of a message: its headers by lower-case name, and its body if there is one."""
    said: Object = {"headers": {name: _plain(value) for name, value in headers.items()}}
    return said if body is None else {**said, "body": body}


def verdict_of(table: OutcomeTable, answer: Object) -> Verdict | None:
    """Give the verdict of the first rule that holds of an answer {status, headers, body}, or of a message without status; or None."""
    for place, rule in enumerate(table.rules):
        if evaluate(rule.when, answer):
            result: Any = fill(rule.result, answer, lenient=True)
            return Verdict(rule.outcome, result, _said(rule.reason, answer), _said(rule.operation_id, answer), place)
    return None


def _rule(rule: Object) -> Rule:
    return Rule(
        when=parse(rule["when"]),
        outcome=rule["outcome"],
        result=shape(rule.get("result"), ROOTS),
        reason=_optional(rule.get("reason")),
        operation_id=_optional(rule.get("operation_id")),
    )


def _optional(text: str | None) -> Template | None:
    return None if text is None else template(text, ROOTS)


def _said(said: Template | None, answer: Object) -> str | None:
    """Give the text that the answer holds, or None where it does not hold it."""
    if said is None:
        return None
    try:
        return said.text(answer)
    except CannotFill:
        return None


def _plain(text: str) -> str:
    """Give a header's text without what UTF-8 cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
