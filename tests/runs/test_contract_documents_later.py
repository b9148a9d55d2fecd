"""What came into the format after 0.1.0: contracts from then lack it, keep their digests, and are read with its defaults."""

from decimal import Decimal

import pytest

from console.documents import load
from runs.contracts import SCHEMAS, digest, normalise, operation_document, validate
from runs.contracts.dependency import RetryBudget, dependency_document
from tests.runs.contract_documents import changed, example, read, refund_with

THEN = """
apiVersion: counterfoil/v1
kind: Operation
name: pay
version: 1
summary: Pay {amount}
consequential: true
access: write
dependency: till
target: till:1
arguments: {type: object, required: [amount], properties: {amount: {type: string, format: decimal}}}
http:
  method: POST
  url: "{dependency.base_url}/payments"
  body: {amount: "{amount}"}
  attempt_timeout_seconds: 5
  outcomes: [{when: {path: status, op: eq, value: 201}, outcome: succeeded}]
  status:
    method: GET
    url: "{dependency.base_url}/payments/{effect.key}"
    attempt_timeout_seconds: 5
    outcomes: [{when: {path: status, op: eq, value: 200}, outcome: succeeded}]
    every_seconds: 5
    objective_seconds: 60
unknown: {owner: operators, age_objective_seconds: 600, resolve: status}
---
apiVersion: counterfoil/v1
kind: Dependency
name: till
version: 1
base_url: http://till.example
timeout_seconds: 10
"""
# Reckoned by 0.1.0: what was applied then is what is applied now, so its version stays unchanged.
DIGESTS = {
    "Operation": "a35125b71da39cd4ac6dc0d8a875057be9cad3c4cf8f39f70c6216920953b6ca",
    "Dependency": "f03b29214f524563efb9b9b3aef052e5908113732cea8bca8286140e2998c0a3",
}


@pytest.mark.parametrize("place", [0, 1], ids=list(DIGESTS))
def test_a_contract_of_the_first_release_keeps_its_digest(place):
    document = load(THEN)[place]
    assert validate(document) == []
    assert digest(document).hex() == DIGESTS[document.kind]


def test_an_operation_that_says_nothing_of_it_has_the_careful_defaults():
    found = operation_document(normalise(load(THEN)[0]).value)
    assert found.http is not None
    assert found.http.status is not None
    status, unknown = found.http.status, found.unknown
    assert (status.absence_after_seconds, status.backoff_factor, status.max_seconds) == (30, 2, 3600)
    assert (unknown.may_be_superseded, unknown.second_person, unknown.reminders_seconds) == (False, True, ())
    assert (unknown.escalate_after_seconds, unknown.escalate_to) == (None, "")
    assert (found.http.read_back, found.http.callback, found.partial) == (None, None, None)


def test_a_second_person_is_asked_for_what_is_consequential_unless_the_contract_says_otherwise():
    silent = {"owner": "operators", "age_objective_seconds": 600, "resolve": "person"}
    assert read(refund_with(unknown=silent)).unknown.second_person is True
    assert read(refund_with(unknown=silent, consequential=False)).unknown.second_person is False
    assert read(refund_with(unknown={**silent, "second_person": False})).unknown.second_person is False


def test_a_dependency_that_says_nothing_of_it_has_the_careful_defaults():
    found = dependency_document(normalise(load(THEN)[1]).value)
    assert found.reconcile_per_second == 10
    assert found.retry_budget == RetryBudget(share=0.2, per_second=1, most=100)
    some = changed(
        example("bank", "Dependency"), {"retry_budget": {"share": Decimal("0.5"), "most": 7}, "reconcile_per_second": 3}
    )
    assert validate(some) == []
    read_some = dependency_document(normalise(some).value)
    assert read_some.retry_budget == RetryBudget(share=0.5, per_second=1, most=7)
    assert read_some.reconcile_per_second == 3


def test_no_later_field_is_filled_into_what_is_digested():
    unknown = SCHEMAS["Operation"]["properties"]["unknown"]["properties"]
    later = {name for name, field in unknown.items() if "x-when-absent" in field}
    assert later == {"may_be_superseded", "second_person", "reminders_seconds", "escalate_after_seconds"}
    assert not later & normalise(load(THEN)[0]).value["unknown"].keys()
