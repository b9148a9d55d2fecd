"""The page of the API's description: drawn under the strict policy, from this server alone, light and dark, and of use without scripts."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.desk import described, key_for
from tests.journeys.conftest import PATIENCE_MS
from tests.journeys.stage import Stage

pytestmark = pytest.mark.journey
WHERE = "/api/v1/docs"


@dataclass
class Reader:
    """Somebody with a browser, which tells what it asked for and what went wrong."""

    page: Page
    url: str
    asked: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def reading(chromium: Browser, stage: Stage, *, scripts: bool = True, scheme: str = "light") -> Reader:
    """Open the page."""
    context = chromium.new_context(java_script_enabled=scripts, color_scheme="dark" if scheme == "dark" else "light")
    reader = Reader(context.new_page(), stage.url)
    reader.page.set_default_timeout(PATIENCE_MS)
    reader.page.on("request", lambda request: reader.asked.append(request.url))
    reader.page.on("pageerror", lambda error: reader.faults.append(str(error)))
    reader.page.on(
        "console", lambda said: reader.faults.append(said.text) if said.type in {"error", "warning"} else None
    )
    answer = reader.page.goto(stage.url + WHERE)
    assert answer is not None
    assert answer.status == 200
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    return reader


@pytest.fixture
def reader(chromium: Browser, stage: Stage) -> Iterator[Reader]:
    """A reader; whatever they did, nothing came from another host and nothing was blocked."""
    opened = reading(chromium, stage)
    yield opened
    assert [url for url in opened.asked if not url.startswith((stage.url, "data:"))] == []
    assert opened.faults == []
    opened.page.context.close()


def test_every_operation_is_drawn(reader: Reader) -> None:
    operations = [operation for item in described()["paths"].values() for operation in item.values()]
    expect(reader.page.locator(".opblock")).to_have_count(len(operations))
    for operation in operations:
        expect(reader.page.locator(".swagger-ui").get_by_text(operation["summary"], exact=True).first).to_be_visible()


def test_a_key_is_tried_out_and_kept_nowhere(reader: Reader, stage: Stage) -> None:
    page = reader.page
    page.get_by_role("button", name="Authorize").click()
    page.locator("#auth-bearer-value, .auth-container input").first.fill(key_for(stage.acme))
    page.locator(".auth-btn-wrapper").get_by_role("button", name="Apply credentials").first.click()
    page.locator(".auth-btn-wrapper").get_by_role("button", name="Close").first.click()
    listed = page.locator("#operations-runs-list_runs")
    listed.locator(".opblock-summary-control").click()
    listed.get_by_role("button", name="Try it out").click()
    listed.get_by_role("button", name="Execute").click()
    expect(listed.locator(".live-responses-table .response-col_status").nth(1)).to_contain_text("200")
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]


def test_it_is_dark_where_the_reader_has_it_dark(chromium: Browser, stage: Stage) -> None:
    shades = []
    for scheme in ("light", "dark"):
        reader = reading(chromium, stage, scheme=scheme)
        expect(reader.page.locator(".opblock").first).to_be_visible()
        colours = reader.page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, "
            "getComputedStyle(document.querySelector('.opblock-summary-description')).color]"
        )
        shades.append([sum(int(part) for part in colour.strip("rgba()").split(",")[:3]) for colour in colours])
        reader.page.context.close()
    (light_ground, light_ink), (dark_ground, dark_ink) = shades
    assert light_ground > light_ink
    assert dark_ground < dark_ink


def test_without_scripts_it_says_where_to_read(chromium: Browser, stage: Stage) -> None:
    reader = reading(chromium, stage, scripts=False)
    page = reader.page
    expect(page.get_by_role("heading", name="REST API")).to_be_visible()
    expect(page.locator("main code").first).to_have_text("docs/api.md")  # text inside noscript is not looked for
    for link in page.locator("main a").all():
        address = link.get_attribute("href")
        assert address is not None
        assert page.request.get(stage.url + address).status == 200
    page.context.close()
