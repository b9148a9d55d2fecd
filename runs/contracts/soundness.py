"""What must be true of an operation's contract beyond its form: its parts agree with each other."""

from collections.abc import Iterator
from typing import Any

from console.documents import Fault, under
from console.documents.rules import rule_faults, unknown_facts
from console.exact.conditions import BadCondition, parse
from console.exact.value import Object
from runs.contracts.argument_schema import schema_faults
from runs.contracts.callback_checks import callback_faults
from runs.contracts.compensation_checks import compensation_faults
from runs.contracts.executors import EXECUTORS
from runs.contracts.placeholders import ANSWER, answer_faults
from runs.contracts.request_checks import exchanges, request_faults
from runs.contracts.time_checks import time_faults
from runs.contracts.unknown_checks import unknown_faults

FORMS = {"python": "result", "agent": "result", "human": "form"}  # where each executor's results are described
SAFE = frozenset({"GET", "POST"})


def operation_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of an operation's contract that is well-formed and in normal form."""
    arguments = schema_faults(contract["arguments"])
    yield from under("/arguments", arguments)
    if not arguments:
        yield from request_faults(contract)
    yield from _condition_faults(contract)
    yield from _executor_faults(contract)
    yield from _form_faults(contract)
    yield from _irreversible_faults(contract)
    yield from time_faults(contract)
    yield from unknown_faults(contract)
    yield from callback_faults(contract)
    yield from compensation_faults(contract)
    yield from _asking_faults(contract)


def _condition_faults(contract: Object) -> Iterator[Fault]:
    for at, section in exchanges(contract):
        yield from rule_faults(section.get("outcomes", []), ANSWER, f"{at}/outcomes")
    for index, each in enumerate(contract.get("preconditions", [])):
        if isinstance(each, dict):
            yield from _one_condition(each["when"], f"/preconditions/{index}/when")
            if "read" not in contract.get("http", {}):
                yield Fault(f"/preconditions/{index}", "needs_read", "A condition needs http.read to give it facts.")
    yield from _partial_faults(contract)


def _partial_faults(contract: Object) -> Iterator[Fault]:
    section: Object = contract.get("partial", {})
    recognised_by = section.get("recognised_by")
    if isinstance(recognised_by, dict):
        yield from _one_condition(recognised_by, "/partial/recognised_by")
        if contract["executor"] != "http":
            yield Fault(
                "/partial/recognised_by",
                "not_here",
                "Only the answer to an HTTP call is judged by a condition; say it in words.",
            )
    elif "parts" in section:
        yield Fault(
            "/partial/parts",
            "not_here",
            "There is no condition (partial.recognised_by) after which they would be kept.",
        )
    if "parts" in section:
        yield from answer_faults(section["parts"], "/partial/parts")


def _one_condition(value: Any, at: str) -> Iterator[Fault]:
    try:
        condition = parse(value)
    except BadCondition as bad:
        yield Fault(at + bad.path, bad.code, bad.detail)
    else:
        yield from unknown_facts(condition, ANSWER, at)


def _executor_faults(contract: Object) -> Iterator[Fault]:
    executor = contract["executor"]
    if executor not in contract:
        yield Fault(f"/{executor}", "missing", f"Executor {executor} needs this section.")
    for other in EXECUTORS:
        if other != executor and other in contract:
            yield Fault(f"/{other}", "not_here", f"The executor is {executor}.")
    if executor == "http" and contract["dependency"] is None:
        yield Fault("/dependency", "missing", "An HTTP operation calls a dependency.")
    http: Object = contract.get("http", {})
    if contract["access"] == "read" and http.get("method", "GET") not in SAFE:
        yield Fault(
            "/http/method", "not_allowed", "A read does not change anything: GET, or POST where queries are posted."
        )


def _form_faults(contract: Object) -> Iterator[Fault]:
    executor = contract["executor"]
    form = FORMS.get(executor, "")
    schema = contract.get(executor, {}).get(form)
    if schema is None:
        return
    faults = schema_faults(schema)
    yield from under(f"/{executor}/{form}", faults)
    if not faults and schema.get("type") != "object":
        yield Fault(f"/{executor}/{form}/type", "not_allowed", "A result is of type object.")


def _irreversible_faults(contract: Object) -> Iterator[Fault]:
    if contract["access"] == "read" and contract["consequential"]:
        yield Fault("/consequential", "contradiction", "What only reads has no consequences.")
    if not contract["irreversible"]:
        return
    if contract["access"] == "read":
        yield Fault("/irreversible", "contradiction", "What only reads is never irreversible.")
    if contract["tier"] != "high":
        yield Fault("/tier", "not_allowed", "What is irreversible has tier high.")
    if not contract["consequential"]:
        yield Fault("/consequential", "contradiction", "What is irreversible is consequential.")
    if contract.get("compensation", {}).get("operation"):
        yield Fault("/compensation/operation", "contradiction", "What is irreversible has no compensating operation.")


def _asking_faults(contract: Object) -> Iterator[Fault]:
    http: Object = contract.get("http", {})
    executor = contract["executor"]
    acting: Object = contract.get(executor, {})
    if executor != "http" and "accepted" in acting.get("outcomes", []) and "status" not in acting:
        where = f"/{executor}/outcomes/{acting['outcomes'].index('accepted')}"
        yield Fault(where, "needs_status", f"What is accepted must be asked about: there is no {executor}.status.")
    heard_of = {"status", "callback", "read_back"} & http.keys()
    for index, rule in enumerate(http.get("outcomes", [])):
        if rule["outcome"] == "accepted" and not heard_of:
            why = "What is accepted must be asked about, or told of: http.status, http.read_back or http.callback."
            yield Fault(f"/http/outcomes/{index}/outcome", "needs_status", why)
        if rule["outcome"] != "accepted" and "operation_id" in rule:
            yield Fault(f"/http/outcomes/{index}/operation_id", "not_here", "Only an accepted operation has one.")
    if contract.get("cancellation", {}).get("in_flight") == "request_cancel" and "cancel" not in http:
        yield Fault("/cancellation/in_flight", "needs_cancel", "There is no http.cancel to ask with.")
    if contract.get("state_version", {}).get("from") and "read" not in http:
        yield Fault("/state_version/from", "needs_read", "There is no http.read that gives it.")
