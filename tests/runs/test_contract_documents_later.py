"""What came into the format after 0.1.0: contracts from then lack it, keep their digests, and are read with its defaults."""

from decimal import Decimal

import pytest

from console.documents import Document, load
from runs.contracts import SCHEMAS, digest, normalise, operation_document, run_type_document, validate
from runs.contracts.dependency import RetryBudget, dependency_document
from runs.contracts.keeping import CheckpointRule
from runs.contracts.stopping import Limits, RunCancellation
from runs.contracts.waiting import Expiry, Waiting
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
---
apiVersion: counterfoil/v1
kind: RunType
name: sale
version: 1
consequential: false
operations: [pay]
deadline_seconds: 3600
checkpoint: {schema_version: 3, boundaries: [transition], max_lost_progress: Nothing that was accepted.}
ownership: {lease_seconds: 30}
"""
# Reckoned by 0.1.0: what was applied then is what is applied now, so its version stays unchanged.
DIGESTS = {
    "Operation": "a35125b71da39cd4ac6dc0d8a875057be9cad3c4cf8f39f70c6216920953b6ca",
    "Dependency": "f03b29214f524563efb9b9b3aef052e5908113732cea8bca8286140e2998c0a3",
    "RunType": "3686af753cfea4951f9f91eb7b8accc26c899ac39904bf5ae04e5c3f607650fb",
}


@pytest.mark.parametrize("place", range(len(DIGESTS)), ids=list(DIGESTS))
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


def test_a_run_type_that_says_nothing_of_it_has_the_careful_defaults():
    found = run_type_document(normalise(load(THEN)[2]).value)
    assert (found.drivers, found.signals, found.may_take_over("other-bot")) == (frozenset(), {}, False)
    assert found.waiting.expiry("reply") == Expiry(seconds=30 * 86400, follows="escalate")
    assert found.cancellation == RunCancellation(
        frozenset({"driver", "operator", "admin"}), "graceful", 60, frozenset(), "cancel"
    )
    assert found.limits == Limits(None, None, None, None, None, "hold")
    assert found.checkpoint == CheckpointRule(3, frozenset({"transition"}), 1024 * 1024, 20, None)
    assert set(found.pins.values()) == {"decide"}
    assert found.revalidate == {"identity", "approval", "policy", "secret", "state"}
    assert (found.before_continue, found.drain_per_second, found.quarantine_to) == ("reconcile", None, "operators")


def test_a_section_that_says_little_of_it_has_them_too():
    some = changed(
        Document(load(THEN)[2].value), {"waiting": {}, "cancellation": {}, "limits": {"cost": Decimal("12.5")}}
    )
    assert validate(some) == []
    found = run_type_document(normalise(some).value)
    assert found.waiting == Waiting()
    assert found.cancellation == RunCancellation()
    assert found.limits == Limits(cost=Decimal("12.5"))


def test_no_later_field_is_filled_into_what_is_digested():
    unknown = SCHEMAS["Operation"]["properties"]["unknown"]["properties"]
    later = {name for name, field in unknown.items() if "x-when-absent" in field}
    assert later == {"may_be_superseded", "second_person", "reminders_seconds", "escalate_after_seconds"}
    assert not later & normalise(load(THEN)[0]).value["unknown"].keys()


def test_no_later_section_of_a_run_type_is_filled_in_either():
    properties = SCHEMAS["RunType"]["properties"]
    for section, names in (("checkpoint", {"max_bytes", "keep", "keep_seconds"}), ("ownership", {"drivers"})):
        assert {name for name, part in properties[section]["properties"].items() if "x-when-absent" in part} == names
        assert not names & normalise(load(THEN)[2]).value[section].keys()
    assert not {"waiting", "signals", "cancellation", "limits"} & normalise(load(THEN)[2]).value.keys()
