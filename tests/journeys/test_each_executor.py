"""Every executor once, the way its people meet it: a function in a worker, the agent itself by REST, a person with a form (R-C2)."""

import json
import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from console.database import crossing_tenants
from console.env import data_dir
from console.identity import administration
from examples.agent.api import Api, Refused
from runs.effect_keys import effect_key
from tests.cast import Company
from tests.errands import call, correspondence, proposed, with_errands
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage
from tests.processes import until

pytestmark = pytest.mark.journey
BOTH = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
PAYMENTS = [{"reference": "P1", "amount": "700.00"}, {"reference": "P2", "amount": "550.50"}]


@pytest.fixture(scope="module")
def acme(stage: Stage) -> Company:
    """The company, with its letters, calls and settlements."""
    return with_errands(stage.acme)


def open_run(page: Page, goal: str) -> None:
    """Go to a run by the list."""
    page.get_by_role("link", name=re.compile("^Runs")).click()
    page.get_by_role("link", name=goal).click()
    expect(page.locator("#book").get_by_role("heading", name=goal)).to_be_visible()


@BOTH
def test_a_settlement_is_approved_and_written_by_a_function(acme: Company, sign_in: SignIn, scripts: bool) -> None:
    day = "2026-10-01" if scripts else "2026-10-02"
    run = acme.run(f"Settle {day}", run_type="close-day")
    effect = proposed(acme, run, "settlement", day=day, payments=PAYMENTS, total="1250.50", currency="USD")

    page = sign_in("sam", scripts=scripts)
    page.get_by_role("link", name=effect.summary).click()
    card = page.locator("#card")
    expect(card).to_contain_text("1250.5")
    card.get_by_role("button", name=re.compile("Approve")).click()
    expect(card.locator("[data-receipt]")).to_contain_text("Recorded.")

    assert until(lambda: acme.stored(effect).state == "succeeded"), acme.stored(effect).state
    written = data_dir() / "books" / f"{day}-{effect_key(effect.pk)}.json"
    assert json.loads(written.read_text())["total"] == "1250.5"
    written.unlink()
    acme.complete(run, {"page": written.stem})
    open_run(page, run.goal)
    book = page.locator("#book")
    expect(book.locator(".cover")).to_contain_text("Succeeded")
    expect(book).to_contain_text(written.stem)


def test_a_letter_is_written_by_the_agent_under_a_permit(stage: Stage, acme: Company, sign_in: SignIn) -> None:
    with crossing_tenants():
        _, key = administration.issue_key(
            acme.by, acme.agent, lasts=timedelta(hours=1), scopes=list(administration.SCOPES)
        )
    api = Api(stage.url, key)
    run = api.open_run("letter-journey", "correspondence", "Answer Ana about order 1042")
    told = {"order": "1042", "customer": "Ana Lindqvist", "subject": "your question", "text": "It is on its way."}
    effect = api.propose(run, "letter", "letter", told, "She asked when it will come.")
    assert (effect["executor"], effect["state"]) == ("agent", "ready")
    permit = api.begin(run, effect, 1)
    again = api.begin(run, effect, 1)  # a lost answer is asked for again
    assert (again["attempt"], again["fence"]) == (permit["attempt"], permit["fence"])
    assert permit["arguments"] == told
    api.heartbeat(permit)
    with pytest.raises(Refused) as twice:
        api.begin(run, effect, 2)
    assert twice.value.code == "already_held"
    api.report(permit, "succeeded", result={"letter": "L-1", "words": 5}, evidence="The post book has it as L-1.")
    assert api.look(effect)["state"] == "succeeded"
    api.complete(run, {"letter": "L-1"})

    page = sign_in("ann")
    open_run(page, run["goal"])
    book = page.locator("#book")
    expect(book.locator(".cover")).to_contain_text("Succeeded")
    expect(book).to_contain_text("L-1")
    expect(book.locator(".history")).to_contain_text("refund-bot")


@BOTH
def test_a_call_is_begun_filled_in_and_reported_by_a_person(acme: Company, sign_in: SignIn, scripts: bool) -> None:
    order = str(1043 + scripts)
    run = correspondence(acme, f"Answer about order {order}")
    effect = call(acme, run, order=order, customer="Ana Lindqvist")

    page = sign_in("ann", scripts=scripts)
    page.get_by_role("link", name=re.compile("^Tasks")).click()
    page.get_by_role("link", name=effect.summary).click()
    card = page.locator("#card")
    expect(card).to_contain_text("Call the customer on the number that stands in the shop's own books")
    card.get_by_role("button", name="Begin").click()
    expect(card.locator("[data-receipt]")).to_contain_text("It is yours until")
    card.get_by_role("button", name="Hold it for longer").click()
    expect(card.locator("#lease")).to_contain_text("Held for you")

    card.get_by_role("radio", name=re.compile("^It is done")).check()
    card.get_by_label("Who was on the line").fill("Ana Lindqvist")
    card.get_by_label("How much of it").fill("lots")
    card.get_by_role("radio", name="Refund").check()
    card.get_by_role("radio", name="Yes").check()
    card.get_by_label(re.compile("How it is known")).fill("The list of calls, 14:05.")
    card.get_by_role("button", name="Report").click()
    expect(card.locator("[data-receipt]")).to_contain_text("Nothing was recorded.")
    expect(card).to_contain_text("This must be written as decimal.")
    expect(card.get_by_label("Who was on the line")).to_have_value("Ana Lindqvist")

    card.get_by_label("How much of it").fill("64.50")
    card.get_by_role("button", name="Report").click()
    expect(card.locator("[data-receipt]")).to_contain_text("You reported: it is done.")
    assert acme.stored(effect).state == "succeeded"
    acme.complete(run, {"wish": "refund"})
    open_run(page, run.goal)
    expect(page.locator("#book .cover")).to_contain_text("Succeeded")
    expect(page.locator("#book .history")).to_contain_text("Ann Okafor")


def test_a_call_that_was_begun_by_mistake_is_handed_back_without_its_form(acme: Company, sign_in: SignIn) -> None:
    effect = call(acme, order="1045")
    page = sign_in("ann", then=f"/tasks/{effect.pk}", width=390)
    card = page.locator("#card")
    card.get_by_role("button", name="Begin").click()
    card.get_by_role("button", name=re.compile("Give it back")).click()
    expect(card.locator("[data-receipt]")).to_contain_text("You gave it back")
    expect(card.get_by_role("button", name="Begin")).to_be_visible()
    assert acme.stored(effect).state == "ready"
