"""Whether a policy fits the operations that it governs: the arguments that it names are there, and what is to follow can be done. Pure."""

from collections.abc import Iterator, Sequence

from approvals.policy_asks import ASK_TO_CANCEL, COMPENSATE
from console.documents import Fault
from console.exact.conditions import AllOf, BadCondition, Undecided, parse, satisfiable
from console.exact.value import Object

NO_WAY_BACK = "no compensating operation"
NUMBERS = frozenset({"number", "integer"})


def path_faults(policy: Object, operations: Sequence[Object]) -> Iterator[Fault]:
    """Find arguments that the policy adds up or lets be tightened, and that no operation it governs has as an exact number."""
    if not operations:
        return
    for at, path in _paths(policy):
        found = [schema for operation in operations if (schema := _argument(operation, path)) is not None]
        if not found:
            yield Fault(at, "unknown_argument", f"No operation that it governs has {path}.")
        elif not all(_is_number(schema) for schema in found):
            yield Fault(
                at, "not_a_number", f"{path} is not an exact number everywhere; only numbers are added up or tightened."
            )


def finish_faults(policy: Object, operation: Object) -> Iterator[Fault]:
    """Find rules that want what this operation's contract has no way for: work past its time cancelled or compensated, or compensation
    approved with it."""
    for place, rule in enumerate(policy["rules"]):
        for at, what in _lacking(rule.get("ask") or {}, operation):
            if _may_hold(rule, operation["name"]):
                yield Fault(
                    f"/rules/{place}/ask/{at}", "cannot_follow", f"The contract of {operation['name']} has {what}."
                )


def _lacking(ask: Object, operation: Object) -> Iterator[tuple[str, str]]:
    then = (ask.get("finish") or {}).get("then")
    if then == ASK_TO_CANCEL and _cannot_cancel(operation):
        yield "finish/then", "no way to ask that it be stopped"
    if then == COMPENSATE and _cannot_compensate(operation):
        yield "finish/then", NO_WAY_BACK
    if ask.get("compensation_too") and _cannot_compensate(operation):
        yield "compensation_too", NO_WAY_BACK


def _paths(policy: Object) -> Iterator[tuple[str, str]]:
    for place, each in enumerate(policy.get("spend") or ()):
        yield f"/spend/{place}/path", each["path"]
    for place, rule in enumerate(policy["rules"]):
        ask = rule.get("ask") or {}
        for index, each in enumerate(ask.get("narrow") or ()):
            yield f"/rules/{place}/ask/narrow/{index}/path", each["path"]
        amount = (ask.get("grants") or {}).get("amount")
        if amount:
            yield f"/rules/{place}/ask/grants/amount/path", amount["path"]


def _argument(operation: Object, path: str) -> Object | None:
    schema: Object | None = operation.get("arguments")
    for step in path.split(".")[1:]:
        schema = ((schema or {}).get("properties") or {}).get(step)
    return schema


def _is_number(schema: Object) -> bool:
    types = schema.get("type")
    named = {*types} if isinstance(types, list) else {types}
    return schema.get("format") == "decimal" or bool(named - {"null"} and named - {"null"} <= NUMBERS)


def _cannot_cancel(operation: Object) -> bool:
    return not any((operation.get(executor) or {}).get("cancel") for executor in ("http", "python"))


def _cannot_compensate(operation: Object) -> bool:
    return not (operation.get("compensation") or {}).get("operation")


def _may_hold(rule: Object, operation: str) -> bool:
    if "when" not in rule:
        return True
    try:
        return satisfiable(AllOf((parse({"path": "operation", "op": "eq", "value": operation}), parse(rule["when"]))))
    except (Undecided, BadCondition):
        return True
