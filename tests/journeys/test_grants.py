"""A standing approval in a browser: asked for from a card without JavaScript, confirmed on a phone, and read by axe in each state."""

import pytest
from playwright.sync_api import Browser, Page

from console.documents import load
from tests.cast import PASSWORD, put_in_force
from tests.journeys.conftest import PATIENCE_MS, SignIn
from tests.journeys.stage import Stage
from tests.journeys.test_axe import violations
from tests.pages.test_views_grants import POLICY, proposed, standing

pytestmark = pytest.mark.journey
WIDTHS = (1280, 375)


@pytest.fixture(scope="module", autouse=True)
def policy(stage: Stage) -> None:
    """Let standing approvals stand in for what is asked about refunds."""
    put_in_force(stage.acme.by, load(POLICY))


def test_from_a_card_to_a_standing_approval_without_javascript(stage: Stage, sign_in: SignIn) -> None:
    effect = stage.acme.propose(stage.acme.run())
    ann = sign_in("ann", scripts=False, then=f"/approvals/{effect.request_id}")
    ann.get_by_role("link", name="Stand for the next ones like this").click()
    ann.get_by_label("What it is for").fill("Refunds of the summer sale")
    ann.get_by_role("button", name="Show what it would allow").click()
    ann.get_by_text("without asking finance, 10 times in all").wait_for()
    ann.get_by_role("button", name="Propose exactly this").click()
    ann.get_by_text("Somebody else of finance confirms it.").wait_for()
    amir = sign_in("amir", scripts=False, width=375, then=ann.url.removeprefix(stage.url).partition("?")[0])
    amir.get_by_role("button", name="Confirm it").click()
    amir.get_by_text("Confirmed; it is in force").wait_for()
    assert stage.acme.propose(stage.acme.run(), order="2077").grant_id is not None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say(stage: Stage, chromium: Browser, scheme: str) -> None:
    waits, stands = proposed(stage.acme), standing(stage.acme)
    typed = (
        "operation=refund&target_pattern=order:*&uses_most=5&amount_path=amount&amount_most=100&lasts_hours=5&purpose=x"
    )
    addresses = (
        "/grants",
        f"/grants/{waits.pk}",
        f"/grants/{stands.pk}",
        f"/grants/new?{typed}&agent={stage.acme.agent.pk}",
    )
    context = chromium.new_context(bypass_csp=True, color_scheme="dark" if scheme == "dark" else "light")
    page = _signed_in(stage, context.new_page())
    said: dict[str, list[str]] = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for address in addresses:
            page.goto(stage.url + address)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            if found := violations(page):
                said[address] = found
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
    context.close()
    assert said == {}


def _signed_in(stage: Stage, page: Page) -> Page:
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{stage.url}/accounts/login/")
    page.get_by_label("E-mail").fill("amir@acme.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{stage.url}/")
    return page
