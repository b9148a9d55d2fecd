"""What is in force, and one contract as sentences: with its policy, its versions, its gaps and how it changed."""

import re

import pytest

from console.documents import load
from runs.failures import FAILURES
from tests.cast import POLICY, Company, put_in_force, signed_in
from tests.pages.browsing import text, walk
from tests.record import findings

ROW = r'<a class="open" href="/contracts/[a-z-]+/([^"?]+)"'
OPERATION = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: {version}
summary: "Note {{text}}"
description: Writes a note.
consequential: false
access: write
target: "note:1"
arguments: {{type: object, required: [text], properties: {{text: {{type: string, maxLength: 20}}}}}}
dependency: bank
http:
  method: POST
  url: "{{dependency.base_url}}/notes"
  attempt_timeout_seconds: {timeout}
  outcomes: [{{when: {{path: status, op: eq, value: 200}}, outcome: succeeded}}]
"""


def note(company: Company, name: str = "note", version: int = 1, timeout: int = 5) -> None:
    """Put a contract in force that leaves much open, which what is not consequential may."""
    put_in_force(company.by, load(OPERATION.format(name=name, version=version, timeout=timeout)))


def test_everybody_sees_what_is_in_force(acme: Company) -> None:
    note(acme)
    for name in ("ann", "dora", "oscar"):
        page = signed_in(acme.members[name]).get("/contracts")
        assert re.findall(ROW, page.content.decode()) == ["lookup", "note", "refund", "transfer"]
        said = text(page)
        assert "Operations 4" in said
        assert "Run types 2" in said
        assert "Policies 1" in said
        assert "Dependencies 1" in said
        assert re.search(r"note Writes a note\. normal \d+ questions version 1", said)
        assert "refund Pays money back to the customer's card. normal nothing version 2" in said


def test_each_kind_has_its_list(acme: Company) -> None:
    ann = signed_in(acme.ann)
    for kind, names in {
        "run-type": ["close-invoice", "customer-case"],
        "policy": ["money"],
        "dependency": ["bank"],
    }.items():
        assert re.findall(ROW, ann.get(f"/contracts?kind={kind}").content.decode()) == names
    assert ann.get("/contracts?kind=secret").status_code == 400
    assert ann.get("/contracts?after=%3C").status_code == 400


def test_a_long_list_is_read_page_by_page(acme: Company) -> None:
    names = [f"note-{number:02}" for number in range(60)]
    put_in_force(
        acme.by, [document for name in names for document in load(OPERATION.format(name=name, version=1, timeout=5))]
    )
    found = walk(signed_in(acme.ann), "/contracts", ROW)
    assert found == sorted(["lookup", "refund", "transfer", *names])


def test_a_contract_is_told_in_sentences(acme: Company) -> None:
    said = text(signed_in(acme.ann).get("/contracts/operation/refund"))
    assert "Counterfoil calls POST {dependency.base_url}/refunds." in said
    assert "Tried again after overload and not sent." in said
    assert "the status is one of 429 or 503" in said
    assert "otherwise unknown: it may have happened or not" in said
    assert "No version is read. A refund adds a record to the order and overwrites nothing." in said
    assert "Left open" not in said
    assert "summary: Refund {amount} {currency} on order {order}" in said
    assert said.index("kind: Operation") < said.index("name: refund") < said.index("executor: http")


def test_what_is_left_open_is_named_with_why_it_matters(acme: Company) -> None:
    note(acme)
    said = text(signed_in(acme.ann).get("/contracts/operation/note"))
    assert "Left open" in said
    assert "Who takes a case that nothing resolves, and what evidence settles it? escalation" in said
    assert "Without it a case that nothing resolves stays where it is, and belongs to nobody." in said
    assert "Escalation and evidence not said" in said
    assert "It is not consequential, so it may be in force all the same." in said


def test_an_operation_names_its_policy_and_a_policy_its_operations(acme: Company) -> None:
    ann = signed_in(acme.ann)
    assert '<a href="/contracts/policy/money">money</a>' in ann.get("/contracts/operation/refund").content.decode()
    policy = ann.get("/contracts/policy/money").content.decode()
    for name in ("lookup", "refund", "transfer"):
        assert f'<a href="/contracts/operation/{name}">{name}</a>' in policy
    put_in_force(acme.by, load(POLICY.format(version=1).replace("name: money", "name: own").replace('"*"', "lookup")))
    assert '<a href="/contracts/policy/own">own</a>' in ann.get("/contracts/operation/lookup").content.decode()
    assert "/contracts/operation/lookup" not in ann.get("/contracts/policy/money").content.decode()
    assert "/contracts/operation/lookup" in ann.get("/contracts/policy/own").content.decode()
    bank = ann.get("/contracts/dependency/bank").content.decode()
    assert "/contracts/operation/refund" in bank
    assert "/contracts/run-type/customer-case" in ann.get("/contracts/operation/refund").content.decode()
    assert "/contracts/operation/refund" in ann.get("/contracts/run-type/customer-case").content.decode()


def test_an_operation_leads_to_the_one_that_puts_it_right(acme: Company) -> None:
    note(acme, "unwrite")
    undone = OPERATION.format(name="write", version=1, timeout=5).rstrip() + "\ncompensation: {operation: unwrite}\n"
    put_in_force(acme.by, load(undone))
    page = signed_in(acme.ann).get("/contracts/operation/write")
    assert '<a href="/contracts/operation/unwrite">unwrite</a>' in page.content.decode()
    assert "The world is put right by unwrite" in text(page)


def test_a_policys_rules_are_sentences_in_their_order(acme: Company) -> None:
    said = text(signed_in(acme.ann).get("/contracts/policy/money"))
    assert (
        "When the operation is transfer: one of finance must approve within 4 h; an approval lapses when it is not used within 1 h."
        in said
    )
    assert "When the amount is above 1000: 2 of finance must approve within 1 h" in said
    assert said.index("transfers") < said.index("very-large") < said.index("dollars")
    assert "When no rule holds: it is denied." in said


def test_versions_are_kept_and_compared(acme: Company) -> None:
    note(acme, version=1, timeout=5)
    note(acme, version=3, timeout=8)
    ann = signed_in(acme.ann)
    now = text(ann.get("/contracts/operation/note"))
    assert "One attempt takes at most 8 s." in now
    earlier = text(ann.get("/contracts/operation/note?version=1"))
    assert "One attempt takes at most 5 s." in earlier
    assert "No longer in force" in earlier
    compared = text(ann.get("/contracts/operation/note?compare=1"))
    assert "Version 1 beside version 3" in compared
    assert re.search(r"http\.attempt_timeout_seconds version 1 5 version 3 8", compared)
    for address in ("?version=2", "?compare=2", "?version=9"):
        assert ann.get(f"/contracts/operation/note{address}").status_code == 404
    assert ann.get("/contracts/operation/note?version=x").status_code == 400
    assert findings() == []


def test_anothers_contracts_are_not_here(acme: Company, globex: Company) -> None:
    note(globex, "secret-note")
    ann = signed_in(acme.ann)
    assert "secret-note" not in ann.get("/contracts").content.decode()
    for address in ("/contracts/operation/secret-note", "/contracts/operation/none", "/contracts/nothing/refund"):
        assert ann.get(address).status_code == 404


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b"])
def test_what_hides_in_a_document_is_seen(acme: Company, hidden: str) -> None:
    put_in_force(
        acme.by,
        load(OPERATION.format(name="note", version=1, timeout=5).replace("Writes a note.", f"Writes{hidden} it.")),
    )
    page = signed_in(acme.ann).get("/contracts/operation/note").content.decode()
    assert hidden not in page
    assert f"U+{ord(hidden):04X}" in page


def test_the_classes_of_failure_have_a_page_and_the_contract_names_them(acme: Company) -> None:
    ann = signed_in(acme.ann)
    page = ann.get("/failures")
    said = text(page)
    for each in FAILURES:
        assert f'id="{each.name}"' in page.content.decode()
        assert each.response in said
    told = ann.get("/contracts/operation/refund")
    assert '<a class="sub" href="/failures#overload">Overload</a>' in told.content.decode()
    assert "It is tried again, at most" in text(told)
