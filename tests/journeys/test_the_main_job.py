"""The main job: an agent asks, a person reads and decides, a worker does it once, and the run tells the story."""

import re

import pytest
from playwright.sync_api import Page, expect

from runs.effect_keys import effect_key
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage
from tests.processes import until

pytestmark = pytest.mark.journey


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_approve_one_deny_one_read_the_finished_run(stage: Stage, sign_in: SignIn, scripts: bool) -> None:
    acme = stage.acme
    case = acme.run(f"Make order {2042 + scripts} right")
    acme.propose(case, "lookup", order=str(2042 + scripts))
    refund = acme.propose(case, order=str(2042 + scripts), amount="64.50", reason="The parcel was lost on the way.")
    dispute = acme.run("Close the dispute about the desk lamp")
    refused = acme.propose(dispute, order="2050", amount="54.50", reason="The customer insists.")

    page = sign_in("ann", scripts=scripts)
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    page.get_by_role("link", name=refund.summary).click()
    card = page.locator("#card")
    expect(card.get_by_role("heading", name=refund.summary)).to_be_visible()
    expect(card).to_contain_text("The parcel was lost on the way.")
    expect(card).to_contain_text("64.5")
    card.get_by_role("button", name=re.compile("Approve")).click()
    expect(card.locator("[data-receipt]")).to_contain_text("Recorded.")

    page.get_by_role("link", name=refused.summary).first.click()
    expect(card.get_by_role("heading", name=refused.summary)).to_be_visible()
    card.get_by_label(re.compile("Reason")).fill("Paid back in October already.")
    card.get_by_role("button", name=re.compile("Deny")).click()
    expect(card.locator("[data-receipt]")).to_contain_text("It will not be done")

    assert until(lambda: acme.stored(refund).state == "succeeded" and acme.stored(refused).state == "denied")
    done = [entry for entry in stage.entries() if entry["key"] == effect_key(refund.pk)]
    assert len(done) == 1, done
    assert not [entry for entry in stage.entries() if entry["key"] == effect_key(refused.pk)]
    acme.complete(case, {"refunded": "64.50"})

    page.get_by_role("link", name=re.compile("^Runs")).click()
    page.get_by_role("link", name=case.goal).click()
    read_the_story(page, refund.summary)


def read_the_story(page: Page, summary: str) -> None:
    """Read what the record says of the run."""
    book = page.locator("#book")
    expect(book.get_by_role("heading", name="Make order")).to_be_visible()
    expect(book.locator(".cover")).to_contain_text("Succeeded")
    expect(book.locator(".cover")).to_contain_text("Chain intact")
    history = book.locator(".history")
    for line in (
        "Opened the run.", f"Proposed effect 2, “{summary}”; the policy asks people.", "Asked finance to decide about effect 2.",
        "Approved effect 2.", "The permission was used, for effect 2 alone.", "effect 2 succeeded", "Completed the run.",
    ):  # fmt: skip
        expect(history).to_contain_text(line)
    expect(history).to_contain_text("Ann Okafor")
