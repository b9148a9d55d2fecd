"""A passkey from its making to a decision of the high tier, with an authenticator that presses its button itself (point 6)."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Browser, CDPSession, Page, expect

from console.documents import load
from tests.cast import PASSWORD, inside, later, put_in_force
from tests.journeys.conftest import PATIENCE_MS
from tests.journeys.stage import Stage
from tests.record import findings

pytestmark = pytest.mark.journey
POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: 2
operations: ["*"]
rules:
  - name: transfers
    when: {path: operation, op: eq, value: transfer}
    then: ask
    ask: {groups: [finance], decide_within_seconds: 14400, use_within_seconds: 3600, step_up: {within_seconds: 300}}
otherwise: deny
"""
KEY: dict[str, Any] = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
    "automaticPresenceSimulation": True,
}  # fmt: skip


class Desk:
    """A browser with an authenticator, on the name that passkeys work for: a number is no name, so it is localhost."""

    def __init__(self, stage: Stage, page: Page, tools: CDPSession) -> None:
        self.url, self.page, self.tools = stage.url.replace("127.0.0.1", "localhost"), page, tools
        tools.send("WebAuthn.enable")
        self.authenticator = tools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})["authenticatorId"]

    def uses(self) -> int:
        """Tell how often its keys have signed."""
        found = self.tools.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})["credentials"]
        return sum(each["signCount"] for each in found)

    def sign_in(self, name: str, then: str = "/") -> None:
        """Send e-mail and password."""
        self.page.goto(f"{self.url}/accounts/login/?next={then}")
        self.page.get_by_label("E-mail").fill(f"{name}@acme.example")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()

    def add_passkey(self, name: str) -> None:
        """Make one, named so, as somebody who has no second factor yet."""
        self.page.goto(f"{self.url}/accounts/security/")
        self.page.get_by_role("link", name="Add a passkey").click()
        self.page.get_by_label("Password").fill(PASSWORD)  # who you are is asked first, however lately you came in
        self.page.get_by_role("button", name="Confirm").click()
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_role("button", name="Add it").click()
        expect(self.page.get_by_role("heading", name="Recovery codes")).to_be_visible()


@pytest.fixture
def desk(stage: Stage, chromium: Browser) -> Iterator[Desk]:
    """A browser of its own; any fault that a page reports fails the test."""
    faults: list[str] = []
    context = chromium.new_context(viewport={"width": 375, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    yield Desk(stage, page, context.new_cdp_session(page))
    context.close()
    assert faults == []


def passkeys(stage: Stage, name: str) -> int:
    """Count somebody's passkeys."""
    with inside():
        return Authenticator.objects.filter(user=stage.acme.members[name].user, type="webauthn").count()


def test_a_passkey_is_made_signs_in_and_proves_who_decides_the_high_tier(stage: Stage, desk: Desk) -> None:
    put_in_force(stage.acme.by, load(POLICY))
    page, acme = desk.page, stage.acme
    desk.sign_in("ann")
    page.wait_for_url(f"{desk.url}/")
    desk.add_passkey("Ann's phone")
    page.get_by_role("link", name="Security").click()
    expect(page.get_by_role("link", name="Remove Ann's phone")).to_be_visible()
    assert passkeys(stage, "ann") == 1

    page.context.clear_cookies()
    desk.sign_in("ann")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{desk.url}/")
    assert desk.uses() == 2  # made, and used once

    transfer = acme.propose(acme.run(run_type="close-invoice"), "transfer")
    with later(minutes=10):  # by now that was too long ago
        page.goto(f"{desk.url}/approvals/{transfer.request_id}")
        decide = page.locator("#decide")
        decide.get_by_role("checkbox", name="I have read what will be").check()
        decide.get_by_label("Reason").fill("Checked with the landlord.")
        decide.get_by_role("button", name="Approve").click()
        expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
        assert acme.request(transfer).state == "pending"
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(f"{desk.url}/approvals/{transfer.request_id}")
        expect(decide.get_by_label("Reason")).to_have_value("Checked with the landlord.")
        decide.get_by_role("checkbox", name="I have read what will be").check()
        decide.get_by_role("button", name="Approve").click()
        expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")
    assert desk.uses() == 3
    assert acme.request(transfer).state in {"approved", "consumed"}
    assert findings() == []


def test_without_somebody_at_it_a_passkey_proves_nothing_and_the_page_says_so(stage: Stage, desk: Desk) -> None:
    desk.sign_in("amir")
    desk.page.wait_for_url(f"{desk.url}/")
    desk.add_passkey("A key on a ring")
    desk.page.context.clear_cookies()
    desk.tools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": desk.authenticator})
    desk.authenticator = desk.tools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})["authenticatorId"]
    desk.sign_in("amir")
    desk.page.get_by_role("button", name="Use a passkey").click()
    expect(desk.page.get_by_role("alert").filter(has_text="nothing was sent")).to_be_visible()
    expect(desk.page.get_by_role("heading", name="One more step")).to_be_visible()
    desk.page.goto(f"{desk.url}/approvals")  # nobody is in yet
    expect(desk.page.get_by_role("heading", name="One more step")).to_be_visible()


def test_a_passkey_that_was_removed_lets_nobody_in_and_the_password_alone_does_again(stage: Stage, desk: Desk) -> None:
    desk.sign_in("sam")
    desk.page.wait_for_url(f"{desk.url}/")
    desk.add_passkey("Sam's key")
    desk.page.goto(f"{desk.url}/accounts/security/")
    desk.page.get_by_role("link", name="Remove Sam's key").click()
    desk.page.get_by_role("button", name="Remove it").click()
    expect(desk.page.get_by_text("Not set up")).to_be_visible()
    assert passkeys(stage, "sam") == 0
    desk.page.context.clear_cookies()
    desk.sign_in("sam")
    desk.page.wait_for_url(f"{desk.url}/")
