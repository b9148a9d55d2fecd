"""API: what cannot be kept exactly is refused with the path of the fault, leaves nothing behind and never ends in a 500."""

import json
import os
from typing import Any

import pytest

from console.http.models import IdempotencyRecord
from runs.models import Effect, Run
from tests.api.desk import Answer, Caller
from tests.cast import Company, inside


def kept() -> tuple[int, int, int]:
    """Count what is stored."""
    with inside():
        return Run.objects.count(), Effect.objects.count(), IdempotencyRecord.objects.count()


def noted(agent: Caller, run: Answer, raw: str) -> Answer:
    """Propose a note whose arguments are this very text."""
    body = f'{{"operation":"note","target":"note:1","arguments":{raw}}}'.encode()
    return agent.post(f"runs/{run['id']}/effects", body, token=run["epoch"])


def refused(agent: Caller, run: Answer, raw: str) -> Answer:
    """Propose what must be refused, and see that nothing was stored."""
    before = kept()
    answer = noted(agent, run, raw)
    assert kept() == before
    return answer


def test_api_01_nul_is_refused_and_its_escape_as_text_is_kept(agent: Caller) -> None:
    run = agent.run()
    fault = refused(agent, run, '{"note":"a\\u0000b"}')
    assert (fault.status, fault.code, fault["path"]) == (400, "nul", "/arguments/note")
    kept_note = noted(agent, run, '{"note":"a\\\\u0000b"}')
    assert kept_note.status == 201
    assert agent.get(f"effects/{kept_note['id']}")["arguments"] == {"note": "a\\u0000b"}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_api_02_what_is_no_number_is_refused(agent: Caller, number: str) -> None:
    run = agent.run()
    fault = refused(agent, run, f'{{"amount": {number}}}')
    assert (fault.status, fault.code, fault["path"]) == (400, "bad_number", "/arguments/amount")
    ending = agent.post(f"runs/{run['id']}/complete", f'{{"result": {number}}}'.encode(), token=run["epoch"])
    assert (ending.status, ending.code) == (400, "bad_number")


@pytest.mark.parametrize(
    ("raw", "path"),
    [('{"amount":10,"amount":10000}', "/arguments/amount"), ('{"a":[{"b":{"c":1,"c":2}}]}', "/arguments/a/0/b/c")],
)
def test_api_04_a_doubled_key_is_refused_at_any_depth(agent: Caller, raw: str, path: str) -> None:
    fault = refused(agent, agent.run(), raw)
    assert (fault.status, fault.code, fault["path"]) == (400, "duplicate_key", path)


def test_api_05_depth_has_a_limit_and_the_process_lives(agent: Caller) -> None:
    run, process = agent.run(), os.getpid()
    deep = 64 - 2  # the body itself is a level, and `arguments` is one
    assert refused(agent, run, '{"x":' + "[" * 20000 + "]" * 20000 + "}").code == "too_deep"
    assert refused(agent, run, '{"x":' + "[" * (deep + 1) + "]" * (deep + 1) + "}").status == 400
    assert noted(agent, run, '{"x":' + "[" * deep + "]" * deep + "}").status == 201
    assert os.getpid() == process


def test_api_07_a_huge_number_poisons_no_list(agent: Caller) -> None:
    run = agent.run()
    assert refused(agent, run, f'{{"n": {"7" * 5000}}}').code == "bad_number"
    assert noted(agent, run, f'{{"n": {10**40}}}').status == 201
    effects = agent.get(f"runs/{run['id']}/effects")
    assert effects.status == 200
    assert effects["items"][0]["arguments"] == {"n": 10**40}
    assert str(10**40).encode() in effects.raw


@pytest.mark.parametrize(
    "number", ["9007199254740993", "-9223372036854775809", "0.1000000000000000055511151231257827021181583404541"]
)
def test_numbers_beyond_a_double_come_back_as_they_were(agent: Caller, number: str) -> None:
    effect = noted(agent, agent.run(), f'{{"n": {number}}}')
    assert f'"n":{number}'.encode() in agent.get(f"effects/{effect['id']}").raw


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("runs/not-a-uuid", 404),
        ("runs/%00", 404),
        ("effects/99999999999999999999", 404),
        ("approvals?q=%00", 400),
        ("approvals?page=99999999999999999999", 400),
        ("approvals?limit=99999999999999999999", 400),
        ("approvals?state=%F0%9F%92%A9", 400),
        ("approvals?effect=not-a-uuid", 400),
        ("runs?state=%00", 400),
        ("runs?state=sleeping", 400),
        ("runs?state=open&state=ended", 400),
        ("runs?mine=yes", 400),
        ("runs?limit=0", 400),
        ("runs?limit=-1", 400),
        ("runs?limit=\uff11", 400),
        ("runs?cursor=", 400),
        ("runs?cursor=AAAA", 400),
        ("runs?cursor=%F0%9F%92%A9", 400),
        ("runs?stat=open", 400),
        ("nowhere", 404),
        ("", 404),
    ],
)  # fmt: skip
def test_api_10_a_malformed_address_is_answered_with_a_problem(agent: Caller, path: str, status: int) -> None:
    assert agent.get(path).status == status


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"", 422, "invalid"),
        (b"{", 400, "malformed"),
        (b"[1,2", 400, "malformed"),
        (b"\xff\xfe", 400, "not_utf8"),
        (b"\xef\xbb\xbf{}", 400, "bom"),
        (b'{"run_type":"\\ud800"}', 400, "lone_surrogate"),
        (b"null", 422, "invalid"),
        (b"[]", 422, "invalid"),
        (b'"text"', 422, "invalid"),
        (b"{}", 422, "invalid"),
    ],
)
def test_a_body_that_is_no_content_is_refused(agent: Caller, raw: bytes, status: int, code: str) -> None:
    before = kept()
    answer = agent.post("runs", raw)
    assert (answer.status, answer.code) == (status, code)
    assert kept() == before


RUN: dict[str, Any] = {"run_type": "errand", "goal": "Make it right"}
EFFECT: dict[str, Any] = {"key": "a", "operation": "pay", "arguments": {"order": "1", "amount": "1"}}


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({**RUN, "colour": "red"}, "unknown_field", "/colour"),
        ({**RUN, "a/b~c": 1}, "unknown_field", "/a~1b~0c"),
        ({**RUN, "effects": [EFFECT, {**EFFECT, "key": "b", "amount": 3}]}, "unknown_field", "/effects/1/amount"),
        ({"goal": "x"}, "invalid", "/run_type"),
        ({**RUN, "goal": 7}, "invalid", "/goal"),
        ({**RUN, "goal": "   "}, "invalid", "/goal"),
        ({**RUN, "goal": "x" * 2001}, "invalid", "/goal"),
        ({**RUN, "completes_itself": "yes"}, "invalid", "/completes_itself"),
        ({**RUN, "completes_itself": 1}, "invalid", "/completes_itself"),
        ({**RUN, "deadline_seconds": "60"}, "invalid", "/deadline_seconds"),
        ({**RUN, "deadline_seconds": 1.5}, "invalid", "/deadline_seconds"),
        ({**RUN, "deadline_seconds": 0}, "invalid", "/deadline_seconds"),
        ({**RUN, "deadline_seconds": 2**70}, "invalid", "/deadline_seconds"),
        ({**RUN, "effects": {}}, "invalid", "/effects"),
        ({**RUN, "effects": [7]}, "invalid", "/effects/0"),
        ({**RUN, "effects": [{**EFFECT, "key": ""}]}, "invalid", "/effects/0/key"),
        ({**RUN, "effects": [{**EFFECT, "key": "x" * 256}]}, "invalid", "/effects/0/key"),
        ({**RUN, "effects": [{**EFFECT, "arguments": [1]}]}, "invalid", "/effects/0/arguments"),
        ({**RUN, "effects": [{**EFFECT, "after": [1]}]}, "invalid", "/effects/0/after/0"),
        ({**RUN, "effects": [{**EFFECT, "supersedes": "x"}]}, "invalid", "/effects/0/supersedes"),
        ({**RUN, "run_type": "nothing-of-the-kind"}, "unknown_run_type", "/run_type"),
        ({**RUN, "effects": [EFFECT, {**EFFECT, "key": "b", "operation": "fly"}]}, "unknown_operation", "/effects/1/operation"),
        ({**RUN, "effects": [{**EFFECT, "arguments": {"order": "1", "amount": "0"}}]}, "bad_arguments", "/effects/0/arguments/amount"),
        ({**RUN, "effects": [{**EFFECT, "arguments": {"order": "1", "amount": "1", "x": 1}}]}, "bad_arguments", "/effects/0/arguments/x"),
        ({**RUN, "effects": [{**EFFECT, "after": ["nobody"]}]}, "unknown_effect", "/effects/0/after/0"),
    ],
)  # fmt: skip
def test_content_that_does_not_fit_is_refused_with_its_place(agent: Caller, body: Any, code: str, path: str) -> None:
    before = kept()
    answer = agent.post("runs", body)
    assert (answer.status, answer.code, answer["path"]) == (422, code, path)
    assert kept() == before


def test_every_fault_of_a_body_is_listed(agent: Caller) -> None:
    answer = agent.post("runs", {"goal": 7, "colour": "red", "effects": [{"operation": "pay"}]})
    assert answer.code == "unknown_field"
    answer = agent.post("runs", {"goal": 7, "effects": [{"operation": "pay"}]})
    assert {fault["path"] for fault in answer["errors"]} == {
        "/run_type",
        "/goal",
        "/effects/0/arguments",
        "/effects/0/key",
    }


def test_a_whole_number_may_be_written_with_a_point(agent: Caller) -> None:
    assert agent.post("runs", json.dumps({**RUN, "deadline_seconds": 60.0}).encode()).status == 201


def test_a_body_has_a_limit(agent: Caller) -> None:
    before = kept()
    answer = agent.post("runs", b'{"goal":"' + b"x" * 1024 * 1024 + b'"}')
    assert (answer.status, answer.code) == (413, "too_large")
    assert kept() == before


FORM = "multipart/form-data; boundary=x"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", FORM, "application/xml", ""])
def test_only_json_is_taken(agent: Caller, kind: str) -> None:
    answer = agent.post("runs", json.dumps(RUN).encode(), Content_Type=kind)
    assert (answer.status, answer.code) == (415, "unsupported_media_type")


def test_parameters_of_the_media_type_and_what_is_accepted_do_not_matter(agent: Caller) -> None:
    assert agent.post("runs", RUN, Content_Type="application/json; charset=utf-8").status == 201
    assert agent.get("runs", Accept="text/csv").status == 200
    assert agent.get("runs", Accept="nonsense").status == 200


WRONG = [("DELETE", "runs"), ("PUT", "runs"), ("PATCH", "approvals"), ("OPTIONS", "runs"), ("DELETE", "openapi.json")]


@pytest.mark.parametrize(("method", "path"), WRONG)
def test_a_wrong_method_is_told_the_right_ones(agent: Caller, method: str, path: str) -> None:
    answer = agent.call(method, path, None, {})
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("path", ["complete", "fail", "effects"])
def test_a_write_is_no_get(acme: Company, agent: Caller, path: str) -> None:
    run = agent.run()
    assert agent.get(f"runs/{run['id']}/{path}").status == (200 if path == "effects" else 405)
    assert agent.get(f"runs/{run['id']}")["version"] == run["version"]
