"""The bank drops what it has taken on and not done yet, when it is asked to; what is done stays done."""

import asyncio

CANCEL = "/effects/k1/cancel"


async def test_what_was_taken_on_is_dropped_and_stays_so(customer):
    await customer.script({"behave": [{"do": "accept_202", "seconds": 1}]})
    await customer.refund("k1")
    dropped = await customer.refund("k1", {}, CANCEL)
    assert (dropped.status, dropped.body["status"]) == (200, "refused")
    await asyncio.sleep(1.2)
    told = await customer.ask("/effects/k1")
    assert (told.status, told.body["reason"]) == (422, "It was cancelled before it was done.")
    assert await customer.entries() == []


async def test_what_is_done_is_not_dropped(customer):
    await customer.refund("k1")
    assert (await customer.refund("k1", {}, CANCEL)).status == 409
    assert len(await customer.entries()) == 1


async def test_of_what_nobody_knows_there_is_nothing_to_drop(customer):
    assert (await customer.refund("k1", {}, CANCEL)).status == 404
