"""What the bank can be told to do, and what its ledger then says."""

import asyncio
import time
from email.utils import parsedate_to_datetime

import aiohttp
import pytest

from tests.processes import comes

DROPPED = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)


async def test_commit_and_drop(customer):
    await customer.script({"behave": "commit_and_drop"})
    with pytest.raises(DROPPED):
        await customer.refund("k1")
    assert len(await customer.entries("k1")) == 1


async def test_drop_before_commit(customer):
    await customer.script({"behave": "drop_before_commit"})
    with pytest.raises(DROPPED):
        await customer.refund("k1")
    assert await customer.entries() == []


async def test_commit_and_500(customer):
    await customer.script({"behave": "commit_and_500"})
    assert (await customer.refund("k1")).status == 500
    assert len(await customer.entries("k1")) == 1


@pytest.mark.parametrize(("behaviour", "at_once"), [("late_commit", 0), ("commit_and_hang", 1), ("slow", 0)])
async def test_it_goes_on_when_whoever_asked_has_given_up(customer, behaviour, at_once):
    await customer.script({"behave": [{"do": behaviour, "seconds": 3}]})
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(customer.refund("k1"), 1)
    assert len(await customer.entries("k1")) == at_once
    assert await comes(lambda: customer.did("k1"))
    assert len(await customer.entries("k1")) == 1


async def test_hang_does_nothing_and_says_nothing(customer):
    await customer.script({"behave": "hang"})
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(customer.refund("k1"), 0.5)
    assert await customer.entries() == []


async def test_slow_answers_after_its_seconds(customer):
    await customer.script({"behave": [{"do": "slow", "seconds": 0.1}]})
    start = time.monotonic()
    assert (await customer.refund("k1")).status == 201
    assert time.monotonic() - start >= 0.1


async def test_accepted_then_committed(customer):
    await customer.script({"behave": [{"do": "accept_202", "seconds": 2}]})
    taken = await customer.refund("k1")
    assert (taken.status, taken.body["status"]) == (202, "pending")
    operation = f"/operations/{taken.body['operation']}"
    for asked in ("/effects/k1", operation):
        assert (await customer.ask(asked)).status == 202
    again = await customer.refund("k1")
    assert again.body["operation"] == taken.body["operation"]
    assert await customer.entries() == []
    assert await comes(lambda: customer.did("k1"))
    for asked in ("/effects/k1", operation):
        assert (await customer.ask(asked)).body["id"] == "re_000001"
    assert len(await customer.entries()) == 1


async def test_accepted_then_refused(customer):
    await customer.script({"behave": [{"do": "accept_202", "seconds": 0, "later": "refuse", "reason": "No funds."}]})
    await customer.refund("k1")
    assert await comes(lambda: customer.answers(422, "/effects/k1"))
    assert (await customer.ask("/effects/k1")).body["reason"] == "No funds."
    assert (await customer.ask("/effects/k1")).status == 422


async def test_accepted_and_never_heard_of_again(customer):
    await customer.script({"behave": [{"do": "accept_202", "seconds": 0, "later": "never"}]})
    await customer.refund("k1")
    await asyncio.sleep(0.05)
    assert (await customer.ask("/effects/k1")).status == 202


@pytest.mark.parametrize(
    ("behaviour", "status", "reason"),
    [
        ({"do": "reject", "reason": "Too old."}, 422, "Too old."),
        ({"do": "reject", "status": 409}, 409, "The account is closed."),
        ("forbidden", 403, "This token may not do that."),
        ("unavailable", 503, "Out of order."),
        ("rate_limit", 429, "Too many requests."),
    ],
)
async def test_refusals_do_nothing(customer, behaviour, status, reason):
    await customer.script({"behave": [behaviour]})
    refused = await customer.refund("k1")
    assert (refused.status, refused.body["reason"]) == (status, reason)
    assert await customer.entries() == []


async def test_retry_after_in_both_forms(customer):
    await customer.script(
        {"behave": [{"do": "rate_limit", "seconds": 7}, {"do": "rate_limit", "seconds": 90, "form": "date"}]}
    )
    assert (await customer.refund("k1")).headers["Retry-After"] == "7"
    dated = await customer.refund("k1")
    wait = parsedate_to_datetime(dated.headers["Retry-After"]) - parsedate_to_datetime(dated.headers["Date"])
    assert 88 <= wait.total_seconds() <= 91


async def test_two_of_three(customer):
    await customer.script({"behave": "partial"})
    done = await customer.refund("k1", {"parts": ["kettle", "lamp", "pan"]})
    assert (done.status, done.body["status"], done.body["reason"]) == (200, "partial", "Not done: pan.")
    assert [(part["part"], part["done"]) for part in done.body["parts"]] == [
        ("kettle", True), ("lamp", True), ("pan", False),
    ]  # fmt: skip
    for again in (await customer.ask("/effects/k1"), await customer.refund("k1", {"parts": ["kettle", "lamp", "pan"]})):
        assert (again.status, again.body["parts"]) == (200, done.body["parts"])


@pytest.mark.parametrize("commit", [True, False])
async def test_answers_that_cannot_be_read(customer, commit):
    for number, behaviour in enumerate(("malformed", "truncated", "oversized", "wrong_content_type", "garbage")):
        key = f"k{number}"
        await customer.script({"behave": [{"do": behaviour, "commit": commit, "bytes": 300_000}]})
        try:
            heard = await customer.refund(key)
        except aiohttp.ClientError:
            assert behaviour in {"truncated", "garbage"}
        else:
            assert behaviour not in {"truncated", "garbage"}
            assert (len(heard.raw) > 300_000) == (behaviour == "oversized")
            assert heard.headers["Content-Type"].startswith("text/html") == (behaviour == "wrong_content_type")
        assert len(await customer.entries(key)) == commit


async def test_exactly_this_answer_and_a_redirect(customer):
    exact = {"do": "answer", "status": 418, "body": {"a": 1}, "headers": {"X-Why": "tea"}}
    await customer.script({"behave": [exact, {"do": "redirect", "to": "/refunds"}]})
    heard = await customer.refund("k1")
    assert (heard.status, heard.body, heard.headers["X-Why"]) == (418, {"a": 1}, "tea")
    assert (await customer.refund("k1")).headers["Location"] == "/refunds"
    assert await customer.entries() == []


async def test_questions_can_be_scripted_too(customer):
    await customer.script({"match": {"method": "GET", "path_prefix": "/orders/"}, "behave": "unavailable"})
    assert (await customer.ask("/orders/A-1")).status == 503
    assert (await customer.ask("/orders/A-1")).status == 200


async def test_a_behaviour_can_come_with_the_request(customer):
    assert (await customer.refund("k1", Bank_Behaviour="commit_and_500")).status == 500
    assert (await customer.refund("k2", Bank_Behaviour='{"do": "reject", "reason": "Because."}')).body == {
        "reason": "Because."
    }
    assert (await customer.refund("k3", Bank_Behaviour="explode")).status == 400
    assert (await customer.refund("k3", Bank_Behaviour="{")).status == 400


@pytest.mark.parametrize(
    ("match", "hit"),
    [
        ({"key": "k1"}, True),
        ({"key": ["k0", "k1"]}, True),
        ({"key": "k2"}, False),
        ({"key_prefix": "k"}, True),
        ({"path": "/refunds"}, True),
        ({"path": "/transfers"}, False),
        ({"target": "order:A-7"}, True),
        ({"target": "order:A-8"}, False),
        ({"field": {"order": "A-7", "amount": "12.50"}}, True),
        ({"field": {"order": "A-7", "amount": "1"}}, False),
        ({"header": {"X-Marker": "boom"}}, True),
        ({"header": {"X-Marker": "quiet"}}, False),
        ({"nth": 1}, True),
        ({"nth": 2}, False),
        ({"call": 1}, True),
        ({"call": [2, 3]}, False),
        ({"method": "GET"}, False),
        ({}, True),
    ],
)
async def test_which_requests_a_rule_is_for(customer, match, hit):
    await customer.script({"match": match, "behave": "reject"})
    assert (await customer.refund("k1", X_Marker="boom")).status == (422 if hit else 201)


@pytest.mark.parametrize(
    ("then", "heard"), [("pass", [422, 503, 201, 200]), ("last", [422, 503, 503, 503]), ("cycle", [422, 503, 422, 503])]
)
async def test_a_queue_of_behaviours_and_what_follows(customer, then, heard):
    await customer.script({"behave": ["reject", "unavailable"], "then": then})
    assert [(await customer.refund("k1")).status for _ in heard] == heard


async def test_rules_can_be_added_and_replaced(customer):
    await customer.script({"match": {"key": "k1"}, "behave": "reject"})
    await customer.script({"match": {"key": "k2"}, "behave": "forbidden"}, add=True)
    assert [(await customer.refund(key)).status for key in ("k1", "k2")] == [422, 403]
    assert [rule["used"] for rule in (await customer.ask("/script")).body["rules"]] == [1, 1]
    await customer.script({"match": {"key": "k3"}, "behave": "reject"})
    assert len((await customer.ask("/script")).body["rules"]) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": [{"behave": "explode"}]},
        {"rules": [{"match": {"colour": "red"}, "behave": "reject"}]},
        {"rules": [{"behave": "reject", "then": "stop"}]},
        {"rules": [{"match": {}}]},
        {"rules": ["reject"]},
        {"rules": 7},
        {"switches": {"colour": "red"}},
        {"switches": {"idempotency": "yes"}},
        {"switches": {"status": "sometimes"}},
        {"scripts": []},
    ],
)
async def test_a_script_that_names_nothing_we_know_is_refused(customer, wrong):
    assert (await customer._heard("POST", "/script", wrong, {})).status == 400


async def test_latency_is_a_switch(customer):
    await customer.script(switches={"latency_seconds": 0.5})
    start = time.monotonic()
    await asyncio.gather(*(customer.refund(f"k{number}") for number in range(20)))
    assert 0.5 <= time.monotonic() - start < 20 * 0.5
