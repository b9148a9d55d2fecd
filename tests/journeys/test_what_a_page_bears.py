"""What happens to people with a page open: news, polls while they type, a session that ends, the back button, a phone."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.db import connections
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as GoneMeanwhile

from console.database import rows
from console.local.roles import APP
from runs.models import Effect
from tests import databases
from tests.cast import inside, later
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage

pytestmark = pytest.mark.journey
POLLS_MS = 6_000


@pytest.fixture
def effect(stage: Stage) -> Iterator[Effect]:
    """A refund that waits for finance; whatever becomes of it, it does not wait afterwards."""
    made = stage.acme.propose(stage.acme.run("Make it right"), order="3001", amount="61.00")
    yield made
    if stage.acme.request(made).state == "pending":
        stage.acme.deny("amir", made)


def approve(page: Page) -> None:
    """Press the button."""
    page.locator("#card").get_by_role("button", name=re.compile("Approve")).click()


def after_polls(page: Page) -> None:
    """Wait until the open card was drawn anew twice."""
    for _ in range(2):
        with page.expect_response(re.compile("part=card")):
            pass


def test_news_comes_by_itself(stage: Stage, sign_in: SignIn) -> None:
    page = sign_in("ann")
    made = stage.acme.propose(stage.acme.run("Later news"), order="3002", amount="62.00")
    expect(page.get_by_role("link", name=made.summary)).to_be_visible()
    stage.acme.deny("amir", made)


def test_polls_leave_alone_what_is_being_typed(stage: Stage, sign_in: SignIn, effect: Effect) -> None:  # UI-05
    page = sign_in("ann", then=f"/approvals/{effect.request_id}")
    reason = page.get_by_label(re.compile("Reason"))
    reason.press_sequentially("The parcel was", delay=50)
    after_polls(page)
    reason.press_sequentially(" lost.", delay=50)
    after_polls(page)
    expect(reason).to_have_value("The parcel was lost.")
    expect(reason).to_be_focused()
    approve(page)  # UI-02: the form is good after any number of polls
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")
    assert "The parcel was lost." in page.locator("#card").inner_text()


def test_a_session_that_ended_leads_to_sign_in_and_back(stage: Stage, sign_in: SignIn, effect: Effect) -> None:  # UI-01
    page = sign_in("ann", then=f"/approvals/{effect.request_id}")
    with inside():
        rows("delete from django_session returning 1", [])
    approve(page)
    page.wait_for_url(re.compile("/accounts/login/"))
    assert stage.acme.request(effect).state == "pending"
    page.get_by_label("E-mail").fill("ann@acme.example")
    page.get_by_label("Password").fill("correct horse battery staple")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**/approvals/{effect.request_id}")
    expect(page.locator("#card").get_by_role("heading", name=effect.summary)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_back_shows_what_stands(sign_in: SignIn, effect: Effect, scripts: bool) -> None:  # UI-07
    page = sign_in("ann", then=f"/approvals/{effect.request_id}", scripts=scripts)
    approve(page)
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")
    page.get_by_role("link", name=re.compile("^Runs")).click()
    page.go_back()
    expect(page.locator("#card").get_by_role("button", name=re.compile("Approve"))).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/accounts/login/"))
    page.go_back()
    expect(page.get_by_label("Password")).to_be_visible()
    assert effect.summary not in page.content()
    if scripts:
        assert effect.summary not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def test_a_double_click_is_one_decision(stage: Stage, sign_in: SignIn, effect: Effect) -> None:  # UI-06
    page = sign_in("ann", then=f"/approvals/{effect.request_id}")
    page.locator("#card").get_by_role("button", name=re.compile("Approve")).dblclick(no_wait_after=True)
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")
    assert stage.acme.request(effect).state in {"approved", "consumed"}


def test_somebody_elses_decision_arrives_and_the_press_is_answered_with_it(
    stage: Stage, sign_in: SignIn, effect: Effect
) -> None:
    page = sign_in("ann", then=f"/approvals/{effect.request_id}")
    button = page.locator("#card").get_by_role("button", name=re.compile("Approve"))
    expect(button).to_be_visible()
    stage.acme.deny("amir", effect, "Wrong order.")
    with suppress(GoneMeanwhile):  # a poll may take it away under the press
        button.click(timeout=POLLS_MS)
    expect(page.locator("#card")).to_contain_text("Amir Saleh")
    expect(page.locator("#card")).to_contain_text("Wrong order.")
    expect(button).to_have_count(0)


def test_nothing_that_an_agent_writes_runs_in_the_browser(stage: Stage, sign_in: SignIn) -> None:  # SEC-05
    nasty = """</script><img src=x onerror="window.owned=1">"><svg onload="window.owned=1">"""
    run = stage.acme.run(goal=nasty)
    made = stage.acme.propose(run, order="3003", amount="63.00", reason=nasty)
    page = sign_in("ann")
    for address in ("/", "/approvals", f"/approvals/{made.request_id}", "/runs", f"/runs/{run.pk}"):
        page.goto(stage.url + address)
        expect(page.get_by_text("onerror=").first).to_be_attached()
        assert page.evaluate("window.owned") is None
    stage.acme.deny("amir", made, nasty)


def test_connections_that_died_are_nobodys_trouble(stage: Stage, sign_in: SignIn) -> None:  # RQ-11
    page = sign_in("ann")
    with databases.as_superuser() as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s and usename = %s",
            [databases.name(), APP],
        )
    connections.close_all()
    for address in ("/runs", "/approvals", "/"):
        answer = page.goto(stage.url + address)
        assert answer is not None
        assert answer.status == 200


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(stage: Stage, sign_in: SignIn, effect: Effect, width: int) -> None:  # APR-17
    long = stage.acme.propose(
        stage.acme.run("w" * 300), order="3" + "0" * 60, amount="64.00", reason="x" * 1900 + "DELETE-ALL"
    )
    page = sign_in("ann", width=width)
    for address in (
        "/",
        "/approvals",
        f"/approvals/{long.request_id}",
        "/unknown",
        "/runs",
        f"/runs/{long.run_id}",
        "/nothing",
    ):
        page.goto(stage.url + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    stage.acme.deny("amir", long)


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_the_offices_are_folded_except_where_something_waits(sign_in: SignIn, scripts: bool) -> None:
    page = sign_in("dora", width=375, scripts=scripts, then="/pauses")
    offices = page.get_by_role("navigation", name="What holds here")
    assert offices.bounding_box()["height"] < 60  # type: ignore[index]
    assert offices.get_by_role("link", name="Pauses").is_visible()
    assert not offices.get_by_role("link", name="Contracts").is_visible()
    page.get_by_text("More places").click()
    for name in ("Standing approvals", "Delegations", "Broken glass", "Contracts", "Agents", "People"):
        assert offices.get_by_role("link", name=name).is_visible(), name
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(page.url)
    assert offices.get_by_role("link", name="Contracts").is_visible()
    assert not page.get_by_text("More places").is_visible()


def test_the_phone_decides(stage: Stage, sign_in: SignIn, effect: Effect) -> None:
    page = sign_in("ann", width=390, then="/approvals")
    page.get_by_role("link", name=effect.summary).first.click()
    approve(page)
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")


def test_time_runs_out_on_an_open_page(stage: Stage, sign_in: SignIn, effect: Effect) -> None:  # UI-14
    page = sign_in("ann", then=f"/approvals/{effect.request_id}")
    button = page.locator("#card").get_by_role("button", name=re.compile("Approve"))
    expect(button).to_be_enabled()
    page.route(re.compile("part="), lambda route: route.abort())  # no poll comes before the press
    with later(minutes=31):
        button.click()
        expect(page.locator("[data-receipt]")).to_contain_text("has run out")
        expect(button).to_have_count(0)
    assert stage.acme.request(effect).state in {"pending", "expired"}
