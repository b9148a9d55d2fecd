"""The example hotel: one room for each key, houses that each answer in their manner, and a register that says what really happened."""

import asyncio

import pytest

from examples.hotel.houses import HOUSES
from tests.examples.staying import opened


@pytest.fixture
async def traveller(tmp_path):
    async with opened(tmp_path / "register") as traveller:
        yield traveller


async def test_a_booking_is_kept_answered_and_found_by_its_key(traveller):
    booked = await traveller.book("k1")
    assert booked.status == 201
    assert (booked.body["booking"], booked.body["status"], booked.body["amount"]) == ("hb_00001", "confirmed", "178.00")
    assert (await traveller.status("k1")).body == booked.body
    assert (await traveller.say("GET", "/bookings/hb_00001")).body == booked.body
    assert await traveller.bookings() == [booked.body]


async def test_the_same_key_books_once(traveller):
    first, second = await traveller.book("k1"), await traveller.book("k1")
    assert (first.status, second.status) == (201, 200)
    assert first.body == second.body
    assert len(await traveller.bookings()) == 1


async def test_the_same_key_for_another_stay_is_refused(traveller):
    await traveller.book("k1")
    assert (await traveller.book("k1", nights=3)).status == 422
    assert len(await traveller.bookings()) == 1


async def test_cancelling_gives_the_room_back_and_keeps_a_fee(traveller):
    booked = (await traveller.book("k1")).body["booking"]
    for status in (200, 200):  # the second time under the same key
        cancelled = await traveller.cancel("k2", booked)
        assert cancelled.status == status
        assert (cancelled.body["status"], cancelled.body["fee"]) == ("cancelled", "89.00")
    assert (await traveller.status("k2")).body == cancelled.body
    assert [(each["status"], each["cancelled_under"]) for each in await traveller.bookings()] == [("cancelled", "k2")]
    assert (await traveller.cancel("k3", booked)).body["reason"] == "Booking hb_00001 is cancelled."
    assert (await traveller.cancel("k2", booked, "Another reason.")).status == 422
    assert (await traveller.cancel("k4", "hb_00009")).status == 409


async def test_a_house_that_is_sold_out_refuses_until_a_room_is_given_back(traveller):
    first = await traveller.book("k1", "grand-meridian")
    second = await traveller.book("k2", "grand-meridian", arrival="2026-12-04")
    assert (second.status, second.body["reason"]) == (409, "Grand Meridian is sold out on the night of 2026-12-04.")
    assert (await traveller.book("k3", "grand-meridian", arrival="2026-12-05")).status == 201
    await traveller.cancel("k4", first.body["booking"])
    assert (await traveller.book("k5", "grand-meridian")).status == 201


async def test_a_house_that_confirms_by_hand_takes_it_first_and_confirms_later(traveller):
    taken = await traveller.book("k1", "old-mill")
    assert (taken.status, taken.body["status"]) == (202, "requested")
    assert (await traveller.status("k1")).status == 202
    assert (await traveller.cancel("k2", taken.body["booking"])).body["reason"] == "Booking hb_00001 is requested."
    traveller.wait(HOUSES["old-mill"].confirms_after_seconds)
    assert ((await traveller.status("k1")).status, (await traveller.bookings())[0]["status"]) == (200, "confirmed")


async def test_a_house_that_overbooks_takes_it_first_and_turns_it_down_later(traveller):
    assert (await traveller.book("k1", "casa-miramar")).status == 202
    traveller.wait(HOUSES["casa-miramar"].confirms_after_seconds)
    told = await traveller.status("k1")
    assert (told.status, told.body["reason"]) == (409, "Casa Miramar was overbooked and turned the booking down.")


async def test_a_busy_house_answers_503_and_books_in_the_end(traveller):
    busy = [await traveller.book("k1", "station-hotel") for _ in range(HOUSES["station-hotel"].busy_calls)]
    assert [answer.status for answer in busy] == [503, 503]
    assert busy[0].headers["Retry-After"] == "3"
    assert await traveller.bookings() == []
    assert (await traveller.book("k1", "station-hotel")).status == 201


async def test_a_house_that_loses_the_line_has_booked_and_is_heard_of_late(traveller):
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(traveller.book("k1", "pension-alma"), 1)
    assert [each["status"] for each in await traveller.bookings()] == ["confirmed"]
    assert (await traveller.status("k1")).status == 404
    traveller.wait(HOUSES["pension-alma"].hears_late_seconds)
    assert (await traveller.status("k1")).body["booking"] == "hb_00001"
    assert (await traveller.book("k1", "pension-alma")).status == 200


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"amount": "100.00"}, "The price is 178.00 EUR, not 100.00 EUR."),
        ({"currency": "USD"}, "The price is 178.00 EUR, not 178.00 USD."),
        ({"arrival": "soon"}, "The day of arrival or the amount cannot be read."),
        ({"guest": ""}, "A booking needs a guest, and nights between 1 and 60."),
    ],
)
async def test_what_cannot_be_booked_is_refused_with_a_reason(traveller, wrong, reason):
    refused = await traveller.book("k1", **wrong)
    assert (refused.status, refused.body["reason"]) == (409, reason)
    assert await traveller.bookings() == []


async def test_the_register_outlives_the_process(tmp_path):
    async with opened(tmp_path / "register") as before:
        booked = (await before.book("k1")).body["booking"]
        await before.book("k2", "old-mill")
        await before.cancel("k3", booked)
        told = await before.bookings()
    async with opened(tmp_path / "register") as after:
        assert await after.bookings() == told
        assert (await after.book("k1")).body["status"] == "cancelled"
        assert (await after.cancel("k3", booked)).body["fee"] == "89.00"
        after.wait(60)
        assert (await after.status("k2")).status == 200


@pytest.mark.parametrize("token", ["", "wrong"])
async def test_strangers_are_refused(tmp_path, token):
    async with opened(tmp_path / "register", token=token) as stranger:
        assert (await stranger.book("k1")).status == 401
        assert (await stranger.say("GET", "/register")).status == 401
        assert (await stranger.say("GET", "/health")).body == {"ok": True, "bookings": 0}


async def test_what_is_no_booking_is_400_and_what_is_nowhere_404(traveller):
    assert (await traveller.say("POST", "/bookings", b"{", "k1")).status == 400
    assert (await traveller.say("POST", "/bookings", {})).status == 400
    assert (await traveller.say("GET", "/rooms")).status == 404
    assert (await traveller.status("nobody")).status == 404
