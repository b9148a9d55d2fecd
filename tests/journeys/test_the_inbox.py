"""The inbox in a real browser: by keys alone, with nothing moving under the pointer, and whole however long a text is (APR-17)."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from runs.models import Effect
from tests.cast import signed_in
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage

pytestmark = pytest.mark.journey


@pytest.fixture
def three(stage: Stage) -> Iterator[list[Effect]]:
    """Three refunds of three runs; whatever becomes of them, they do not wait afterwards."""
    acme = stage.acme
    made = [acme.propose(acme.run(f"Case {number}"), order=f"70{number}", amount="61.00") for number in range(3)]
    yield made
    for effect in made:
        if acme.request(effect).state == "pending":
            acme.deny("amir", effect)


def row(page: Page, effect: Effect) -> str:
    """Name the row of a request."""
    return f"#row-{effect.request_id}"


def focused(page: Page) -> str:
    """Name the row in which the focus is."""
    return str(page.evaluate("document.activeElement.closest('[data-row]')?.id ?? ''"))


def test_by_keys_alone(stage: Stage, sign_in: SignIn, three: list[Effect]) -> None:
    page = sign_in("ann", then="/approvals?sort=created")
    _, second, third = (f"row-{effect.request_id}" for effect in three)
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page) == third
    page.keyboard.press("ArrowUp")
    assert focused(page) == second
    page.keyboard.press("x")
    expect(page.locator("#picked")).to_have_text("1 selected")
    page.keyboard.press("a")  # another card is open: what is approved is what is seen, so this only opens it
    page.wait_for_url(f"**/approvals/{three[1].request_id}*")
    assert stage.acme.request(three[1]).state == "pending"
    page.keyboard.press("d")
    expect(page.get_by_label(re.compile("^Reason"))).to_be_focused()
    page.keyboard.type("Not this one.")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")
    expect(page.locator("#announced")).to_contain_text("Recorded.")
    expect(page.locator("[data-next]")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: str(three[1].request_id) not in url)


def test_a_key_that_is_held_down_and_an_open_dialogue_do_nothing(
    stage: Stage, sign_in: SignIn, three: list[Effect]
) -> None:
    page = sign_in("ann", then=f"/approvals/{three[0].request_id}")
    page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', repeat: true, bubbles: true}))")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert stage.acme.request(three[0]).state == "pending"


def test_control_and_enter_send_what_is_written(stage: Stage, sign_in: SignIn, three: list[Effect]) -> None:
    page = sign_in("ann", then=f"/approvals/{three[0].request_id}")
    page.get_by_label(re.compile("^Reason")).fill("As agreed.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")
    assert stage.acme.request(three[0]).state in {"approved", "consumed"}


def test_a_key_alone_never_approves_the_high_tier(stage: Stage, sign_in: SignIn) -> None:
    high = stage.acme.propose(stage.acme.run("Invoice", run_type="close-invoice"), "transfer", invoice="R-701")
    page = sign_in("ann", then=f"/approvals/{high.request_id}")
    page.keyboard.press("a")
    expect(page.get_by_label(re.compile("I have read"))).to_be_focused()
    expect(page.locator("#announced")).to_contain_text("A key alone does not approve this.")
    page.keyboard.press("a")
    assert stage.acme.request(high).state == "pending"
    page.keyboard.press("Space")
    page.keyboard.press("a")
    expect(page.locator("#card").get_by_role("button", name=re.compile("Approve"))).to_be_focused()
    assert stage.acme.request(high).state == "pending"
    page.keyboard.press("Enter")
    expect(page.locator("[data-receipt]")).to_contain_text("Recorded.")


def test_single_keys_are_turned_off_for_a_member(stage: Stage, sign_in: SignIn, three: list[Effect]) -> None:
    page = sign_in("ann", then="/account")
    page.get_by_role("button", name="Turn single keys off").click()
    expect(page.get_by_role("button", name="Turn single keys on")).to_be_visible()
    page.goto(f"{stage.url}/approvals/{three[0].request_id}")
    page.keyboard.press("a")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert stage.acme.request(three[0]).state == "pending"
    page.goto(f"{stage.url}/account")
    page.get_by_role("button", name="Turn single keys on").click()


def test_nothing_moves_under_the_pointer_and_what_was_decided_turns_grey_where_it_is(
    stage: Stage, sign_in: SignIn, three: list[Effect]
) -> None:
    acme = stage.acme
    page = sign_in("ann", then="/approvals?sort=created")
    page.locator(row(page, three[0])).hover()
    order = page.locator(".slip").evaluate_all("rows => rows.map(row => row.id)")
    acme.deny("amir", three[1], "Paid already.")
    newer = acme.propose(acme.run("News"), order="709", amount="62.00")
    expect(page.locator("#news button")).to_have_text(re.compile("^1 new"))
    expect(page.locator(row(page, three[1]))).to_have_class(re.compile("decided"))
    expect(page.locator(row(page, three[1]))).to_contain_text("Amir Saleh")
    assert page.locator(".slip").evaluate_all("rows => rows.map(row => row.id)") == order
    page.locator("#news button").click()
    expect(page.locator(row(page, newer))).to_be_visible()
    acme.deny("amir", newer)


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_several_are_decided_together(stage: Stage, sign_in: SignIn, three: list[Effect], scripts: bool) -> None:
    page = sign_in("ann", then="/approvals?sort=created", scripts=scripts)
    for effect in three[:2]:
        page.locator(f"{row(page, effect)} input[type=checkbox]").check(force=True)
    page.get_by_role("button", name="Look at them together").click()
    stage.acme.deny("amir", three[0], "Paid already.")
    page.get_by_role("button", name="Approve these 2").click()
    expect(page.get_by_text("1 of 2")).to_be_visible()
    expect(page.get_by_text("This was already decided.")).to_be_visible()
    assert stage.acme.request(three[1]).state in {"approved", "consumed"}


@pytest.mark.parametrize("width", [1280, 375])
def test_the_end_of_a_long_text_is_in_the_page_and_within_reach(
    stage: Stage, sign_in: SignIn, width: int
) -> None:  # APR-17
    acme = stage.acme
    effect = acme.propose(acme.run("w" * 200), order="7" + "0" * 60, amount="64.00", reason="x" * 1980 + "DELETE-ALL")
    page = sign_in("ann", width=width, then=f"/approvals/{effect.request_id}")
    end = page.locator(".claim blockquote")
    expect(end).to_contain_text("DELETE-ALL")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box, inside = end.bounding_box(), page.locator("#card").bounding_box()
    assert box is not None
    assert inside is not None
    assert inside["x"] <= box["x"]
    assert box["x"] + box["width"] <= inside["x"] + inside["width"]
    assert end.evaluate(
        "one => one.scrollHeight <= one.clientHeight + 1 && getComputedStyle(one).overflow === 'visible'"
    )
    acme.deny("amir", effect)
    assert signed_in(acme.ann).get("/approvals").status_code == 200
