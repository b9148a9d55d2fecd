"""What the bank does when nobody told it otherwise: effects once per key, on its own ledger, and true answers."""

import asyncio

import pytest

from tests.examples.banking import REFUND, opened
from tests.processes import comes


async def test_a_refund_is_committed_answered_and_found_again(customer):
    done = await customer.refund("k1")
    assert done.status == 201
    assert done.body == {"id": "re_000001", "key": "k1", "status": "committed", **REFUND}
    assert (await customer.ask("/effects/k1")).body == {**done.body, "times": 1}
    [entry] = await customer.entries()
    assert entry["key"] == "k1"
    assert entry["path"] == "/refunds"
    assert entry["body"] == REFUND
    assert len(entry["body_digest"]) == 64


@pytest.mark.parametrize(("path", "prefix"), [("/refunds", "re_"), ("/transfers", "tr_"), ("/effects", "ef_")])
async def test_each_kind_of_effect_has_ids_of_its_own(customer, path, prefix):
    assert (await customer.refund("k1", path=path)).body["id"].startswith(prefix)


async def test_the_same_key_does_it_once_and_gives_the_same_answer(customer):
    first, second = await customer.refund("k1"), await customer.refund("k1")
    assert (second.status, second.headers["Idempotent-Replayed"]) == (200, "true")
    assert second.body == first.body
    assert len(await customer.entries("k1")) == 1
    assert (await customer.ask("/calls?key=k1")).body["keys"]["k1"]["count"] == 2


async def test_the_same_key_with_another_body_is_refused(customer):
    await customer.refund("k1")
    other = await customer.refund("k1", {**REFUND, "amount": "99.00"})
    assert other.status == 422
    assert len(await customer.entries()) == 1


async def test_where_mismatch_is_not_refused_the_first_answer_is_given_again(customer):
    await customer.script(switches={"mismatch": False})
    await customer.refund("k1")
    assert (await customer.refund("k1", {**REFUND, "amount": "99.00"})).body["amount"] == "12.50"


async def test_without_idempotency_every_call_is_done(customer):
    await customer.script(switches={"idempotency": False})
    await customer.refund("k1")
    await customer.refund("k1")
    assert [entry["key"] for entry in await customer.entries()] == ["k1", "k1"]
    assert (await customer.ask("/effects/k1")).body["times"] == 2


async def test_keys_can_be_forgotten_after_a_while(customer):
    await customer.script(switches={"idempotency_seconds": 2})
    await customer.refund("k1")
    await customer.refund("k1")
    await asyncio.sleep(2.1)
    await customer.refund("k1")
    assert len(await customer.entries("k1")) == 2


async def test_a_key_never_seen_is_404(customer):
    assert (await customer.ask("/effects/nobody")).status == 404


async def test_a_stale_replica_has_not_heard_of_it_yet(customer):
    await customer.script(switches={"status": "stale", "stale_seconds": 2})
    await customer.refund("k1")
    assert (await customer.ask("/effects/k1")).status == 404
    assert await comes(lambda: customer.answers(200, "/effects/k1"))


async def test_a_bank_without_status_query_says_so_and_never_404(customer):
    await customer.script(switches={"status": "off"})
    await customer.refund("k1")
    assert (await customer.ask("/effects/k1")).status == 501


async def test_a_fence_aware_bank_refuses_the_older_worker(customer):
    await customer.script(switches={"fence_aware": True, "idempotency": False})
    assert (await customer.refund("k1", Fencing_Token="7")).status == 201
    refused = await customer.refund("k1", Fencing_Token="6")
    assert (refused.status, refused.body["highest_fence"]) == (409, 7)
    assert (await customer.refund("k1", Fencing_Token="8")).status == 201
    assert [entry["fence"] for entry in await customer.entries()] == [7, 8]


async def test_other_banks_do_not_look_at_the_fence(customer):
    await customer.script(switches={"idempotency": False})
    await customer.refund("k1", Fencing_Token="7")
    assert (await customer.refund("k1", Fencing_Token="6")).status == 201


@pytest.mark.parametrize("token", ["", "wrong", "letmeinn"])
async def test_strangers_are_refused_and_nothing_is_done(tmp_path, token):
    async with opened(tmp_path / "ledger", token=token) as stranger:
        for asked in (stranger.refund("k1"), stranger.ask("/ledger"), stranger.script(switches={})):
            assert (await asked).status == 401
        assert (await stranger.ask("/health")).body == {"ok": True, "entries": 0}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'{"a":NaN}', b'"x"', b"[" * 20_000, b"\xff"])
async def test_a_body_that_is_no_object_is_400(customer, body):
    assert (await customer.refund("k1", body)).status == 400


@pytest.mark.parametrize("amount", ["0", "-1", "ten", 0, True, "", None, "nan"])
async def test_an_amount_must_be_above_zero(customer, amount):
    assert (await customer.refund("k1", {"amount": amount})).status == 422
    assert await customer.entries() == []


async def test_amounts_stay_as_exact_as_they_were_sent(customer):
    await customer.refund("k1", b'{"amount":0.1000000000000000000001}')
    assert (await customer.entries())[0]["body"]["amount"] == "0.1000000000000000000001"


async def test_calls_without_a_key_are_done_every_time(customer):
    for _ in range(2):
        async with customer.session.post(customer.url + "/effects", data=b"{}") as response:
            assert response.status == 201
    assert len(await customer.entries()) == 2


async def test_orders_are_varied_and_always_the_same(customer):
    orders = [(await customer.ask(f"/orders/A-{number}")).body for number in range(40)]
    assert orders[3] == (await customer.ask("/orders/A-3")).body
    assert len({order["total"] for order in orders}) > 20
    assert len({order["customer"] for order in orders}) > 8


@pytest.mark.parametrize("path", ["/", "/nowhere", "/effects", "/orders/", "/operations/op_9"])
async def test_there_is_nothing_elsewhere(customer, path):
    assert (await customer.ask(path)).status == 404


async def test_reset_forgets_entries_rules_and_switches(customer):
    await customer.script({"behave": "hang"}, switches={"idempotency": False})
    await customer._heard("POST", "/reset", {}, {})
    assert (await customer.refund("k1")).body["id"] == "re_000001"
    shown = (await customer.ask("/script")).body
    assert (shown["rules"], shown["switches"]["idempotency"]) == ([], True)


@pytest.mark.parametrize("do", ["slow", "accept_202"])
async def test_what_was_under_way_at_a_reset_comes_to_nothing(customer, do):
    await customer.script({"behave": [{"do": do, "seconds": 1}]})
    call = asyncio.create_task(customer.refund(do))
    assert await comes(lambda: customer.was_called(do))
    await customer._heard("POST", "/reset", {}, {})
    await call
    await asyncio.sleep(1.2)
    assert await customer.entries() == []


async def test_requests_on_one_connection_are_answered_in_turn(customer):
    host, port = customer.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    one = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    writer.write(one + one[:10])
    await asyncio.sleep(0.02)
    writer.write(one[10:])
    for _ in range(2):
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK")
        await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
    writer.close()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"what\r\n\r\n", b"400"),
        (b"POST /refunds HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400"),
        (b"POST /refunds HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"POST /refunds HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", b"413"),
        (b"x" * 40000, b"431"),
    ],
)
async def test_what_is_no_request_is_refused_and_hung_up_on(customer, sent, status):
    host, port = customer.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(sent)
    assert (await reader.read()).split(b" ")[1] == status
    writer.close()
