"""The bank pays and drops the connection, and cannot be asked: people find out, with evidence, and the run completes (UNK-02, UNK-07)."""

import http.client
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from console.database import crossing_tenants
from console.documents import load
from console.env import BASE_DIR
from console.identity import administration
from console.identity.models import User
from runs.effect_keys import effect_key
from tests.cast import Company, hashed, put_in_force
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage
from tests.processes import until

pytestmark = pytest.mark.journey
BOTH = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
SEEN = "The bank's own statement shows this refund once, at the time of the call."


@pytest.fixture(scope="module")
def acme(stage: Stage) -> Company:
    """The company, with two operators, and with a refund that cannot be asked about."""
    with crossing_tenants():
        user = User.objects.create(email="olga@acme.example", name="Olga Brandt", password=hashed())
        administration.add_member(stage.acme.by, user, ["operator"], [])
    put_in_force(stage.acme.by, load(without_status_query(stage.bank)))
    return stage.acme


def without_status_query(bank: str) -> str:
    """Give a later version of the refund's contract, whose unknown outcomes only a person resolves."""
    text = (BASE_DIR / "examples" / "contracts" / "refund.yaml").read_text(encoding="utf-8").partition("\n---\n")[0]
    text = re.sub(r"\n  status:\n(?:    .*\n)+", "\n", text)
    text = re.sub(r"\n    - [^\n]*outcome: accepted[^\n]*", "", text)
    text = re.sub(r"\nversion: \d+\n", "\nversion: 99\n", text, count=1).replace("resolve: status", "resolve: person")
    text = text.replace("second_person: false", "second_person: true")
    return text.replace("http://127.0.0.1:8701", bank)


def commit_and_drop(stage: Stage, order: str) -> None:
    """Have the bank pay the next refund on this order and never answer."""
    connection = http.client.HTTPConnection(stage.bank.removeprefix("http://"), timeout=30)
    rule: dict[str, Any] = {"match": {"path": "/refunds", "field": {"order": order}}, "behave": ["commit_and_drop"]}
    connection.request(
        "POST", "/script", json.dumps({"rules": [rule], "add": True}),
        {"Authorization": f"Bearer {stage.token}", "Content-Type": "application/json"},
    )  # fmt: skip
    answer = connection.getresponse()
    assert answer.status < 300, answer.read()


def find_in_queue(page: Page, summary: str) -> Any:
    """Go to the queue by its place, and give the row of an effect."""
    page.get_by_role("link", name=re.compile("^Unknown")).click()
    row = page.locator("li.row", has_text=summary)
    expect(row).to_be_visible()
    return row


@BOTH
def test_it_is_claimed_found_out_confirmed_and_the_run_completes(
    stage: Stage, acme: Company, sign_in: SignIn, scripts: bool
) -> None:
    order, amount = ("4101", "41.00") if scripts else ("4102", "42.00")
    commit_and_drop(stage, order)
    run = acme.run(f"Make order {order} right")
    effect = acme.propose(run, order=order, amount=amount)
    assert until(lambda: acme.stored(effect).state == "unknown"), acme.stored(effect).state

    oscar = sign_in("oscar", scripts=scripts)
    expect(oscar.locator("main")).to_contain_text(effect.summary)
    expect(oscar.locator("main")).not_to_contain_text("Nothing needs you")
    row = find_in_queue(oscar, effect.summary)
    expect(row).to_contain_text("a person finds out")
    row.get_by_role("button", name=re.compile("^Claim")).click()
    expect(oscar.locator("li.row", has_text=effect.summary)).to_contain_text("You")
    oscar.get_by_role("link", name=effect.summary).click()
    expect(oscar.get_by_role("heading", name="What we do not know")).to_be_visible()
    expect(oscar.locator("main")).not_to_contain_text("failed, try again")
    expect(oscar.get_by_role("button", name="Ask now")).to_have_count(0)

    oscar.get_by_role("button", name="Write it down").click()
    expect(oscar.locator("#way-error")).to_be_visible()
    oscar.get_by_role("radio", name=re.compile("^It happened(?!,)")).check()
    oscar.locator("#blank-refund").fill("rf_journey")
    oscar.get_by_label("How it is known").fill(SEEN)
    oscar.get_by_role("button", name="Write it down").click()
    expect(oscar.locator("[data-receipt]")).to_contain_text("waits for a second person")
    expect(oscar.get_by_role("button", name=re.compile("^Confirm"))).to_have_count(0)
    assert acme.stored(effect).state == "unknown"

    olga = sign_in("olga", scripts=scripts)
    expect(olga.get_by_role("heading", name=re.compile("Findings that wait for you"))).to_be_visible()
    olga.get_by_role("link", name=effect.summary).first.click()
    expect(olga.locator("#waiting")).to_contain_text(SEEN)
    olga.get_by_role("button", name="Confirm: it happened").click()
    expect(olga.locator("[data-receipt]")).to_contain_text("It counts as done")
    assert acme.stored(effect).state == "succeeded"
    assert sum(entry["key"] == effect_key(effect.pk) for entry in stage.entries()) == 1, "the bank paid once"

    acme.complete(run, {"refund": "rf_journey"})
    olga.goto(f"{stage.url}/runs/{run.pk}")
    book = olga.locator("#book")
    expect(book.locator(".cover")).to_contain_text("Succeeded")
    expect(book).to_contain_text("Oscar Wren found: It happened")
