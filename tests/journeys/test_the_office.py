"""What an administrator does, on the running product: with JavaScript and without, on a wide screen and on a phone."""

import http.client
import json

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage

pytestmark = pytest.mark.journey
WIDTHS = (1280, 390, 320)


@pytest.fixture(params=[True, False], ids=["with-scripts", "without-scripts"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the browser runs JavaScript."""
    return bool(request.param)


def let_in(stage: Stage, key: str) -> int:
    """Come in by the API with a key."""
    connection = http.client.HTTPConnection(stage.url.removeprefix("http://"), timeout=30)
    connection.request("GET", "/api/v1/runs", headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    json.loads(answer.read())
    return answer.status


def test_a_key_is_issued_used_and_ended_by_a_stop(stage: Stage, sign_in: SignIn, scripts: bool) -> None:
    page = sign_in("dora", scripts=scripts, then="/agents")
    page.get_by_role("link", name="refund-bot").click()
    page.get_by_text("Issue a key", exact=True).click()
    page.get_by_role("button", name="Issue a key for refund-bot").click()
    key = page.locator(".secret-text").inner_text()
    assert let_in(stage, key) == 200
    page.goto(page.url.removesuffix("/keys"))
    assert key not in page.content()
    page.get_by_label("Reason").fill("It asks for the same refund again and again.")
    page.get_by_role("button", name="Stop refund-bot").click()
    expect(page.get_by_role("status").filter(has_text="Stopped")).to_be_visible()
    assert let_in(stage, key) == 401
    page.get_by_role("button", name="Start refund-bot again").click()
    expect(page.get_by_role("status").filter(has_text="Started again")).to_be_visible()
    assert let_in(stage, key) == 200
    page.get_by_role("button", name=f"Revoke the key that begins with {key[:10]}").click()
    expect(page.get_by_text("Revoked").first).to_be_visible()
    assert let_in(stage, key) == 401


def test_a_person_is_given_a_group_and_decides_for_it(stage: Stage, sign_in: SignIn, scripts: bool) -> None:
    page = sign_in("dora", scripts=scripts, then="/people")
    page.get_by_role("link", name="Oscar Wren").click()
    page.get_by_role("checkbox", name="approver").check()
    page.get_by_label("Approver groups").fill("finance, support")
    page.get_by_role("button", name="Record this").click()
    expect(page.get_by_role("status").filter(has_text="Recorded")).to_be_visible()
    expect(page.get_by_text("Decides for finance and support.")).to_be_visible()
    page.get_by_role("checkbox", name="approver").uncheck()
    page.get_by_label("Approver groups").fill("")
    page.get_by_role("button", name="Record this").click()
    expect(page.get_by_text("Decides nothing.")).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_of_the_office_is_wider_than_the_screen(stage: Stage, sign_in: SignIn, width: int) -> None:
    page = sign_in("dora", width=width)
    agent, ann = stage.acme.agent.pk, stage.acme.ann.pk
    for address in (
        "/contracts", "/contracts?kind=policy", "/contracts/operation/transfer", "/contracts/policy/money", "/contracts/dependency/bank",
        "/contracts/run-type/customer-case", "/agents", f"/agents/{agent}", "/people", f"/people/{ann}", "/accounts/password/", "/nowhere",
    ):  # fmt: skip
        page.goto(stage.url + address)
        shut = page.locator("details:not([open]) > summary:visible")
        while shut.count():  # one that was opened is none of them any more
            shut.first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        # every place and every office is within reach of a thumb
        if address != "/nowhere" and not address.startswith("/accounts"):
            for name in ("Home", "Approvals", "Runs", "Contracts", "Agents", "People"):
                expect(page.get_by_role("link", name=name, exact=False).first).to_be_visible()
