"""Reservations, charges and notices: each can be made good for and read, and an account says what all of it comes to."""

import pytest

from tests.examples.banking import TOKEN, opened

ANA = {"account": "ana", "amount": "60.00", "currency": "EUR"}
NOTICE = {"account": "ana", "text": "Your order is on its way."}
NO_MONEY = dict.fromkeys(("reserved", "charged", "given_back", "fees", "paid"), "0.00")
NOTHING = {"account": "ana", **NO_MONEY, "notices_standing": 0}


async def account(customer, name="ana"):
    return (await customer.ask(f"/accounts/{name}")).body


async def test_what_was_reserved_charged_and_told_is_read_as_it_stands(customer):
    held = await customer.refund("k1", ANA, "/reservations")
    charged = await customer.refund("k2", ANA, "/charges")
    told = await customer.refund("k3", NOTICE, "/notices")
    assert [each.body["id"] for each in (held, charged, told)] == ["rs_000001", "ch_000002", "nt_000003"]
    read = (await customer.ask("/charges/ch_000002")).body
    assert (read["status"], read["version"], read["changed_under"]) == ("charged", 1, "k2")
    there = {"reserved": "60.00", "charged": "60.00", "paid": "60.00", "notices_standing": 1}
    assert await account(customer) == NOTHING | there


async def test_each_is_made_good_for_in_its_own_way_and_the_bank_keeps_its_fee(customer):
    for key, path, body in (("k1", "/reservations", ANA), ("k2", "/charges", ANA), ("k3", "/notices", NOTICE)):
        await customer.refund(key, body, path)
    await customer.refund("u1", {"reason": "off"}, "/reservations/rs_000001/release")
    paid = await customer.refund("u2", {"amount": "60.00"}, "/charges/ch_000002/refund")
    await customer.refund("u3", {"text": "It is not."}, "/notices/nt_000003/correction")
    assert (paid.body["about"], paid.body["given_back"], paid.body["fee"]) == ("ch_000002", "58.50", "1.50")
    things = ("/reservations/rs_000001", "/charges/ch_000002", "/notices/nt_000003")
    states = [(await customer.ask(thing)).body for thing in things]
    assert [each["status"] for each in states] == ["released", "paid_back", "corrected"]
    assert [(each["version"], each["changed_under"]) for each in states] == [(2, "u1"), (2, "u2"), (2, "u3")]
    left = {"charged": "60.00", "given_back": "58.50", "fees": "1.50", "paid": "1.50"}
    assert await account(customer) == NOTHING | left


async def test_under_another_key_it_is_paid_back_again_and_the_account_says_so(customer):
    await customer.refund("k1", ANA, "/charges")
    for key in ("u1", "u1", "u2"):
        await customer.refund(key, {"amount": "60.00"}, "/charges/ch_000001/refund")
    assert (await account(customer))["paid"] == "-57.00"


async def test_what_is_paid_back_in_part_is_two_thirds(customer):
    await customer.refund("k1", ANA, "/charges")
    done = await customer.refund("u1", {"amount": "60.00"}, "/charges/ch_000001/refund", Bank_Behaviour="partial")
    assert (done.body["status"], done.body["given_back"]) == ("partial", "38.50")
    assert (await customer.ask("/charges/ch_000001")).body["status"] == "partly_paid_back"


async def test_what_was_never_reserved_cannot_be_let_go(customer):
    assert (await customer.refund("u1", {}, "/reservations/rs_000009/release")).status == 404
    await customer.refund("k1", ANA, "/charges")
    assert (await customer.refund("u2", {}, "/reservations/ch_000001/release")).status == 404
    assert len(await customer.entries()) == 1


@pytest.mark.parametrize("path", ["/charges/ch_000001/release", "/charges/ch_000001", "/notices/nt_000001/refund"])
async def test_nothing_else_can_be_done_about_them(customer, path):
    await customer.refund("k1", ANA, "/charges")
    assert (await customer.refund("u1", {}, path)).status == 404


async def test_a_replica_that_is_behind_shows_them_as_they_were(customer):
    await customer.refund("k1", ANA, "/charges")
    await customer.script(switches={"status": "stale"})
    assert (await customer.ask("/charges/ch_000001")).status == 404
    await customer.script(switches={"status": "off"})
    assert (await customer.ask("/charges/ch_000001")).status == 501


async def test_a_bank_that_pretends_has_done_nothing(customer):
    await customer.refund("k1", ANA, "/charges")
    lied = await customer.refund("u1", {"amount": "60.00"}, "/charges/ch_000001/refund", Bank_Behaviour="pretend")
    assert (lied.status, (await account(customer))["paid"]) == (201, "60.00")


async def test_all_of_it_outlives_the_bank(tmp_path):
    async with opened(tmp_path / "ledger.jsonl") as customer:
        await customer.refund("k1", ANA, "/charges")
        before = await customer.refund("u1", {"amount": "60.00"}, "/charges/ch_000001/refund")
    async with opened(tmp_path / "ledger.jsonl", token=TOKEN) as customer:
        assert (await account(customer))["paid"] == "1.50"
        assert (await customer.refund("u1", {"amount": "60.00"}, "/charges/ch_000001/refund")).body == before.body
