"""A run with three effects is cancelled; one of what makes good is refused, taken up the ladder, and resolved by hand with evidence and a
second person; the run ends with what remains named (R-J1, R-J2, CMP-01)."""

import http.client
import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import expect

from compensation.models import WorkItem
from console.database import crossing_tenants
from console.documents import load
from console.env import BASE_DIR
from console.identity import administration
from console.identity.models import User
from runs import intake
from runs.drafts import EffectDraft
from runs.models import Effect, Run
from tests.cast import Company, hashed, inside, put_in_force
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage
from tests.processes import until

pytestmark = pytest.mark.journey
BOTH = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
PATIENCE = 90
CLOSED = "The account is closed."
SEEN = "Paid by hand at the counter; the slip has the number 4711."
LEFT = "The slip of the counter stays in the books."


@pytest.fixture(scope="module")
def acme(stage: Stage) -> Company:
    """The company, with two operators, and what it sells."""
    with crossing_tenants():
        user = User.objects.create(email="olga@acme.example", name="Olga Brandt", password=hashed())
        administration.add_member(stage.acme.by, user, ["operator"], [])
    text = (BASE_DIR / "examples" / "contracts" / "sale.yaml").read_text(encoding="utf-8")
    put_in_force(stage.acme.by, load(text))
    return stage.acme


def sold(acme: Company, of: str) -> Run:
    """Have something sold to an account, and all three effects of it done."""
    run = acme.run(f"Sell something to {of}", run_type="sale")
    money = {"account": of, "amount": "60.00"}
    steps = {"reserve": money, "charge": money, "tell": {"account": of, "text": "Your parcel is on its way."}}
    drafts = [EffectDraft(name, name, dict(said)) for name, said in steps.items()]
    intake.propose(acme.bot, run.pk, drafts, epoch=run.epoch)
    assert until(lambda: states(run.pk) == ["succeeded"] * 3, PATIENCE), states(run.pk)
    return run


def states(run: UUID) -> list[str]:
    with inside():
        return list(Effect.objects.filter(run=run).order_by("number").values_list("state", flat=True))


def refuse_to_pay_back(stage: Stage, run: Run) -> None:
    """Have the bank refuse to pay back what this run charged."""
    with inside():
        charge = Effect.objects.get(run=run, key="charge")
    made: Any = json.loads(charge.result or "{}")
    rule = {
        "match": {"path": f"/charges/{made['charge']}/refund"}, "behave": [{"do": "reject", "reason": CLOSED}], "then": "last",
    }  # fmt: skip
    connection = http.client.HTTPConnection(stage.bank.removeprefix("http://"), timeout=30)
    headers = {"Authorization": f"Bearer {stage.token}", "Content-Type": "application/json"}
    connection.request("POST", "/script", json.dumps({"rules": [rule], "add": True}), headers)
    assert connection.getresponse().status < 300


def paying_back(run: Run) -> WorkItem | None:
    """Read the work item that pays back, once there is one."""
    with inside():
        return WorkItem.objects.filter(run=run, operation="pay_back").first()


def comes_to(run: Run, state: str, level: int) -> bool:
    """Wait until paying back stands like this."""
    return until(
        lambda: (item := paying_back(run)) is not None and (item.state, item.level) == (state, level), PATIENCE
    )


@BOTH
def test_one_of_three_fails_and_is_made_good_for_by_hand(
    stage: Stage, acme: Company, sign_in: SignIn, scripts: bool, tmp_path: Path
) -> None:
    of = "ana" if scripts else "bashir"
    run = sold(acme, of)
    refuse_to_pay_back(stage, run)

    oscar = sign_in("oscar", scripts=scripts)
    oscar.goto(f"{stage.url}/runs/{run.pk}")
    oscar.get_by_role("link", name="Cancel this run").click()
    oscar.locator("#cancel-reason").fill("The customer does not want it any more.")
    oscar.locator("form:has(#cancel-reason) button[type=submit]").click()
    assert comes_to(run, "escalated", 1), states(run.pk)

    oscar.get_by_role("link", name=re.compile("^Compensation")).first.click()
    expect(oscar.locator("main")).to_contain_text("Pay back 60.00 EUR")
    oscar.get_by_role("link", name=re.compile("Pay back 60.00 EUR of charge .*")).first.click()
    main = oscar.locator("main")
    expect(main).to_contain_text(CLOSED)
    expect(oscar.get_by_role("heading", name="From what was meant to what remains")).to_be_visible()
    oscar.get_by_role("button", name=re.compile("^Claim it")).click()

    oscar.locator("#escalating summary").click()
    oscar.locator("#escalate-why").fill("Finance has to pay it by hand.")
    oscar.get_by_role("button", name="Escalate it", exact=True).click()
    assert comes_to(run, "escalated", 2)

    slip = tmp_path / "slip.txt"
    slip.write_text("Paid 60.00 EUR in cash. 4711.\n", encoding="utf-8")
    oscar.locator("#resolving summary").click()
    oscar.locator("#evidence").fill(SEEN)
    oscar.locator("#files").set_input_files(slip)
    oscar.locator("#resolve-left").fill(LEFT)
    oscar.get_by_role("button", name="It was made good for by hand", exact=True).click()
    expect(main).to_contain_text("second person")
    assert acme.stored(run).state == "closing"

    olga = sign_in("olga", scripts=scripts, then=oscar.url.removeprefix(stage.url).partition("?")[0].partition("#")[0])
    expect(olga.locator("#waiting")).to_contain_text(SEEN)
    expect(olga.locator("main")).to_contain_text("slip.txt")
    olga.get_by_role("button", name=re.compile("^Confirm")).click()
    assert until(lambda: acme.stored(run).state == "cancelled", PATIENCE), states(run.pk)

    olga.goto(f"{stage.url}/runs/{run.pk}")
    expect(olga.locator("main")).to_contain_text(LEFT)
    assert LEFT in acme.stored(run).residue
    assert balance(stage, of) == {"reserved": "0.00", "paid": "60.00", "notices_standing": 0}


def balance(stage: Stage, of: str) -> dict[str, Any]:
    """Ask the bank what is left of an account."""
    connection = http.client.HTTPConnection(stage.bank.removeprefix("http://"), timeout=30)
    connection.request("GET", f"/accounts/{of}", headers={"Authorization": f"Bearer {stage.token}"})
    told = json.loads(connection.getresponse().read())
    return {name: told[name] for name in ("reserved", "paid", "notices_standing")}
