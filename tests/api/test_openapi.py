"""openapi.json is valid OpenAPI 3.1, says what every write needs, and its examples fit its schemas."""

import json
from typing import Any

import pytest
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from console.http.problem_types import PROBLEMS
from tests.api.desk import Caller, described

PERFORMED = {"begin_attempt", "report_attempt", "hand_back_attempt"}
DRIVEN = {"propose_effect", "withdraw_effect", "complete_run", "fail_run"}
RECOVERED = {
    "claim_unknown", "release_unknown", "hand_over_unknown", "ask_now", "resolve_effect", "confirm_resolution", "decline_resolution",
    "withdraw_resolution",
}  # fmt: skip
WRITES = {"create_run", "decide_approval"} | DRIVEN | PERFORMED | RECOVERED
IN_BULK = {"create_runs", "propose_effects"}  # keys travel with the items; nobody believes in a version
BODILESS = {"begin_attempt", "heartbeat_attempt", "claim_unknown", "ask_now"}
BYTES = {"get_evidence"}  # what it gives is no JSON
FENCED = DRIVEN | PERFORMED | {"heartbeat_attempt", "propose_effects"}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Give every operation: method, path, description."""
    return [
        (method, path, operation) for path, item in described()["paths"].items() for method, operation in item.items()
    ]


def test_it_is_valid(nobody: Caller) -> None:
    answer = nobody.get("openapi.json")
    assert answer.status == 200
    document = json.loads(answer.raw)
    assert document["openapi"].startswith("3.1")
    validate_schema(document)
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema), name


def test_every_operation_has_a_name_of_its_own_a_summary_and_problems() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    for method, path, operation in operations():
        assert operation["summary"], path
        verb = "read" if method == "get" else "write"
        assert operation["security"] in ([{"key": [f"runs:{verb}"]}], [{"member_key": [f"recovery:{verb}"]}])
        assert {"400", "401", "403", "500", "503"} <= operation["responses"].keys()
        if method == "post":
            assert {"413", "415", "422"} <= operation["responses"].keys()
            if "requestBody" in operation:  # some take an empty body, or none
                assert operation["requestBody"]["content"].keys() == {"application/json"}
        for status, response in operation["responses"].items():
            media = "application/json" if status < "400" else "application/problem+json"
            if status < "400" and operation["operationId"] in BYTES:
                assert response["content"].keys() == {"application/octet-stream"}
                continue
            assert response["content"].keys() == {media}
            assert response["content"][media]["examples"], (path, status)
            assert response["description"]


def test_writes_say_which_headers_they_need() -> None:
    for _, _, operation in operations():
        headers = {
            parameter["name"]: parameter for parameter in operation.get("parameters", []) if parameter["in"] == "header"
        }
        name = operation["operationId"]
        assert ("Idempotency-Key" in headers) == (name in WRITES)
        assert ("Fencing-Token" in headers) == (name in FENCED)
        assert ("If-Match" in headers) == (name in DRIVEN | {"resolve_effect"})
        if name in WRITES:
            assert headers["Idempotency-Key"]["required"] is True


def test_the_examples_fit_the_schemas() -> None:
    seen = 0
    for _, _, operation in operations():
        parts = [
            operation.get("requestBody", {}).get("content", {}),
            *(response["content"] for response in operation["responses"].values()),
        ]
        for content in parts:
            for media in content.values():
                schema = {**media["schema"], "components": described()["components"]}
                examples = [example["value"] for example in media.get("examples", {}).values()]
                for example in examples + ([media["example"]] if "example" in media else []):
                    seen += 1
                    assert not list(Draft202012Validator(schema).iter_errors(example)), example
    assert seen > 50


@pytest.mark.parametrize("name", sorted((WRITES | IN_BULK) - BODILESS))
def test_a_body_shows_an_example(name: str) -> None:
    found = next(operation for _, _, operation in operations() if operation["operationId"] == name)
    assert found["requestBody"]["content"]["application/json"]["examples"]


def test_every_problem_of_an_operation_is_listed_with_its_status_its_meaning_and_an_example() -> None:
    for _, path, operation in operations():
        for code in operation["x-problems"]:
            said = operation["responses"][str(PROBLEMS[code].status)]
            assert f"- `{code}`: {PROBLEMS[code].meaning}" in said["description"], path
            example = said["content"]["application/problem+json"]["examples"][code]["value"]
            assert (example["code"], example["status"]) == (code, PROBLEMS[code].status)


ELSEWHERE = {  # on pages, by commands, and wherever no operation is
    "already_erased", "already_member", "agent_stopped", "bad_agent", "bad_filter", "bad_group", "bad_key_name", "bad_person", "bad_terms",
    "last_administrator", "message_too_large", "method_not_allowed", "name_taken", "no_hold", "no_owner", "no_verdict", "not_a_member",
    "not_administrator",
    "not_an_admin", "not_answerable", "not_for_you", "not_its_scope", "not_signed", "not_text", "not_their_own", "not_to_erase",
    "read_needed", "reason_needed", "record_does_not_hold", "refused", "unknown_part", "unreadable_message",
    "unknown_role",
    "bad_endpoint", "not_a_moment", "no_version", "not_a_number", "way_needed", "too_much_sent",
    "unknown_kind", "too_many_endpoints", "endpoint_stopped", "not_dead",
}  # fmt: skip


def test_every_problem_type_belongs_to_an_operation_or_is_met_elsewhere() -> None:
    listed = {code for _, _, operation in operations() for code in operation["x-problems"]}
    assert set(PROBLEMS) - listed == ELSEWHERE


def test_an_example_shows_every_member_of_its_document() -> None:
    """A member that came later and is not in the example would be missed by whoever learns from it."""
    for _, path, operation in operations():
        for status, response in operation["responses"].items():
            given = status < "400" and operation["operationId"] not in BYTES
            for media in response["content"].values() if given else ():
                name = media["schema"]["$ref"].rpartition("/")[2]
                required = set(described()["components"]["schemas"][name]["required"])
                for example in media["examples"].values():
                    assert required <= example["value"].keys(), (path, status)
