"""The caller, the example contract and the bank together: what is known of each misbehaviour, and what really happened."""

import pytest
import yaml

from console.env import BASE_DIR
from runs.call import Reading, call
from runs.contracts.outcomes import outcome_table
from runs.sending import open_session
from runs.wire import WireRequest, stamped
from tests.examples.banking import TOKEN, opened
from tests.processes import comes

REFUND = next(yaml.safe_load_all((BASE_DIR / "examples/contracts/refund.yaml").read_text()))["http"]
BODY = b'{"order":"A-7","amount":"12.50","currency":"EUR"}'


@pytest.fixture
async def customer(tmp_path):
    async with opened(tmp_path / "ledger") as customer:
        yield customer


async def refunded(customer):
    headers = stamped({"Authorization": f"Bearer {TOKEN}"}, key="k1", fence=1)
    request = WireRequest("POST", customer.url + "/refunds", headers, BODY, 2.0, REFUND["max_response_bytes"])
    async with open_session() as session:
        return await call(session, request, reading=Reading(outcome_table(REFUND["outcomes"])), access="write")


@pytest.mark.parametrize(
    ("behaviour", "outcome", "committed"),
    [
        ("commit_and_answer", "succeeded", 1),
        ("commit_and_drop", "unknown", 1),
        ("commit_and_500", "unknown", 1),
        ("commit_and_hang", "unknown", 1),
        ({"do": "late_commit", "seconds": 10}, "unknown", 0),
        ({"do": "slow", "seconds": 0.1}, "succeeded", 1),
        ({"do": "accept_202", "seconds": 60}, "accepted", 0),
        ("partial", "partial", 1),
        ("reject", "rejected", 0),
        ("forbidden", "denied", 0),
        ({"do": "rate_limit", "seconds": 7}, "overload", 0),
        ("unavailable", "overload", 0),
        ("hang", "unknown", 0),
        ("drop_before_commit", "unknown", 0),
        ("malformed", "unknown", 1),
        ("truncated", "unknown", 1),
        ("oversized", "unknown", 1),
        ("wrong_content_type", "unknown", 1),
        ("garbage", "unknown", 1),
        ("redirect", "unknown", 0),
    ],
    ids=str,
)
async def test_what_is_known_and_what_happened(customer, behaviour, outcome, committed):
    await customer.script({"behave": [behaviour]})
    answer = await refunded(customer)
    assert (answer.outcome, answer.sent) == (outcome, True)
    assert len(await customer.entries("k1")) == committed
    assert (await customer.ask("/calls?key=k1")).body["keys"]["k1"]["count"] == 1


async def test_what_the_answers_say_is_kept(customer):
    assert (await refunded(customer)).result == {"refund": "re_000001"}
    await customer.script({"behave": [{"do": "rate_limit", "seconds": 7}, {"do": "reject", "reason": "Too old."}]})
    assert (await refunded(customer)).retry_after_seconds == 7
    assert (await refunded(customer)).reason == "Too old."
    await customer._heard("POST", "/reset", {}, {})
    await customer.script({"behave": [{"do": "accept_202", "seconds": 60}]})
    assert (await refunded(customer)).operation_id == "op_000001"


async def test_a_late_commit_happens_after_we_gave_up(customer):
    await customer.script({"behave": [{"do": "late_commit", "seconds": 4}]})
    assert (await refunded(customer)).outcome == "unknown"
    assert (await customer.ask("/effects/k1")).status == 404
    assert await comes(lambda: customer.answers(200, "/effects/k1"))
