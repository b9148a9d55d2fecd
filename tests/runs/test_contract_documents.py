"""Contracts: their form and what they say are judged, and normal form is what is stored and digested (R-M1, R-M2)."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from console.documents import Document, load
from console.exact import canonical, decode
from runs.contracts import SCHEMAS, digest, gaps, normalise, publishable, read_operation, validate
from runs.contracts.executors import EXECUTORS
from tests.runs.contract_documents import DROP, EXAMPLES, changed, example, examples, faults_of, read, refund_with

NAMES = [f"{each.kind}-{each.name}" for each in examples()]


@pytest.mark.parametrize("document", examples(), ids=NAMES)
def test_the_examples_are_valid_and_leave_nothing_open(document):
    assert validate(document) == []
    assert gaps(document) == []
    assert publishable(document)


def test_the_examples_are_those_of_the_demo():
    assert set(NAMES) == {
        *["Dependency-bank", "Operation-refund", "Operation-transfer", "Operation-lookup", "RunType-customer-case"],
        *["RunType-close-invoice", "Policy-refunds", "Policy-transfers", "Policy-reads"],
        *["Dependency-hotel", "Operation-booking", "Operation-cancel_booking", "Policy-bookings", "RunType-trip"],
        *["Operation-letter", "Policy-letters", "RunType-correspondence", "Operation-call_customer", "Policy-calls"],
        *["Operation-credit", "Policy-credits", "RunType-goodwill"],
        *[
            "Operation-reserve",
            "Operation-release",
            "Operation-charge",
            "Operation-pay_back",
            "Operation-tell",
            "Operation-correct",
        ],
        *["Operation-hand_over", "Policy-sales", "RunType-sale"],
        *["Operation-exchange_rate", "Operation-settlement", "Policy-settlements", "RunType-close-day"],
    }


@pytest.mark.parametrize("document", examples(), ids=NAMES)
def test_normal_form_is_its_own_normal_form_and_valid(document):
    once = normalise(document)
    assert normalise(once) == once
    assert validate(once) == []
    assert gaps(once) == gaps(document)
    assert decode(canonical(once.value), levels=128) == once.value


def test_the_digest_is_of_what_is_said_and_not_of_the_text():
    text = (EXAMPLES / "bank.yaml").read_text()
    (bank,) = load(text)
    (reordered,) = load("\n".join(["# another comment", *reversed_top_level(text)]))
    assert digest(reordered) == digest(bank)
    (spelled_out,) = load(text.replace("concurrency: 64\n", ""))  # 64 is the default
    assert digest(spelled_out) == digest(bank)
    (another,) = load(text.replace("concurrency: 64", "concurrency: 65"))
    assert digest(another) != digest(bank)


def reversed_top_level(text: str) -> list[str]:
    """Give the lines of a YAML text with its top-level fields in reverse."""
    fields: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith(" ") and fields:
            fields[-1].append(line)
        elif line and not line.startswith("#"):
            fields.append([line])
    return [line for field in reversed(fields) for line in field]


def test_a_number_is_the_same_number_however_it_is_written():
    slow = refund_with(http__attempt_timeout_seconds=Decimal("10.0"))
    assert digest(slow) == digest(example("refund"))


def test_what_is_stored_is_read_back():
    stored = canonical(normalise(example("refund")).value)
    found = read_operation(stored)
    assert (found.name, found.version, found.dependency, found.key.scope) == ("refund", 2, "bank", "run")
    assert found.digest == digest(example("refund"))
    assert found.retry.retryable == {"overload", "not_sent"}
    assert found.http is not None
    assert found.http.status is not None
    assert found.http.secrets == found.secrets == {"bank-token"}


def test_a_verification_may_need_another_secret():
    section = {
        "method": "GET",
        "url": "{dependency.base_url}/refunds/{effect.key}",
        "headers": {"Authorization": "Bearer {secret.auditor-token}"},
        "attempt_timeout_seconds": 5,
        "outcomes": [{"when": {"path": "status", "op": "eq", "value": 200}, "outcome": "succeeded"}],
    }
    assert read(refund_with(verify=section)).secrets == {"bank-token", "auditor-token"}


# Published schemas


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_published_schema_is_a_schema_and_describes_every_field(kind):
    schema = json.loads(canonical(SCHEMAS[kind]))
    Draft202012Validator.check_schema(schema)
    assert list(undescribed(schema, schema, kind)) == []
    assert list(open_objects(schema, kind)) == []


def undescribed(schema: Any, root: Any, at: str) -> Iterator[str]:
    for name, part in schema.get("properties", {}).items():
        resolved = {**root["$defs"][part["$ref"].removeprefix("#/$defs/")], **part} if "$ref" in part else part
        if not resolved.get("description"):
            yield f"{at}/{name}"
        yield from undescribed(resolved, root, f"{at}/{name}")
    if isinstance(schema.get("items"), dict):
        yield from undescribed(schema["items"], root, f"{at}/items")


def open_objects(schema: Any, at: str) -> Iterator[str]:
    if "properties" in schema and schema.get("additionalProperties") is not False:
        yield at
    for name, part in [*schema.get("properties", {}).items(), *schema.get("$defs", {}).items()]:
        yield from open_objects(part, f"{at}/{name}")


# Form


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ({}, "unknown_kind", "/kind"),
        ({"kind": "Deployment"}, "unknown_kind", "/kind"),
        ({"kind": ["Operation"]}, "unknown_kind", "/kind"),
    ],
)
def test_a_document_of_no_known_kind(value, code, path):
    assert faults_of(Document(value)) == {(code, path)}


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"apiVersion": "counterfoil/v2"}, "not_allowed", "/apiVersion"),
        ({"name": "Refund"}, "bad_format", "/name"),
        ({"name": "refund\n"}, "bad_format", "/name"),
        ({"version": 0}, "out_of_range", "/version"),
        ({"version": "1"}, "wrong_type", "/version"),
        ({"version": True}, "wrong_type", "/version"),
        ({"version": Decimal("1.5")}, "wrong_type", "/version"),
        ({"summary": DROP}, "missing", "/summary"),
        ({"tier": "urgent"}, "not_allowed", "/tier"),
        ({"colour": "red"}, "unknown_field", "/colour"),
        ({"http.timeout": 5}, "unknown_field", "/http/timeout"),
        ({"http.outcomes": []}, "wrong_length", "/http/outcomes"),
        ({"http.outcomes.0.outcome": "fine"}, "not_allowed", "/http/outcomes/0/outcome"),
        ({"http.outcomes.0.outcome": "absent"}, "not_allowed", "/http/outcomes/0/outcome"),
        ({"http.url": "https://bank.example/refunds"}, "bad_format", "/http/url"),
        ({"http.headers": {"X Y": "a"}}, "bad_format", "/http/headers"),
        ({"retry.retryable": ["unknown"]}, "not_allowed", "/retry/retryable/0"),
        ({"retry.retryable": ["rejected"]}, "not_allowed", "/retry/retryable/0"),
        ({"retry.attempts": 0}, "out_of_range", "/retry/attempts"),
        ({"retry.attempts": 101}, "out_of_range", "/retry/attempts"),
        ({"cancellation.late_result": "applied"}, "not_allowed", "/cancellation/late_result"),
        ({"key.scope": "world"}, "not_allowed", "/key/scope"),
        ({"dependency": 5}, "not_allowed", "/dependency"),
    ],
)
def test_form(changes, code, path):
    assert (code, path) in faults_of(changed(example("refund"), changes))


# What it says


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"executor": "python"}, "missing", "/python"),
        ({"executor": "python"}, "not_here", "/http"),
        ({"http": DROP}, "missing", "/http"),
        ({"dependency": None}, "missing", "/dependency"),
        ({"access": "read", "consequential": True}, "contradiction", "/consequential"),
        ({"access": "read", "http.method": "DELETE"}, "not_allowed", "/http/method"),
        ({"http.method": "GET"}, "not_here", "/http/body"),
        ({"irreversible": True}, "not_allowed", "/tier"),
        ({"irreversible": True, "consequential": False}, "contradiction", "/consequential"),
        ({"irreversible": True, "compensation.operation": "undo"}, "contradiction", "/compensation/operation"),
        # times
        ({"http.attempt_timeout_seconds": 86400}, "out_of_range", "/http/attempt_timeout_seconds"),
        ({"http.attempt_timeout_seconds": 300}, "out_of_range", "/http/attempt_timeout_seconds"),
        ({"retry.total_seconds": 86401}, "out_of_range", "/retry/total_seconds"),
        ({"key.retention_seconds": 86399}, "out_of_range", "/key/retention_seconds"),
        ({"retry.backoff.base_seconds": 31}, "out_of_range", "/retry/backoff/base_seconds"),
        ({"retry.backoff.max_seconds": 301}, "out_of_range", "/retry/backoff/max_seconds"),
        ({"retry.non_retryable": ["overload"]}, "contradiction", "/retry/non_retryable"),
        ({"retry.retryable": []}, "contradiction", "/retry/attempts"),
        # finding out
        ({"http.status": DROP}, "needs_status", "/unknown/resolve"),
        ({"http.status": DROP}, "needs_status", "/http/outcomes/2/outcome"),
        ({"unknown.resolve": "read_back"}, "needs_read_back", "/unknown/resolve"),
        ({"cancellation.in_flight": "request_cancel"}, "needs_cancel", "/cancellation/in_flight"),
        ({"state_version.from": "{body.version}"}, "needs_read", "/state_version/from"),
        (
            {"preconditions": [{"say": "x", "when": {"path": "body.a", "op": "eq", "value": 1}}]},
            "needs_read",
            "/preconditions/0",
        ),
        ({"http.outcomes.1.operation_id": "{body.id}"}, "not_here", "/http/outcomes/1/operation_id"),
        # conditions
        (
            {"http.outcomes.1.when": {"path": "status", "op": "is", "value": 1}},
            "unknown_op",
            "/http/outcomes/1/when/op",
        ),
        ({"http.outcomes.1.when": {"path": "code", "op": "eq", "value": 1}}, "unknown_fact", "/http/outcomes/1/when"),
        (
            {
                "http.outcomes.1.when": {
                    "all": [{"path": "status", "op": "gt", "value": 5}, {"path": "status", "op": "lt", "value": 5}]
                }
            },
            "never_holds",
            "/http/outcomes/1/when",
        ),
        ({"http.outcomes.3.when": {"path": "status", "op": "eq", "value": 202}}, "never_reached", "/http/outcomes/3"),
        (
            {"partial.recognised_by": {"path": "arguments.a", "op": "eq", "value": 1}},
            "unknown_fact",
            "/partial/recognised_by",
        ),
    ],
)
def test_a_contract_that_contradicts_itself(changes, code, path):
    assert (code, path) in faults_of(changed(example("refund"), changes))


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"summary": "Refund {amount"}, "bad_template", "/summary"),
        ({"summary": "Refund {} now"}, "bad_template", "/summary"),
        ({"summary": "Refund {amout}"}, "unknown_argument", "/summary"),
        ({"summary": "Refund {effect.key}"}, "not_here", "/summary"),
        ({"summary": "Refund {secret.bank-token}"}, "secret_not_here", "/summary"),
        ({"target": "order:{ordr}"}, "unknown_argument", "/target"),
        ({"arguments.required": ["amount"]}, "may_be_absent", "/target"),
        ({"arguments.properties.order.type": ["string", "null"]}, "may_be_absent", "/target"),
        ({"arguments.properties.order": {"type": "object"}}, "not_text", "/target"),
        ({"http.url": "{dependency.base_url}.evil.example/refunds"}, "bad_url", "/http/url"),
        ({"http.url": "{dependency.base_url}@evil.example/"}, "bad_url", "/http/url"),
        ({"http.url": "{dependency.base_url}/a/../b"}, "bad_url", "/http/url"),
        ({"http.url": "{dependency.base_url}/a#b"}, "bad_url", "/http/url"),
        ({"http.url": "{dependency.base_url}/a b"}, "bad_url", "/http/url"),
        ({"http.url": "{dependency.base_url}/{secret.bank-token}"}, "secret_not_here", "/http/url"),
        ({"http.url": "{dependency.base_url}/?token={secret.bank-token}"}, "secret_not_here", "/http/url"),
        ({"http.url": "{dependency.base_url}/{note}"}, "unknown_argument", "/http/url"),
        ({"http.url": "{dependency.base_url}/{effect.operation_id}"}, "not_here", "/http/url"),
        ({"http.body": {"token": "{secret.bank-token}"}}, "secret_not_here", "/http/body/token"),
        ({"http.body": {"lines": ["x {nothing}"]}}, "unknown_argument", "/http/body/lines/0"),
        ({"http.headers": {"Authorization": "{secret.Bank_Token}"}}, "bad_secret", "/http/headers/Authorization"),
        ({"http.headers": {"Idempotency-Key": "{order}"}}, "our_header", "/http/headers/Idempotency-Key"),
        ({"http.headers": {"host": "elsewhere"}}, "our_header", "/http/headers/host"),
        ({"http.outcomes.1.result": {"refund": "{order}"}}, "unknown_fact", "/http/outcomes/1/result/refund"),
        ({"http.outcomes.1.reason": "{body.reason"}, "bad_template", "/http/outcomes/1/reason"),
    ],
)
def test_a_template_names_what_exists_and_can_stand_there(changes, code, path):
    assert (code, path) in faults_of(changed(example("refund"), changes))


def test_an_optional_argument_may_stand_alone_in_the_body():
    optional = {"type": "string", "maxLength": 100}
    alone = refund_with(arguments__properties__note=optional, http__body__note="{note}")
    assert validate(alone) == []
    inside = refund_with(arguments__properties__note=optional, http__body__note="Note: {note}")
    assert faults_of(inside) == {("may_be_absent", "/http/body/note")}


@pytest.mark.parametrize("executor", sorted(set(EXECUTORS) - {"http"}))
def test_other_executors_have_their_place(executor):
    section = {"attempt_timeout_seconds": 60, "outcomes": ["succeeded", "rejected", "unknown"]}
    section |= {"python": {"function": "pay"}, "human": {"instructions": "Pay it."}}.get(executor, {})
    contract = refund_with(executor=executor, http=DROP, unknown__resolve="person", partial__recognised_by=None)
    contract.value[executor] = section
    assert validate(contract) == []
    assert gaps(contract) == []


@pytest.mark.parametrize(
    "url",
    [
        "bank.example",
        "ftp://bank.example",
        "http://",
        "http://u:p@bank.example",
        "http://bank.example?x=1",
        "http://bank.example#x",
        "http://bank.example:99999",
        "http://bank.example/a/../b",
        "http://bank example",
        "http://b\u00e4nk.example",
        "http:\\\\bank",
    ],
)
def test_a_base_url_leads_to_one_place(url):
    assert faults_of(changed(example("bank", "Dependency"), {"base_url": url})) == {("bad_url", "/base_url")}


@pytest.mark.parametrize("url", ["http://127.0.0.1:8701", "https://bank.example/v2/", "http://[::1]:80"])
def test_base_urls_that_can_be_used(url):
    assert validate(changed(example("bank", "Dependency"), {"base_url": url})) == []


def test_a_migration_leads_forward():
    contract = changed(example("customer-case", "RunType"), {"migrations": [{"from": 2, "to": 2, "by": "nothing"}]})
    assert faults_of(contract) == {("out_of_range", "/migrations/0/to")}
