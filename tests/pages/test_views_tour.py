"""The tour of a demo: offered to each member, kept on the server, put away and asked for again, at things that are really there."""

import re
from typing import Any

import pytest
from django.test import Client

from console.identity.models import Member
from console.pages.stops import STOPS
from tests.cast import Company, signed_in
from tests.pages.browsing import text
from tests.pages.unsettled import address, unknown
from tests.record import findings, kinds


@pytest.fixture
def ann(acme: Company, settings: Any) -> Client:
    """The browser of somebody on a demo."""
    settings.DEMO = True
    return signed_in(acme.ann)


def go(browser: Client, step: int | str, here: str = "/runs") -> Any:
    """Press a button of the tour."""
    return browser.post("/tour", {"step": str(step), "here": here})


def tour(answer: Any) -> str:
    """Give what the tour says on a page, if it is there."""
    found = re.search(r'<aside class="tour".*?</aside>', answer.content.decode(), re.DOTALL)
    return found[0] if found else ""


def test_a_first_visit_is_met_by_the_tour(ann: Client) -> None:
    for page in ("/", "/runs", "/contracts"):
        shown = tour(ann.get(page))
        assert "Tour, 1 of 7" in shown
        assert STOPS[0][0] in shown
    assert "Look at home" in tour(ann.get("/runs"))
    assert "Look at home" not in tour(ann.get("/"))


def test_each_stop_leads_to_a_thing_that_is_there(acme: Company, ann: Client) -> None:
    run = acme.run()
    led = []
    for number in range(1, len(STOPS) + 1):
        answer = go(ann, number)
        assert answer.status_code == 303
        page = ann.get(answer["Location"])
        assert page.status_code == 200
        assert f"Tour, {number} of {len(STOPS)}" in tour(page)
        assert STOPS[number - 1][0] in tour(page)
        led.append(answer["Location"])
    assert led == ["/", "/approvals", f"/runs/{run.pk}", "/unknown", "/unknown", "/tasks", "/contracts"]
    assert "That was the tour" in tour(ann.get("/"))


def test_it_leads_to_the_oldest_unknown_effect(acme: Company, ann: Client) -> None:
    oldest = unknown(acme)
    unknown(acme, amount="21")
    assert go(ann, 5)["Location"] == address(oldest)


def test_a_run_that_is_not_there_yet_is_looked_for_where_it_will_be(ann: Client) -> None:
    assert go(ann, 3)["Location"] == "/runs"


def test_it_is_put_away_and_comes_back_when_it_is_asked_for(acme: Company, ann: Client) -> None:
    assert go(ann, 0)["Location"] == "/runs"
    for browser in (ann, signed_in(acme.ann)):  # another browser of the same person
        page = browser.get("/runs")
        assert tour(page) == ""
        assert "Show the tour" in page.content.decode()
    assert "Tour, 1 of 7" in tour(signed_in(acme.oscar).get("/"))  # of somebody else
    go(ann, 1)
    assert "Tour, 1 of 7" in tour(ann.get("/runs"))


def test_it_is_no_part_of_the_record(acme: Company, ann: Client) -> None:
    before = kinds(f"tenant:{acme.tenant.pk}")
    go(ann, 2)
    assert acme.read(Member, acme.ann.pk).tour_step == 1
    assert kinds(f"tenant:{acme.tenant.pk}") == before
    assert findings() == []


@pytest.mark.parametrize("step", ["8", "-1", "x", "", "1.0", "٣"])
def test_there_is_no_other_stop(ann: Client, step: str) -> None:
    assert go(ann, step).status_code == 400
    assert "Tour, 1 of 7" in tour(ann.get("/"))


def test_putting_it_away_leads_nowhere_else(ann: Client) -> None:
    for here in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""):
        assert go(ann, 0, here)["Location"] == "/"


def test_without_a_demo_there_is_no_tour(acme: Company) -> None:
    ann = signed_in(acme.ann)
    page = ann.get("/")
    assert tour(page) == ""
    assert "Show the tour" not in text(page)
    assert go(ann, 1).status_code == 404
    assert acme.read(Member, acme.ann.pk).tour_step == 0


def test_a_part_of_a_page_comes_without_it(ann: Client) -> None:
    assert "Tour" not in ann.get("/?part=inbox", headers={"HX-Request": "true"}).content.decode()


def test_it_needs_a_token_and_is_no_page(acme: Company, settings: Any) -> None:
    settings.DEMO = True
    browser = signed_in(acme.ann, enforce_csrf_checks=True)
    assert go(browser, 2).status_code == 403
    assert browser.get("/tour").status_code == 405
