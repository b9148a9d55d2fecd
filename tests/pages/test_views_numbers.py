"""R-A9: the page of figures about compensation: what is open, what became of the rest, how long it took, and what remained."""

import re

import pytest
from django.test import Client

from console.notices import switching
from tests.cast import signed_in
from tests.compensation.conftest import store
from tests.compensation.test_numbers import items
from tests.pages.browsing import text
from tests.shop import Shop, one_role, rival, shop

__all__ = ["one_role", "rival", "shop", "store"]
HERE = "/compensation/numbers"


def read(shop: Shop, words: str = "", name: str = "oscar") -> str:
    """Read the page as a member."""
    answer = signed_in(shop.members[name]).get(f"{HERE}{words}")
    assert answer.status_code == 200
    return text(answer)


def test_of_nothing_the_page_says_nothing(store: Shop) -> None:
    page = read(store)
    assert "Nothing was to be made good for." in page
    assert "Over time" not in page
    assert "What remained" not in page


def test_the_page_tells_what_is_open_what_became_of_the_rest_and_what_remained(store: Shop) -> None:
    items(
        store, {"state": "done", "took": 90, "operation": "refund", "left": ["A <b>fee</b>."]}, {"state": "waived"},
        {"state": "failed", "operation": "refund"},
    )  # fmt: skip
    page = read(store)
    assert "Open 1 1 failed" in page
    assert "Need somebody 1" in page
    assert "Done and verified 1 50 %" in page
    assert "By hand 0 resolved, 1 waived" in page
    assert "Escalated 1 50 %" in page
    assert "From planned to done 1 min half of them" in page
    assert "A <b>fee</b>. 1 time" in page


def test_the_desk_leads_there_and_the_figures_lead_back_to_what_is_asked_for(store: Shop) -> None:
    items(store, {"state": "failed"})
    browser = signed_in(store.members["oscar"])
    assert f'href="{HERE}"' in browser.get("/compensation").content.decode()
    page = browser.get(HERE).content.decode()
    assert 'href="/compensation?show=needs"' in page
    assert browser.get("/compensation?show=needs").status_code == 200


def test_what_agents_and_people_wrote_is_text(store: Shop) -> None:
    items(store, {"state": "done", "left": ["<script>alert(1)</script>"]})
    page = signed_in(store.members["oscar"]).get(HERE).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(("word", "rows"), [("7d", 7), ("30d", 30), ("13w", 13), ("", 30), ("nonsense", 30)])
def test_time_is_divided_into_days_or_weeks(store: Shop, word: str, rows: int) -> None:
    items(store, {"state": "done"})
    page = signed_in(store.members["oscar"]).get(f"{HERE}?span={word}").content.decode()
    assert len(re.findall(r'<svg class="bar"', page)) in {rows, rows + 1}  # today's week is begun


def test_days_are_those_of_the_member_s_own_clock(store: Shop) -> None:
    assert "by the clock of UTC" in read(store)
    switching.wish(
        store.actor("oscar"),
        digest_minutes="15",
        quiet_from="",
        quiet_until="",
        time_zone="Asia/Tokyo",
        kinds_on=["effect.overdue"],
    )
    assert "by the clock of Asia/Tokyo" in read(store)
    assert "by the clock of UTC" in read(store, name="ann")


def test_another_company_s_figures_are_not_told(store: Shop, rival: Shop) -> None:
    items(store, {"state": "done"})
    assert "Nothing was to be made good for." in read(rival)


def test_a_stranger_signs_in_first(store: Shop) -> None:
    answer = Client().get(HERE)
    assert answer.status_code == 302
    assert "/login" in answer["Location"]
