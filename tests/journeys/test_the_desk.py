"""The desk of compensation in a real browser: by keys alone, claimed in the row, with nothing moving under the pointer."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from compensation.deeds import manual
from tests.compensation.undoing import key
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage

pytestmark = pytest.mark.journey


def added(stage: Stage, summary: str, hours: int) -> str:
    """Have a work item that somebody added by hand; gives its id."""
    run, by = stage.acme.run("A day at the sea"), stage.acme.actor("dora")
    wanted: dict[str, Any] = {"summary": summary, "deadline_seconds": hours * 3600, "reason": "It rained."}
    return str(manual.add_manual(by, run.pk, **wanted, key=key())["item"])


def focused(page: Page) -> str:
    """Name the row in which the focus is."""
    return str(page.evaluate("document.activeElement.closest('[data-row]')?.id ?? ''"))


def test_it_is_worked_through_by_keys_and_stands_still_while_somebody_is_in_it(stage: Stage, sign_in: SignIn) -> None:
    first, second = added(stage, "Call the hotel", 1), added(stage, "Call the railway", 2)
    page = sign_in("oscar", then="/compensation")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page) == f"row-{second}"
    page.locator(f"#row-{second}").get_by_role("button", name="Claim").click()
    expect(page.locator(f"#row-{second} .holder")).to_contain_text("You")
    expect(page.locator("#announced")).to_contain_text("It has an owner now.")
    page.locator(f"#row-{first}").hover()
    third = added(stage, "Call the ferry", 3)
    expect(page.locator("#live")).to_contain_text("Updates wait while you")
    assert page.locator(f"#row-{third}").count() == 0, "nothing comes in under the pointer"
    page.mouse.move(2, 2)
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    expect(page.locator(f"#row-{third}")).to_be_visible()
    page.keyboard.press("j")
    assert focused(page) == f"row-{first}"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/compensation/{first}")
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/compensation")
