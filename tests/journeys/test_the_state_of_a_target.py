"""A credit depends on the order as it stands: the card shows it, keeps it fresh by itself, and what is approved is read once more."""

import re

import pytest
from playwright.sync_api import expect

from console.documents import load
from console.env import BASE_DIR
from runs import intake
from runs.drafts import EffectDraft
from runs.models import Effect
from tests.cast import put_in_force
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage
from tests.processes import until

pytestmark = pytest.mark.journey


def credit(stage: Stage) -> Effect:
    """Have a credit asked, by a contract whose readings are good for a few seconds."""
    text = (BASE_DIR / "examples" / "contracts" / "credit.yaml").read_text(encoding="utf-8")
    put_in_force(stage.acme.by, load(text.replace("max_age_seconds: 120", "max_age_seconds: 15")))
    run = stage.acme.run("Make up for it", run_type="goodwill")
    arguments = {"order": "3009", "amount": "15.00", "currency": "EUR"}
    draft = EffectDraft("credit", "credit", arguments, reason="It came two weeks late.")
    made: Effect = stage.acme.read(
        Effect, intake.propose(stage.acme.bot, run.pk, [draft], epoch=run.epoch)[0].effect_id
    )
    return made


def test_the_card_keeps_the_state_fresh_and_what_was_seen_is_drawn_again(stage: Stage, sign_in: SignIn) -> None:
    made = credit(stage)
    page = sign_in("ann", then=f"/approvals/{made.request_id}", width=390)
    known = page.locator("#card-target")
    expect(known).to_contain_text(re.compile(r"Version \S+ of order:3009, read"))
    first = stage.acme.request(made).target_read_at
    assert first is not None
    assert until(lambda: (stage.acme.request(made).target_read_at or first) > first), "the open card had it read again"
    expect(known).not_to_contain_text("longer ago")
    page.locator("#card").get_by_role("button", name=re.compile("Approve")).click()
    expect(page.get_by_text("Recorded.", exact=True)).to_be_visible()
    assert until(lambda: stage.acme.stored(made).state == "succeeded"), stage.acme.stored(made).state
    page.get_by_role("link", name="What they saw").first.click()
    expect(page.get_by_role("heading", name="What Ann Okafor saw")).to_be_visible()
    expect(page.locator("#card-target")).to_contain_text("order:3009")
