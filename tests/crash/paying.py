"""The contracts of the matrix: payments at a bank that keeps keys or at one that forgets them, which can be asked or cannot."""

from itertools import product

from tests.crash.cases import BANKS, TIMEOUT_SECONDS

PATIENT_SECONDS = 45
PAYMENT = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: 1
summary: "Pay {{amount}} on {{order}}"
consequential: false
access: write
dependency: bank-{bank}
target: "order:{{order}}"
arguments:
  type: object
  required: [order, amount]
  properties:
    order: {{type: string, maxLength: 64}}
    amount: {{type: string, format: decimal}}
http:
  method: POST
  url: "{{dependency.base_url}}/refunds"
  headers: {{Authorization: "Bearer {{secret.bank-token}}"}}
  body: {{order: "{{order}}", amount: "{{amount}}"}}
  attempt_timeout_seconds: {timeout}
  outcomes:
    - when: {{all: [{{path: status, op: in, value: [200, 201]}}, {{path: body.status, op: eq, value: partial}}]}}
      outcome: partial
      result: {{parts: "{{body.parts}}"}}
    - {{when: {{path: status, op: in, value: [200, 201]}}, outcome: succeeded, result: {{entry: "{{body.id}}"}}}}
    - {{when: {{path: status, op: eq, value: 422}}, outcome: rejected, reason: "{{body.reason}}"}}
    - {{when: {{path: status, op: in, value: [429, 503]}}, outcome: overload}}
{asking}
retry: {{retryable: [overload, not_sent], non_retryable: [rejected], attempts: {attempts}, total_seconds: 600,
        backoff: {{base_seconds: 0.2, factor: 2, max_seconds: 1}}}}
deadline_seconds: 3600
"""
ASKING = """
    - {when: {path: status, op: eq, value: 202}, outcome: accepted, operation_id: "{body.operation}"}
  status:
    method: GET
    url: "{dependency.base_url}/effects/{effect.key}"
    headers: {Authorization: "Bearer {secret.bank-token}"}
    attempt_timeout_seconds: 5
    outcomes:
      - when: {all: [{path: status, op: eq, value: 200}, {path: body.status, op: eq, value: partial}]}
        outcome: partial
        result: {parts: "{body.parts}"}
      - {when: {path: status, op: eq, value: 200}, outcome: succeeded, result: {entry: "{body.id}"}}
      - {when: {path: status, op: eq, value: 202}, outcome: pending}
      - {when: {path: status, op: eq, value: 404}, outcome: absent}
      - {when: {path: status, op: eq, value: 422}, outcome: rejected, reason: "{body.reason}"}
    absence_is_proof: false
    every_seconds: 1
    max_seconds: 4
    objective_seconds: 600
"""
DEPENDENCY = """
{{apiVersion: counterfoil/v1, kind: Dependency, name: bank-{bank}, version: 1, description: A bank that {bank} its callers' keys.,
 base_url: "http://127.0.0.1:1", concurrency: 64, timeout_seconds: 60}}
"""
AROUND = """
{{apiVersion: counterfoil/v1, kind: RunType, name: payments, version: 1, description: Pays., consequential: false, operations: [{names}],
 deadline_seconds: 7200}}
---
{{apiVersion: counterfoil/v1, kind: Policy, name: payments, version: 1, description: Whoever likes may pay., operations: [{names}],
 rules: [], otherwise: allow}}
"""


def contracts() -> str:
    """Give all documents, as one file: each payment as it is, and another whose patience outlasts a lease."""
    documents, names = [DEPENDENCY.format(bank=bank) for bank in BANKS.values()], list[str]()

    def payment(name: str, bank: str, asking: str, seconds: float, attempts: int) -> None:
        names.append(name)
        documents.append(PAYMENT.format(name=name, bank=bank, asking=asking, timeout=seconds, attempts=attempts))

    for bank, (word, asking) in product(BANKS.values(), (("asked", ASKING.strip("\n")), ("blind", ""))):
        payment(f"pay-{bank}-{word}", bank, asking, TIMEOUT_SECONDS, 5)
        payment(f"pay-{bank}-{word}-patiently", bank, asking, PATIENT_SECONDS, 5)
    payment("pay-forgets-twice-at-most", BANKS[False], "", TIMEOUT_SECONDS, 2)
    return "\n---\n".join([*documents, AROUND.format(names=", ".join(names))])
