"""The example functions say only what is true: a page is written once, found again under its key, and never written for a wrong sum."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from examples.functions import books, rates
from runs.functions import Absent, Call, Done, NotDone, Partial, Rejected, registered

ASK: Any = rates.exchange_rate
PAYMENTS = [{"reference": "P1", "amount": "20.5"}, {"reference": "P2", "amount": "9.5"}]


@pytest.fixture(autouse=True)
def _books(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOIL_DATA", str(tmp_path))
    monkeypatch.setattr(rates, "ANSWERS_AFTER_SECONDS", 0)


def call(key: str = "cf-1", **arguments: Any) -> Call:
    return Call(
        operation="settlement", arguments=arguments, target="settlement:2026-10-01", effect_key=key, effect_id="1", fence=1, attempt=1,
        deadline_at=datetime(2027, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def day(key: str = "cf-1", **changes: Any) -> Call:
    return call(key, **{"day": "2026-10-01", "payments": PAYMENTS, "total": "30", "currency": "EUR", **changes})


def pages(tmp_path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "books").glob("*"))


def test_they_are_registered_as_the_contracts_name_them():
    known = {name: registered(name) for name in ("exchange_rate", "write_settlement", "find_settlement")}
    assert {name: found.is_async for name, found in known.items() if found} == {
        "exchange_rate": True, "write_settlement": False, "find_settlement": False,
    }  # fmt: skip


def test_a_day_is_written_once_and_found_again(tmp_path):
    assert isinstance(books.find_settlement(day()), Absent)
    first, second = books.write_settlement(day()), books.write_settlement(day())
    assert isinstance(first, Done)
    assert first == second == books.find_settlement(day())
    assert pages(tmp_path) == ["2026-10-01-cf-1.json"]
    assert first.result is not None
    assert (first.result["payments"], first.result["total"], first.result["left_out"]) == (2, "30.0", [])
    books.write_settlement(day("cf-2"))
    assert len(pages(tmp_path)) == 2


def test_another_sum_than_was_said_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(Rejected, match=r"come to 30.0 EUR, not to 31"):
        books.write_settlement(day(total="31"))
    assert pages(tmp_path) == []


def test_a_payment_of_nothing_is_left_out_and_named(tmp_path):
    told = books.write_settlement(day(payments=[*PAYMENTS, {"reference": "P3", "amount": "0"}]))
    assert isinstance(told, Partial)
    assert told.result is not None
    assert (told.result["left_out"], told.reason) == (["P3"], "Left out, because nothing was paid: P3.")
    assert json.loads((tmp_path / "books" / "2026-10-01-cf-1.json").read_text())["left_out"] == ["P3"]


def test_a_day_of_nothing_is_refused():
    with pytest.raises(Rejected, match="nothing to settle"):
        books.write_settlement(day(payments=[{"reference": "P3", "amount": "0"}], total="0"))


def test_books_that_cannot_be_written_hold_nothing(tmp_path):
    (tmp_path / "books").write_text("a file where the folder should be")
    with pytest.raises(NotDone, match="cannot be written"):
        books.write_settlement(day())


def test_what_is_on_tape_is_written_before_anybody_is_told(tmp_path, monkeypatch):
    seen: list[list[str]] = []
    monkeypatch.setattr("time.sleep", lambda seconds: seen.append(pages(tmp_path)))
    books.write_settlement(day(payments=[{"reference": "TAPE-1", "amount": "30"}]))
    assert seen == [["2026-10-01-cf-1.json"]]


async def test_a_rate_is_the_same_for_the_same_day():
    first = await ASK(call(currency="GBP", day="2026-10-01"))
    again = await ASK(call(currency="GBP", day="2026-10-01"))
    assert first == again
    found = {rates.rate_on("GBP", date(2026, 10, number)) for number in range(1, 20)}
    assert len(found) > 10
    assert all(abs(rate / rates.RATES["GBP"] - 1) < Decimal("0.0051") for rate in found)


async def test_a_table_that_is_being_written_is_tried_again_and_no_currency_is_refused():
    with pytest.raises(NotDone):
        await ASK(call(currency="XAU", day="2026-10-01"))
    with pytest.raises(Rejected, match="no rate for ZZZ"):
        await ASK(call(currency="ZZZ", day="2026-10-01"))
