"""The desk of compensation: by deadline and weight, narrowed, page by page, and never a statement more for a longer list (R-J2, R-N3)."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compensation.models import WorkItem
from console import clock
from tests.cast import signed_in
from tests.compensation.conftest import one_role, rival, shop, store
from tests.compensation.undoing import done
from tests.pages.browsing import HTMX, text, walk
from tests.pages.undone import address, fields, one, put, stored
from tests.shop import Shop

__all__ = ["one_role", "rival", "shop", "store"]
ROW = r'id="row-([0-9a-f-]+)"'


@pytest.fixture
def oscar(store: Shop) -> Client:
    """An operator's browser."""
    return signed_in(store.members["oscar"])


def listed(browser: Client, words: str = "") -> list[str]:
    """Give the items of the desk's first page, in order."""
    answer = browser.get(f"/compensation?{words}" if words else "/compensation")
    assert answer.status_code == 200
    return re.findall(ROW, answer.content.decode())


def ids(*items: WorkItem) -> list[str]:
    """Give the ids of work items."""
    return [str(item.pk) for item in items]


def test_the_nearest_deadline_stands_first_and_of_one_the_weightiest(store: Shop, oscar: Client) -> None:
    at = clock.now() + timedelta(hours=2)
    light = one(store, "failed", deadline_at=at, weight=1)
    heavy = one(store, "running", deadline_at=at, weight=8)
    soon = one(store, "waiting", waits_for="order", deadline_at=clock.now() + timedelta(minutes=5), weight=0)
    none = one(store, "waiting", waits_for="person", deadline_at=None)
    assert listed(oscar) == ids(soon, heavy, light, none)


def test_a_row_says_what_it_makes_good_for_how_it_stands_why_whose_it_is_and_until_when(
    store: Shop, oscar: Client
) -> None:
    one(store, "escalated", state_reason="the hotel does not answer", summary="Release r-1", target="receipt:r-1")
    said = text(oscar.get("/compensation"))
    for words in (
        "Release r-1", "Makes good for No. 1: Reserve 20.00 EUR to bob", "on receipt:r-1 . Required by Pay bob", "min left", "open for",
        "Owner operators not claimed", "Escalated It was not done, and the next in line were told", "The hotel does not answer.",
    ):  # fmt: skip
        assert words in said, words


def test_its_tabs_hold_what_they_say_and_count_it(store: Shop, oscar: Client) -> None:
    failed, running = one(store, "failed", owner_group="finance"), one(store, "running")
    person = one(store, "waiting", waits_for="person", operation="refund", need="allowed")
    order, over = one(store, "waiting", waits_for="order"), one(store, "done", verified_by="world")
    mine = one(store, "verifying", owner_id=store.members["oscar"].pk)
    for words, wanted in {
        "show=needs": [failed, person], "show=waiting": [order], "show=work": [running, mine], "show=mine": [mine], "show=over": [over],
        "show=groups": [running, person, order, mine], "operation=refund": [person], "need=allowed": [person], "overdue=yes": [],
        "show=needs&operation=release": [failed],
    }.items():  # fmt: skip
        assert set(listed(oscar, words)) == set(ids(*wanted)), words
        part = oscar.get(f"/compensation?{words}").content.decode()
        assert f"?part=list&amp;{words}".replace("&amp;", "&").replace("&", "&amp;") in part, (
            "what is refreshed asks the same"
        )
    tabs = text(oscar.get("/compensation"))
    assert "All open 5 Needs somebody 2 Mine 1 My groups 4 Waiting 1 At work 2 Plans to approve 0 Over" in tabs
    assert "Compensation 2 needing somebody" in tabs


@pytest.mark.parametrize(
    "words", ["show=everything", "need=maybe", "overdue=no", "after=x", "after=3_x_y", "colour=red", "after=12_-_x"]
)
def test_what_cannot_be_asked_is_refused_and_never_ignored(oscar: Client, words: str) -> None:
    assert oscar.get(f"/compensation?{words}").status_code == 400


@pytest.mark.parametrize("show", ["", "over"])
def test_it_is_turned_page_by_page_without_losing_one(
    store: Shop, oscar: Client, monkeypatch: pytest.MonkeyPatch, show: str
) -> None:
    at = clock.now() + timedelta(hours=1)
    state = "done" if show else "failed"
    made = [one(store, state, deadline_at=at, weight=weight) for weight in (3, 3, 1)]
    made += [one(store, state, deadline_at=None, weight=2), one(store, state, deadline_at=at + timedelta(hours=1))]
    monkeypatch.setattr("console.pages.compensation.desk.SHOWN", 2)
    walked = walk(oscar, f"/compensation?show={show}" if show else "/compensation", ROW)
    assert len(walked) == 5
    assert set(walked) == set(ids(*made))


def test_empty_is_a_sentence_and_each_emptiness_another(store: Shop, oscar: Client) -> None:
    assert "Nothing is to be made good for." in text(oscar.get("/compensation"))
    one(store, "running")
    for words, said in {
        "show=needs": "Nothing needs somebody. 1 is open all the same.", "show=mine": "You look after nothing here.",
        "show=over": "Nothing has been made good for yet.", "show=plans": "No plan waits for approval.",
        "operation=refund": "Nothing here is as asked.", "show=waiting": "Nothing waits.",
    }.items():  # fmt: skip
        assert said in text(oscar.get(f"/compensation?{words}")), words


def test_plans_to_approve_stand_first_on_the_desk_and_at_home(store: Shop, oscar: Client) -> None:
    (item,) = put(
        store, done(store, "lend", goal="Lend bob a bicycle"), {"of": "lend", "state": "waiting", "waits_for": "plan"},
        state="proposed", reason="He never came.",
    )  # fmt: skip
    for where in ("/compensation", "/compensation?show=plans", "/"):
        page = oscar.get(where)
        assert f"/compensation/plans/{item.plan_id}" in page.content.decode(), where
        assert "Lend bob a bicycle Planned because the run was cancelled. Nothing of it begins before" in text(page), (
            where
        )
    assert "Plans to approve 1" in text(oscar.get("/compensation"))


def test_home_shows_what_needs_somebody_with_age_owner_deadline_and_next_step(store: Shop, oscar: Client) -> None:
    assert "Nothing needs you." in text(oscar.get("/"))
    one(store, "failed", summary="Release r-1")
    one(store, "running", summary="Not at home")
    said = text(oscar.get("/"))
    assert "Release r-1 Failed Try it again, do it by hand, or waive it." in said
    assert re.search(r"Open for \S+ s Do by 5\d min left Owner operators", said)
    assert "1 to make good" in said
    assert "Not at home" not in said


def test_claiming_in_the_row_answers_with_the_row_alone(store: Shop, oscar: Client) -> None:
    item = one(store, "failed")
    form = fields(oscar.get("/compensation?show=needs").content.decode(), "claim")
    assert form["from_desk"] == "show=needs"
    row = oscar.post(address(item, "claim"), form, headers=HTMX)
    assert row.status_code == 200
    assert "<!doctype" not in row.content.decode()
    assert "You Let go" in text(row)
    assert stored(item).owner_id == store.members["oscar"].pk
    taken = signed_in(store.members["dora"]).post(
        address(item, "claim"), {**form, "idempotency_key": str(uuid4())}, headers=HTMX
    )
    assert taken.status_code == 409
    assert "Oscar Wren looks after it" in text(taken)


def test_without_a_script_claiming_leads_back_to_the_row_on_the_same_desk(store: Shop, oscar: Client) -> None:
    item = one(store, "failed")
    gone = oscar.post(address(item, "claim"), fields(oscar.get("/compensation?show=needs").content.decode(), "claim"))
    assert gone.status_code == 303
    assert gone["Location"].startswith("/compensation?show=needs&receipt=")
    assert gone["Location"].endswith(f"#row-{item.pk}")
    assert "Recorded. It has an owner now." in text(oscar.get(gone["Location"].partition("#")[0]))


def test_everybody_sees_the_desk_and_only_those_it_is_for_are_offered_deeds(store: Shop) -> None:
    item = one(store, "failed", owner_group="finance")
    one(store, "failed", summary="Of the operators")
    ann = signed_in(store.members["ann"])
    page = ann.get("/compensation").content.decode()
    assert page.count("Claim<span") == 1
    assert f"/compensation/{item.pk}/claim" in page


def test_the_desk_of_another_tenant_is_another(store: Shop, rival: Shop, oscar: Client) -> None:
    one(store, "failed")
    assert listed(signed_in(rival.members["oscar"])) == []


def test_a_longer_desk_asks_no_more_of_the_database(store: Shop, oscar: Client) -> None:
    def asked() -> list[int]:
        found = []
        for where in ("/compensation", "/compensation?show=over", "/"):
            with CaptureQueriesContext(connections["default"]) as captured:
                assert oscar.get(where).status_code == 200
            found.append(len(captured.captured_queries))
        return found

    def grow(times: int) -> None:
        for _ in range(times):
            one(store, "failed", owner_id=store.members["oscar"].pk)
            one(store, "done", verified_by="world")
            put(store, done(store, "lend"), {"of": "lend", "state": "waiting", "waits_for": "plan"}, state="proposed")

    grow(1)
    few = asked()
    grow(4)
    assert asked() == few


def test_what_agents_send_is_inert_on_the_desk(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve", goal="<img src=x onerror=alert(1)> \u202e goal")
    put(
        store, run, {
            "of": "reserve", "state": "failed", "summary": "<script>alert(1)</script>", "target": "<b>t</b>",
            "state_reason": "<i>why</i>", "arguments": [],
        },
    )  # fmt: skip
    for where in ("/compensation", "/"):
        page = oscar.get(where).content.decode()
        for hidden in ("<script>alert", "<img src=x", "<b>t</b>", "<i>why</i>", "\u202e"):
            assert hidden not in page, (where, hidden)


def test_the_desk_of_one_run_holds_its_items_alone(store: Shop, oscar: Client) -> None:
    mine, other = one(store, "failed"), one(store, "failed")
    put(store, other.run_id, {"summary": "Fetch it back", "state": "waiting", "waits_for": "plan"}, state="proposed")
    words = f"show=needs&run={mine.run_id}"
    assert listed(oscar, words) == ids(mine)
    page = oscar.get(f"/compensation?{words}")
    assert f'name="run" value="{mine.run_id}" checked' in page.content.decode()
    assert "Nothing of it begins before" not in text(page), "a plan of another run"
    assert "Nothing of it begins before" in text(oscar.get(f"/compensation?show=needs&run={other.run_id}"))
    assert listed(oscar, "show=needs") == ids(mine, other)
    assert oscar.get("/compensation?run=x").status_code == 400
