"""openapi.json is valid OpenAPI 3.1, says what every write needs, and its examples fit its schemas."""

import json
from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from console.http.problem_types import PROBLEMS
from tests.api.desk import Caller, described

PERFORMED = {"begin_attempt", "report_attempt", "hand_back_attempt"}
DRIVEN = {
    "propose_effect",
    "withdraw_effect",
    "complete_run",
    "fail_run",
    "put_checkpoint",
    "open_wait",
    "withdraw_wait",
    "cancel_run",
    "cancel_effect",
    "report_usage",
}
RECOVERED = {
    "claim_unknown", "release_unknown", "hand_over_unknown", "ask_now", "resolve_effect", "confirm_resolution", "decline_resolution",
    "withdraw_resolution",
}  # fmt: skip
LIMITED = {"correct_run", "acknowledge_corrections", "extend_run"}
STOPPED = {"stopped", "reopen_run", "see_to_run", "make_pause", "lift_pause"}
SIGNALLED = {"send_signal", "send_signal_to_run"}
OWNED = {"acquire_run", "release_run", "resume_run"}
GRANTED = {"propose_grant", "confirm_grant", "decline_grant", "revoke_grant"}
DELEGATED = {"give_delegation", "revoke_delegation"}
TOOLS = {"take_vote_back", "extend_approval", "escalate_approval", "revoke_approval"}
COMPENSATES = {"compensate_run", "compensate_effect"}
MADE_GOOD = {
    "run_item_now", "retry_item", "accept_difference", "claim_item", "release_item", "assign_item", "escalate_item", "tick_item",
    "add_item_file", "add_work_item", "resolve_item", "waive_item", "confirm_ending", "decline_ending", "withdraw_ending",
    "approve_compensation_plan", "decline_compensation_plan",
}  # fmt: skip
AS_SEEN = MADE_GOOD - {"add_work_item"}
ALONE = {"ask_for_approval", "withdraw_approval", "consume_approval", "report_outcome"}
WRITES = (
    GRANTED
    | DELEGATED
    | COMPENSATES
    | MADE_GOOD
    | TOOLS
    | ALONE
    | LIMITED
    | STOPPED
    | SIGNALLED
    | OWNED
    | {"create_run", "decide_approval"}
    | DRIVEN
    | PERFORMED
    | RECOVERED
)
IN_BULK = {
    "create_runs",
    "propose_effects",
    "decide_approvals",
}  # keys travel with the items; nobody believes in a version
BODILESS = {"release_run", "stopped", "begin_attempt", "heartbeat_attempt", "claim_unknown", "ask_now", "confirm_grant"}
BODILESS |= {"run_item_now", "claim_item", "revoke_delegation"}
BYTES = {"get_evidence", "get_compensation_file"}  # what it gives is no JSON
FENCED = {"acknowledge_corrections", "stopped"}
FENCED |= (
    COMPENSATES
    | {"release_run", "renew_run", "resume_run"}
    | DRIVEN
    | PERFORMED
    | {"heartbeat_attempt", "propose_effects"}
)


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


def test_no_two_documents_share_a_name() -> None:
    """Of two with one name the description would show only one, and what is generated from it would be wrong."""
    GENERATOR_STATS.reset()
    with GENERATOR_STATS.silence():
        SchemaGenerator().get_schema(public=True)
    assert not [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache]


def test_every_operation_has_a_name_of_its_own_a_summary_and_problems() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    for method, path, operation in operations():
        assert operation["summary"], path
        verb = "read" if method == "get" else "write"
        agents, recovers = {"key": [f"runs:{verb}"]}, {"member_key": [f"recovery:{verb}"]}
        decides = {"member_key": ["approvals:read" if verb == "read" else "approvals:decide"]}
        compensates = {"member_key": ["compensation:read" if verb == "read" else "compensation:decide"]}
        known = [[agents], [recovers], [decides], [compensates], [agents, decides], [agents, compensates]]
        assert operation["security"] in known, path
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
        assert ("If-Match" in headers) == (
            name in DRIVEN | COMPENSATES | AS_SEEN | {"correct_run", "extend_run", "reopen_run", "resolve_effect"}
        )
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
    "no_glass_to_break", "not_among_breakers", "target_not_typed", "bad_time_box", "glass_still_open", "glass_reviewed", "not_their_review",
    "not_yours_to_close",
    "already_member", "agent_stopped", "bad_agent", "bad_filter", "bad_group", "bad_key_name", "bad_person", "bad_terms",
    "last_administrator", "message_too_large", "method_not_allowed", "name_taken", "no_hold", "no_owner", "no_verdict", "not_a_member",
    "has_no_reader", "shown_in_part", "nothing_selected", "bad_voice",
    "not_an_admin", "not_answerable", "not_for_you", "not_its_scope", "not_signed", "not_text", "not_their_own", "not_to_erase",
    "read_needed", "reason_needed", "record_does_not_hold", "refused", "unknown_part", "unreadable_message",
    "unknown_role", "policy_refused", "policy_version_taken",
    "bad_endpoint", "not_a_moment", "no_version", "not_a_number", "way_needed", "too_much_sent",
    "bad_channel", "bad_label", "unknown_taking", "bad_wishes", "too_many_channels", "channel_stopped",
    "unknown_kind", "too_many_endpoints", "endpoint_stopped", "not_dead", "not_waiting", "only_operators",
    "not_going", "not_quarantined", "nothing_to_accept", "no_correlation",
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
