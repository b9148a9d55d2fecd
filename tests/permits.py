"""What an agent and people do themselves in the shop: contracts with those executors, and the moves as tests call them."""

from itertools import count
from typing import Any
from uuid import UUID

from console.exact import Value
from console.ledger.actors import Actor
from runs import performing
from runs.models import Effect
from tests.shop import Shop, draft

LEASE, LONGEST = 60.0, 600.0
LABEL = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: {version}
summary: "Label {{amount}} parcels for {{to}}"
consequential: false
access: {access}
dependency: {dependency}
target: "payee:{{to}}"
arguments:
  type: object
  required: [to, amount]
  properties:
    to: {{type: string, maxLength: 64}}
    amount: {{type: string, format: decimal, exclusiveMinimum: "0"}}
key: {{scope: run, retention_seconds: 2592000, equivalence: "same operation, target and arguments"}}
executor: agent
agent:
  attempt_timeout_seconds: 600
  lease_seconds: 60
  outcomes: [succeeded, partial, rejected, transient]
  result:
    type: object
    required: [label]
    properties:
      label: {{type: string, maxLength: 40}}
      weight: {{type: string, format: decimal}}
retry: {{retryable: [transient, not_sent], non_retryable: [rejected], attempts: {attempts}, total_seconds: 1200,
  backoff: {{base_seconds: 1, max_seconds: 5}}}}
deadline_seconds: 3600
"""
CALL = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: {version}
summary: "Call {{to}} about {{amount}}"
consequential: false
access: write
dependency: null
target: "payee:{{to}}"
arguments:
  type: object
  required: [to, amount]
  properties:
    to: {{type: string, maxLength: 64}}
    amount: {{type: string, format: decimal, exclusiveMinimum: "0"}}
key: {{scope: run, retention_seconds: 2592000, equivalence: "same operation, target and arguments"}}
executor: human
human:
  instructions: Call the number on the file and ask.
  groups: {groups}
  attempt_timeout_seconds: 7200
  lease_seconds: 1800
  evidence_required: {evidence}
  outcomes: [succeeded, rejected]
  form:
    type: object
    required: [agreed]
    properties:
      agreed: {{type: boolean, title: "Did they agree?"}}
      fee: {{type: string, format: decimal}}
deadline_seconds: 10800
"""
MONEY = """
apiVersion: counterfoil/v1
kind: Policy
name: labels
version: {version}
description: Many labels are asked about.
operations: [label]
rules:
  - name: many
    when: {{path: arguments.amount, op: gt, value: "100"}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}
  - {{name: few, then: allow}}
otherwise: deny
"""
_keys = count(1)


def label(name: str = "label", **given: Any) -> str:
    """Write the contract of what the agent does itself."""
    return LABEL.format(name=name, **({"version": 1, "access": "write", "dependency": "null", "attempts": 3} | given))


def phone(name: str = "phone", **given: Any) -> str:
    """Write the contract of what a person does."""
    return CALL.format(name=name, **({"version": 1, "groups": "[finance]", "evidence": "true"} | given))


CONTRACTS = "\n---\n".join([label(), phone(), phone("ring", groups="[]", evidence="false"), MONEY.format(version=1)])


def with_permits(shop: Shop) -> Shop:
    """Put the contracts in force in the shop."""
    refused = [applied for applied in shop.apply(CONTRACTS) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return shop


def ready(shop: Shop, operation: str = "label", amount: str = "10", **fields: Any) -> Effect:
    """Have an effect that can be begun."""
    run = shop.accept(draft("a", amount, operation, **fields))
    return shop.effect(run, "a")


def begin(by: Actor, effect: Effect, *, epoch: int | None = 1, key: str | None = None) -> dict[str, Any]:
    """Begin an effect."""
    return performing.begin(
        by, effect.pk, epoch=epoch if by.kind == "agent" else None, key=key or f"begin-{next(_keys)}"
    )


def report(
    by: Actor, permit: dict[str, Any], outcome: str = "succeeded", *, result: Value = None, fence: int | None = None,
    key: str | None = None, **said: str,
) -> dict[str, Any]:  # fmt: skip
    """Report what came of it."""
    return performing.report(
        by,
        UUID(permit["attempt"]),
        fence=fence or permit["fence"],
        outcome=outcome,
        result=result,
        key=key or f"report-{next(_keys)}",
        **said,
    )


def beat(by: Actor, permit: dict[str, Any], *, fence: int | None = None) -> dict[str, Any]:
    """Give a sign of life."""
    return performing.heartbeat(by, UUID(permit["attempt"]), fence=fence or permit["fence"])


def hand_back(by: Actor, permit: dict[str, Any], reason: str = "The printer is out of labels.") -> dict[str, Any]:
    """Give back what was not begun after all."""
    return performing.hand_back(
        by, UUID(permit["attempt"]), fence=permit["fence"], reason=reason, key=f"back-{next(_keys)}"
    )


DONE = {"label": "L-77", "weight": "1.50"}
AGREED = {"agreed": True, "fee": 12}
