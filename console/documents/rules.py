"""Faults of rules that stand in a list, of which the first whose condition holds decides."""

from collections.abc import Callable, Iterator

from console.documents.faults import Fault
from console.exact.conditions import (
    ALWAYS,
    AllOf,
    AnyOf,
    BadCondition,
    Condition,
    Undecided,
    narrower,
    parse,
    satisfiable,
)
from console.exact.conditions.forms import checks_in
from console.exact.value import Object


def rule_faults(
    rules: list[Object], facts: frozenset[str], at: str, known: Callable[[Condition], Condition] = lambda _: ALWAYS
) -> Iterator[Fault]:
    """Give the faults of the rules' conditions: malformed, over facts that nobody gives, or proven never to decide.

    `known` says what holds of the facts of a condition at any moment."""
    earlier: list[Condition] = []
    for place, rule in enumerate(rules):
        try:
            when = parse(rule["when"]) if "when" in rule else ALWAYS
        except BadCondition as bad:
            yield Fault(f"{at}/{place}/when{bad.path}", bad.code, bad.detail)
            continue
        yield from unknown_facts(when, facts, f"{at}/{place}/when")
        yield from _never_decides(AllOf((known(when), when)), earlier, f"{at}/{place}")
        earlier.append(when)


def unknown_facts(condition: Condition, facts: frozenset[str], at: str) -> Iterator[Fault]:
    """Give a fault for each check of a fact that nobody gives."""
    for check in checks_in(condition):
        if check.path[0] not in facts:
            yield Fault(
                at, "unknown_fact", f"{'.'.join(check.path)} is never known here; known: {', '.join(sorted(facts))}."
            )


def _never_decides(condition: Condition, earlier: list[Condition], at: str) -> Iterator[Fault]:
    try:
        if not satisfiable(condition):
            yield Fault(f"{at}/when", "never_holds", "This can never hold.")
        elif earlier and narrower(condition, AnyOf(tuple(earlier))):
            yield Fault(at, "never_reached", "Whenever this holds, an earlier rule has decided.")
    except Undecided:
        return
