"""Compensation from a run's page: how far it has come, asking for it with the plan shown first, plans decided, items added (R-J1, R-J3)."""

import re
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compensation.models import Plan
from runs.models import Effect
from tests.cast import inside, signed_in
from tests.compensation.conftest import one_role, rival, shop, store
from tests.compensation.undoing import begun, done, items_of, planned, plans_of
from tests.pages.browsing import HTMX, text
from tests.pages.undone import fields, put
from tests.shop import Shop

__all__ = ["one_role", "rival", "shop", "store"]
WHY = "The customer called it off."


@pytest.fixture
def oscar(store: Shop) -> Client:
    """An operator's browser."""
    return signed_in(store.members["oscar"])


def effects(run: UUID) -> list[Effect]:
    """Read the effects of a run, in order."""
    with inside():
        return list(Effect.objects.filter(run=run).order_by("number"))


def chosen(browser: Client, run: UUID) -> Any:
    """Choose every effect of a run, and see the plan."""
    words = "&".join(f"effect={each.pk}" for each in effects(run))
    return browser.get(f"/runs/{run}/compensate?{words}")


def form_of(page: Any) -> dict[str, Any]:
    """Read the form that asks for what was chosen."""
    form = re.search(r'<form[^>]*action="[^"]*/compensate/now".*?</form>', page.content.decode(), re.DOTALL)
    assert form
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
    named = {name: unescape(value) for name, value in hidden if name != "csrfmiddlewaretoken"}
    return {**named, "effect": [value for name, value in hidden if name == "effect"]}


def test_the_plan_is_seen_before_anything_is_written(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve", "charge", "notify")
    first = text(oscar.get(f"/runs/{run}/compensate"))
    assert "What would be planned" not in first
    page = chosen(oscar, run)
    said = text(page)
    for words in (
        "What would be planned 3", "No. 1: Reserve 20.00 EUR to bob at once release", "The hotel keeps its fee for booking.",
        "No. 2: Charge 20.00 EUR to bob after No. 1 refund authority: Finance, or whoever charged it.", "two people end it by hand",
        "No operation makes good for it. What was read cannot be unread.", "a person of support",
    ):  # fmt: skip
        assert words in said, words
    assert plans_of(run) == []
    silent = oscar.post(f"/runs/{run}/compensate/now", form_of(page))
    assert silent.status_code == 422
    assert "What would be planned 3" in text(silent), "the plan stands where it was"
    made = oscar.post(f"/runs/{run}/compensate/now", {**form_of(page), "why": WHY})
    assert made.status_code == 303
    (plan,) = plans_of(run)
    assert made["Location"].startswith(f"/compensation/plans/{plan.pk}?receipt=")
    assert "It is planned, and what comes at once has begun." in text(oscar.get(made["Location"]))
    assert len(items_of(run)) == 3
    again = oscar.post(f"/runs/{run}/compensate/now", {**form_of(page), "why": WHY, "idempotency_key": str(uuid4())})
    assert again.status_code == 409, "what is being made good for is not planned twice"
    covered = text(oscar.get(f"/runs/{run}/compensate"))
    assert covered.count("It is being made good for, or was. Its work item") == 3


def test_all_that_happened_is_chosen_at_once_or_by_number(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve", "charge", "notify")
    some = text(oscar.get(f"/runs/{run}/compensate?no=1&no=3"))
    assert "What would be planned 2" in some
    page = oscar.get(f"/runs/{run}/compensate?all=yes")
    assert "All 3 , whatever is ticked below" in text(page)
    assert "What would be planned 3" in text(page)
    assert form_of(page)["effect"] == []
    made = oscar.post(f"/runs/{run}/compensate/now", {**form_of(page), "why": WHY})
    assert made.status_code == 303
    assert len(items_of(run)) == 3


def test_what_makes_good_for_others_stands_apart_from_what_can_be_chosen(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve", "charge")
    oscar.post(f"/runs/{run}/compensate/now", {**form_of(oscar.get(f"/runs/{run}/compensate?no=1")), "why": WHY})
    said = text(oscar.get(f"/runs/{run}/compensate"))
    assert said.index("No. 2: Charge") < said.index("What was done to make good for others (1) No. 3: ")
    assert said.index("What was done to make good for others") < said.index("Not open (1) No. 1: Reserve")


def test_more_work_items_of_a_run_stand_on_further_pages_and_are_counted_on_each(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    put(store, run, *({"summary": f"Call guest {n}", "state": "done" if n < 3 else "failed"} for n in range(1, 56)))
    first = oscar.get(f"/runs/{run}")
    assert "Compensation 55 2 of 55 over" in text(first)
    assert "No. 50: Call guest 50" in text(first)
    assert "No. 51: Call guest 51" not in text(first)
    onward = re.search(r'href="([^"]+)"[^>]*>Further work items', first.content.decode())
    assert onward
    further = oscar.get(unescape(onward[1]).partition("#")[0])
    assert "Compensation 55 2 of 55 over" in text(further)
    assert "No. 51: Call guest 51" in text(further)
    assert "No. 50: Call guest 50" not in text(further)
    assert "data-live" not in further.content.decode().partition('id="book"')[2][:200], "a page further on stands still"
    assert oscar.get(f"/runs/{run}?items=x").status_code == 400


def test_a_form_sent_twice_plans_once(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    form = {**form_of(chosen(oscar, run)), "why": WHY}
    first, second = (oscar.post(f"/runs/{run}/compensate/now", form) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert len(plans_of(run)) == 1


def test_what_did_not_happen_cannot_be_chosen_and_says_so(store: Shop, oscar: Client) -> None:
    run = begun(store, "reserve", "charge")
    said = text(oscar.get(f"/runs/{run}/compensate"))
    assert said.count("Not open. It has not happened.") == 2
    for words in ("effect=x", "effects=1", "no=x", "no=99", "&".join(["effect=" + str(uuid4())] * 501)):
        assert oscar.get(f"/runs/{run}/compensate?{words}").status_code == 400


def test_a_plan_may_wait_for_somebody_who_approves_or_declines_it(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    form = {**form_of(chosen(oscar, run)), "why": WHY, "plan_first": "yes"}
    plan_page = oscar.post(f"/runs/{run}/compensate/now", form)["Location"].partition("?")[0]
    (item,) = items_of(run)
    assert (item.state, item.waits_for) == ("waiting", "plan")
    said = text(oscar.get(plan_page))
    for words in (
        "To be approved",
        WHY,
        "It waits for your word",
        "When it is declined: nothing of it begins",
        "release",
        "at once",
    ):
        assert words in said, words
    approve = {**fields(oscar.get(plan_page).content.decode(), "approve"), "why": ""}
    first, second = (oscar.post(f"{plan_page}/approve", approve) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert "Goes ahead" in text(oscar.get(first["Location"]))
    assert items_of(run)[0].waits_for != "plan"
    late = oscar.post(f"{plan_page}/decline", {"idempotency_key": str(uuid4()), "why": "No."})
    assert late.status_code == 409
    assert "This plan is decided" in text(late)


def test_a_plan_is_declined_with_a_reason_and_nothing_of_it_is_done(store: Shop, oscar: Client) -> None:
    run = done(store, "lend")
    page = chosen(oscar, run)
    assert "A contract among these wants the plan approved" in text(page)
    plan_page = oscar.post(f"/runs/{run}/compensate/now", {**form_of(page), "why": WHY})["Location"].partition("?")[0]
    decline = {**fields(oscar.get(plan_page).content.decode(), "approve"), "why": ""}
    silent = oscar.post(f"{plan_page}/decline", decline)
    assert silent.status_code == 422
    assert "Nothing was changed." in text(silent)
    declined = oscar.post(f"{plan_page}/decline", {**decline, "why": "He brings it back himself."})
    said = text(oscar.get(declined["Location"]))
    assert "Declined" in said
    assert "He brings it back himself." in said
    assert items_of(run)[0].state == "dropped"


def test_others_see_a_plan_and_decide_nothing(store: Shop, rival: Shop) -> None:
    run = done(store, "lend")
    (item,) = put(store, run, {"of": "lend", "state": "waiting", "waits_for": "plan"}, state="proposed")
    where = f"/compensation/plans/{item.plan_id}"
    ann = signed_in(store.members["ann"])
    page = ann.get(where)
    assert "Operators and admins approve or decline it." in text(page)
    assert "/approve" not in page.content.decode()
    stranger = signed_in(rival.members["oscar"])
    form = {"idempotency_key": str(uuid4()), "why": "x"}
    assert ann.post(f"{where}/approve", form).status_code == 403
    assert [stranger.get(where).status_code, stranger.post(f"{where}/decline", form).status_code] == [404, 404]
    with inside():
        assert Plan.objects.get(pk=item.plan_id).state == "proposed"


def test_the_runs_page_says_how_far_it_has_come_and_what_remains(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve", "charge")
    put(
        store, run, {"of": "reserve", "state": "done", "verified_by": "world", "summary": "Release r-reserve"},
        {"of": "charge", "state": "failed", "summary": "Refund r-charge"},
    )  # fmt: skip
    said = text(oscar.get(f"/runs/{run}"))
    assert "Compensation 2 1 of 2 over" in said
    assert "No. 2: Refund r-charge makes good for effect 2 Failed It was not done: it needs somebody." in said
    assert "Make good for effects Add a work item" in said
    assert "Plan 1 , because the run was cancelled: Goes ahead" in said
    assert "Add a work item" not in text(signed_in(store.members["ann"]).get(f"/runs/{run}"))


def test_a_run_in_which_nothing_happened_offers_nothing(store: Shop, oscar: Client) -> None:
    assert "Make good for effects" not in text(oscar.get(f"/runs/{begun(store, 'reserve')}"))
    assert "Make good for effects" in text(oscar.get(f"/runs/{done(store, 'reserve')}"))


def test_effects_name_what_makes_good_for_them_and_what_they_make_good_for(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    oscar.post(f"/runs/{run}/compensate/now", {**form_of(chosen(oscar, run)), "why": WHY})
    assert "Made good for by No. 2" in text(oscar.get(f"/runs/{run}"))
    assert "Makes good for No. 1" in text(oscar.get(f"/runs/{run}"))
    original, acting = (text(oscar.get(f"/runs/{run}/effects/{number}")) for number in (1, 2))
    assert re.search(r"Made good for by \S+ No\. 2: ", original)
    assert "Work item" in original
    assert re.search(r"Makes good for \S+ No\. 1: Reserve 20\.00 EUR to bob", acting)


def test_a_work_item_is_added_by_hand(store: Shop, oscar: Client, rival: Shop) -> None:
    run = done(store, "reserve")
    where = f"/runs/{run}/work-items"
    form = fields(oscar.get(f"{where}/new").content.decode(), "add")
    typed = {
        **form, "summary": "Call the hotel", "instructions": "Ask for <b>Ida</b>.", "checklist": "Call.\n\nWrite down what was said.",
        "need": "required", "hours": "4", "owner_group": "finance", "why": "She knows bob.", "needs_second": "yes",
    }  # fmt: skip
    for wrong, field in (({"summary": ""}, "summary"), ({"why": ""}, "why"), ({"hours": "soon"}, "hours")):
        refused = oscar.post(f"{where}/add", {**typed, **wrong, "idempotency_key": str(uuid4())})
        assert refused.status_code == 422, wrong
        assert f'id="{field}-error"' in refused.content.decode()
        assert "Ask for &lt;b&gt;Ida&lt;/b&gt;." in refused.content.decode(), "what was typed is kept"
    first, second = (oscar.post(f"{where}/add", typed) for _ in range(2))
    assert first["Location"] == second["Location"]
    (item,) = items_of(run)
    assert (item.kind, item.state, item.waits_for, item.owner_group) == ("manual", "waiting", "person", "finance")
    said = text(oscar.get(first["Location"]))
    for words in (
        "Call the hotel",
        "Ask for <b>Ida</b>.",
        "Write down what was said.",
        "somebody added a work item",
        "She knows bob.",
        "h 59 min left",
    ):
        assert words.lower() in said.lower(), words
    assert "Operators and admins add work items." in text(signed_in(store.members["ann"]).get(f"{where}/new"))
    stranger = signed_in(rival.members["oscar"])
    assert stranger.get(f"{where}/new").status_code == 404
    assert stranger.post(f"{where}/add", {**typed, "idempotency_key": str(uuid4())}).status_code == 404
    assert stranger.get(f"/runs/{run}/compensate").status_code == 404


def test_a_work_item_comes_after_those_that_are_ticked(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    first, over = put(
        store, run, {"summary": "Call the hotel", "state": "failed"}, {"summary": "Write", "state": "done"}
    )
    page = oscar.get(f"/runs/{run}/work-items/new").content.decode()
    assert f'type="checkbox" id="after-1" name="after" value="{first.pk}"' in page
    assert str(over.pk) not in page, "what is over holds nothing back"
    form = {
        **fields(page, "add"),
        "summary": "Call again",
        "need": "required",
        "owner_group": "operators",
        "after": str(first.pk),
    }
    silent = oscar.post(f"/runs/{run}/work-items/add", {**form, "why": ""})
    assert f'value="{first.pk}" checked' in silent.content.decode(), "what was ticked is kept"
    oscar.post(f"/runs/{run}/work-items/add", {**form, "why": WHY, "idempotency_key": str(uuid4())})
    assert items_of(run)[-1].after == [first.pk]


def test_a_plan_that_changed_since_it_was_seen_is_not_decided(store: Shop, oscar: Client) -> None:
    (item,) = put(store, done(store, "lend"), {"of": "lend", "state": "waiting", "waits_for": "plan"}, state="proposed")
    where = f"/compensation/plans/{item.plan_id}"
    form = fields(oscar.get(where).content.decode(), "approve")
    dora = signed_in(store.members["dora"])
    dora.post(f"/compensation/{item.pk}/claim", {"idempotency_key": str(uuid4())})
    refused = oscar.post(f"{where}/approve", {**form, "why": "As agreed."})
    assert refused.status_code == 409
    assert "New since you opened the page Work item 1 is looked after by Dora Lindqvist." in text(refused)
    assert "As agreed.</textarea>" in refused.content.decode()
    again = {**fields(refused.content.decode(), "approve"), "why": "As agreed."}
    assert oscar.post(f"{where}/approve", again).status_code == 303


def test_more_work_items_ask_no_more_of_the_database(store: Shop, oscar: Client) -> None:
    def asked(times: int) -> list[int]:
        run = done(store, *["reserve"] * times)
        keys = ["reserve", *(f"reserve-{number}" for number in range(2, times + 1))]
        items = put(store, run, *({"of": key, "state": "failed"} for key in keys), state="proposed")
        found = []
        for where in (
            f"/runs/{run}",
            f"/compensation/plans/{items[0].plan_id}",
            f"/runs/{run}/compensate",
            f"/runs/{run}/work-items/new",
        ):
            with CaptureQueriesContext(connections["default"]) as captured:
                assert oscar.get(where).status_code == 200
            found.append(len(captured.captured_queries))
        return found

    assert asked(5) == asked(2)


def test_the_plan_refreshes_by_its_part(store: Shop, oscar: Client) -> None:
    (item,) = put(store, done(store, "reserve"), {"of": "reserve", "state": "running"})
    part = oscar.get(f"/compensation/plans/{item.plan_id}?part=plan", headers=HTMX)
    assert "<!doctype" not in part.content.decode()
    assert "Release" in text(part) or "reserve" in text(part).lower()


def test_whoever_asks_and_whoever_approves_sees_exactly_what_is_done_and_what_is_looked_at_first(
    store: Shop, oscar: Client
) -> None:
    run = done(store, "book", "notify")
    said = text(chosen(oscar, run))
    looked = (
        "Exactly what is done receipt r-book Read first, and it must be so: body.status is confirmed body.to is bob"
    )
    assert looked in said
    assert "What comes at once begins with this button, unless the plan is approved first." in said
    planned(store, run, plan_first=True)
    plan = text(oscar.get(f"/compensation/plans/{plans_of(run)[0].pk}"))
    assert looked in plan
    assert "No operation makes good for it. What was read cannot be unread." in plan, (
        "why people do it, before it is approved"
    )
