"""Callbacks are signed as Standard Webhooks are, and can come twice, late or in the wrong order."""

import asyncio
import base64

import pytest
from aiohttp import web

from examples.bank.callbacks import signature

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


async def told(customer, heard, mode, do="accept_202"):
    came, url = heard
    where = {"url": url, "secret": SECRET, "mode": mode, "delay_seconds": 0.02}
    await customer.script({"behave": [{"do": do, "seconds": 0.01, "callback": where}]})
    await customer.refund("k1")
    await asyncio.sleep(0.3)
    return came


@pytest.mark.parametrize("do", ["accept_202", "commit_and_answer", "slow"])
async def test_a_callback_tells_what_was_done(customer, heard, do):
    [(headers, raw, message)] = await told(customer, heard, "once", do)
    assert message["type"] == "effect.committed"
    assert (message["data"]["key"], message["data"]["id"]) == ("k1", "re_000001")
    stamp = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == signature(SECRET, headers["webhook-id"], stamp, raw)


async def test_doubled_is_the_same_message_twice(customer, heard):
    first, second = await told(customer, heard, "doubled")
    assert first[0]["webhook-id"] == second[0]["webhook-id"]
    assert first[1] == second[1]


async def test_reordered_tells_the_end_before_the_beginning(customer, heard):
    messages = [message["type"] for _, _, message in await told(customer, heard, "reordered")]
    assert messages == ["effect.committed", "effect.accepted"]


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
