"""Callbacks are signed as Standard Webhooks are, and can come twice, late or in the wrong order."""

import asyncio
import base64

import pytest
from aiohttp import web

from examples.bank.callbacks import signature
from tests.processes import comes

SECRET = "whsec_" + base64.b64encode(b"between the two of us").decode()


@pytest.fixture
async def heard():
    """Callbacks as they came, and where they come to."""
    came = []

    async def take(request):
        came.append((dict(request.headers), await request.read(), await request.json()))
        return web.Response(status=204)

    app = web.Application()
    app.router.add_post("/callbacks", take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield came, f"http://127.0.0.1:{runner.addresses[0][1]}/callbacks"
    await runner.cleanup()


async def came_to(came, number):
    """Wait until so many callbacks came, and a moment for one too many."""

    async def enough():
        return len(came) >= number

    assert await comes(enough)
    await asyncio.sleep(0.3)


async def told(customer, heard, mode, do="accept_202", number=1):
    came, url = heard
    where = {"url": url, "secret": SECRET, "mode": mode, "delay_seconds": 0.02}
    await customer.script({"behave": [{"do": do, "seconds": 0.01, "callback": where}]})
    await customer.refund("k1")
    await came_to(came, number)
    return came


@pytest.mark.parametrize("do", ["accept_202", "commit_and_answer", "slow"])
async def test_a_callback_tells_what_was_done(customer, heard, do):
    [(headers, raw, message)] = await told(customer, heard, "once", do)
    assert message["type"] == "effect.committed"
    assert (message["data"]["key"], message["data"]["id"]) == ("k1", "re_000001")
    stamp = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == signature(SECRET, headers["webhook-id"], stamp, raw)


async def test_doubled_is_the_same_message_twice(customer, heard):
    first, second = await told(customer, heard, "doubled", number=2)
    assert first[0]["webhook-id"] == second[0]["webhook-id"]
    assert first[1] == second[1]


async def test_reordered_tells_the_end_before_the_beginning(customer, heard):
    messages = [message["type"] for _, _, message in await told(customer, heard, "reordered", number=2)]
    assert messages == ["effect.committed", "effect.accepted"]


async def accept(customer, heard, **where):
    """Have the bank take something on, with a callback like this, and give the answer and what was heard until it came."""
    came, url = heard
    how = {
        "do": "accept_202",
        "seconds": 0.01,
        **where.pop("more", {}),
        "callback": {"url": url, "secret": SECRET, **where},
    }
    await customer.script({"behave": [how]})
    answer = await customer.refund("k1")
    return answer, list(came)


def is_signed(headers, raw):
    stamp = int(headers["webhook-timestamp"])
    return headers["webhook-signature"] == signature(SECRET, headers["webhook-id"], stamp, raw)


async def test_a_callback_names_the_key_and_the_operation(customer, heard):
    answer, _ = await accept(customer, heard)
    await came_to(heard[0], 1)
    [(_, _, message)] = heard[0]
    assert (message["data"]["key"], message["data"]["operation"]) == ("k1", answer.body["operation"])


async def test_early_is_told_before_the_answer(customer, heard):
    answer, before = await accept(customer, heard, mode="early")
    assert (answer.status, [message["type"] for _, _, message in before]) == (202, ["effect.committed"])
    assert len(await customer.entries("k1")) == 1
    await came_to(heard[0], 1)
    assert len(heard[0]) == 1


async def test_late_is_told_long_after_it_was_done(customer, heard):
    await accept(customer, heard, mode="late", delay_seconds=3)
    assert await comes(lambda: customer.did("k1"))
    assert (len(await customer.entries("k1")), heard[0]) == (1, [])
    await came_to(heard[0], 1)
    assert len(heard[0]) == 1


async def test_forged_is_signed_by_somebody_else(customer, heard):
    await accept(customer, heard, mode="forged")
    await came_to(heard[0], 1)
    [(headers, raw, _)] = heard[0]
    assert headers["webhook-signature"].startswith("v1,")
    assert not is_signed(headers, raw)


async def test_replayed_is_the_very_same_bytes_again(customer, heard):
    await accept(customer, heard, mode="replayed")
    await came_to(heard[0], 2)
    first, second = heard[0]
    assert first == second
    assert is_signed(first[0], first[1])


async def test_what_is_refused_later_is_told_too(customer, heard):
    await accept(customer, heard, more={"later": "refuse", "reason": "Closed."})
    await came_to(heard[0], 1)
    [(_, _, message)] = heard[0]
    assert (message["type"], message["data"]["reason"]) == ("effect.refused", "Closed.")
    assert await customer.entries("k1") == []


async def test_a_switch_has_everything_told_that_was_taken_on(customer, heard):
    await customer.script(switches={"callback_url": heard[1], "callback_mode": "doubled"})
    await customer.script({"behave": [{"do": "accept_202", "seconds": 0.01}, "commit_and_answer"]})
    await customer.refund("k1")
    await customer.refund("k2")
    await came_to(heard[0], 2)
    assert [message["data"]["key"] for _, _, message in heard[0]] == ["k1", "k1"]
    assert (await customer.script(switches={"callback_mode": "sometimes"})).status == 400


async def test_nobody_listening_does_not_upset_the_bank(customer):
    where = {"url": "http://127.0.0.1:9/x"}
    await customer.script({"behave": [{"do": "commit_and_answer", "callback": where}]})
    await customer.refund("k1")
    await asyncio.sleep(0.05)
    assert (await customer.refund("k2")).status == 201


def test_the_signature_is_that_of_the_published_example():
    # The worked example of the Standard Webhooks specification.
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    signed = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
