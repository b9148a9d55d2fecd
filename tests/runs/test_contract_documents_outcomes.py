"""What an answer means is decided by the contract's table: the first rule that holds, with what the answer says (R-B2)."""

from decimal import Decimal
from typing import Any

import pytest

from console.exact import canonical
from runs.contracts.outcomes import Verdict, classify, outcome_table
from tests.runs.contract_documents import example

HTTP = example("refund").value["http"]
ACT, STATUS = outcome_table(HTTP["outcomes"]), outcome_table(HTTP["status"]["outcomes"])


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (201, {"id": "re_1", "status": "committed"}, Verdict("succeeded", {"refund": "re_1"}, rule=1)),
        (
            200,
            {"id": "re_1", "status": "partial", "parts": [1]},
            Verdict("partial", {"refund": "re_1", "parts": [1]}, rule=0),
        ),
        (202, {"operation": "op_7"}, Verdict("accepted", operation_id="op_7", rule=2)),
        (422, {"reason": "No funds."}, Verdict("rejected", reason="No funds.", rule=3)),
        (422, None, Verdict("rejected", rule=3)),
        (403, {"reason": 5}, Verdict("denied", reason="5", rule=4)),
        (503, None, Verdict("overload", rule=5)),
        (500, {"reason": "broken"}, None),
        (302, None, None),
    ],
)
def test_the_refunds_answers(status, body, verdict):
    assert classify(ACT, status, {}, body) == verdict


@pytest.mark.parametrize(
    ("status", "outcome"), [(200, "succeeded"), (202, "pending"), (404, "absent"), (422, "rejected")]
)
def test_the_status_querys_answers(status, outcome):
    verdict = classify(STATUS, status, {}, {"id": "re_1"})
    assert verdict is not None
    assert verdict.outcome == outcome


def judged(
    rule: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None, body: Any = None
) -> Verdict | None:
    return classify([{"outcome": "succeeded", **rule}], status, headers or {}, body)


def test_a_result_keeps_types_and_leaves_out_what_is_not_there():
    rule = {
        "when": {"path": "status", "op": "eq", "value": 200},
        "result": {
            "n": "{body.n}",
            "deep": {"list": ["{body.l.0}", "{body.l.9}"]},
            "gone": "{body.x}",
            "said": "id {body.x}",
            "code": "{status}",
        },
    }
    verdict = judged(rule, body={"n": Decimal("1.50"), "l": [{"a": None}]})
    assert verdict is not None
    assert verdict.result == {"n": Decimal("1.50"), "deep": {"list": [{"a": None}]}, "code": 200}
    assert canonical(verdict.result) == '{"code":200,"deep":{"list":[{"a":null}]},"n":1.5}'


def test_headers_are_facts_under_their_lower_case_names():
    rule = {"when": {"path": "headers.x-state", "op": "eq", "value": "done"}, "result": {"at": "{headers.location}"}}
    verdict = judged(rule, headers={"x-state": "done", "location": "/refunds/1"})
    assert verdict is not None
    assert verdict.result == {"at": "/refunds/1"}
    assert judged(rule, headers={"x-state": "open"}) is None


def test_a_header_that_is_no_text_does_no_harm():
    rule = {"when": {"path": "headers.x", "op": "exists", "value": True}, "result": {"x": "{headers.x}"}}
    verdict = judged(rule, headers={"x": "a\udcffb"})
    assert verdict is not None
    assert canonical(verdict.result) == '{"x":"a?b"}'


def test_without_a_body_no_condition_on_it_holds():
    assert judged({"when": {"path": "body.id", "op": "exists", "value": True}}) is None
    assert judged({"when": {"path": "body", "op": "exists", "value": False}}) is not None


def test_a_status_is_a_number_and_not_a_text():
    assert judged({"when": {"path": "status", "op": "prefix", "value": "2"}}) is None
    assert (
        judged(
            {
                "when": {
                    "all": [{"path": "status", "op": "gte", "value": 200}, {"path": "status", "op": "lt", "value": 300}]
                }
            }
        )
        is not None
    )


def test_a_list_or_text_as_body_is_only_what_it_is():
    rule = {"when": {"path": "body.0.id", "op": "eq", "value": "a"}, "result": {"first": "{body.0}"}}
    verdict = judged(rule, body=[{"id": "a"}])
    assert verdict is not None
    assert verdict.result == {"first": {"id": "a"}}
    assert judged(rule, body="text") is None
