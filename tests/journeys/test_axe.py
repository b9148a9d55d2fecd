"""axe finds nothing to say about any main page: light and dark, wide and on a phone (WCAG 2.0, 2.1 and 2.2, A and AA)."""

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from approvals.delegating import giving
from approvals.models import Decision
from tests.cast import PASSWORD, inside
from tests.delegating.handing import terms
from tests.journeys.conftest import PATIENCE_MS
from tests.journeys.stage import Stage
from tests.pages.undone import put

pytestmark = pytest.mark.journey
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
PAGES = (
    "/", "/approvals", "/approvals?whose=others", "/approvals?tier=low", "/approvals?sort=deadline",
    "/approvals/{pending}", "/approvals/{high}",
    "/approvals/{denied}",
    "/approvals/together?request={pending}&request={second}&request={high}", "/approvals/history",
    "/approvals/history?outcome=expired", "/tasks", "/unknown", "/runs", "/runs/{run}", "/runs/{run}/effects/1", "/signals",
    "/cancellations", "/notices", "/callbacks",
    "/notices/endpoints", "/pauses", "/contracts", "/contracts/operation/refund", "/contracts/policy/money", "/failures", "/agents",
    "/agents/{agent}", "/people", "/keys", "/account", "/nothing",
    "/approvals/{counted}", "/approvals/{counted}/seen/{decision}", "/approvals/{counted}/break-glass", "/grants", "/grants/new",
    "/delegations", "/break-glass", "/policies", "/policies/money", "/policies/-/draft", "/notices/settings", "/accounts/security/",
    "/compensation", "/compensation?show=over", "/compensation?show=plans", "/compensation/{item}", "/compensation/plans/{plan}",
    "/compensation/numbers", "/runs/{done}", "/runs/{done}/compensate", "/runs/{done}/work-items/new", "/runs/{run}/resume",
    "/accounts/prove/password/", "/accounts/security/app/", "/accounts/security/passkeys/add/",
)  # fmt: skip
POINTS = [{"text": "Call.", "done_by": None, "done_at": None}]


@pytest.fixture(scope="module")
def places(stage: Stage) -> dict[str, str]:
    """What the addresses name: requests in several states, with text of every kind."""
    acme = stage.acme
    run = acme.run("Settle case 4711")
    long = "Lines\nof text \u202e that p\u0430y " + "w" * 400
    pending = acme.propose(run, order="1", reason=long)
    second = acme.propose(run, order="2")
    high = acme.propose(acme.run("Close the invoice", run_type="close-invoice"), "transfer")
    denied = acme.propose(run, order="3")
    acme.deny("amir", denied, "Paid back already.")
    two = acme.propose(run, order="4", amount="1500")
    acme.approve("amir", two, "Looks right.")
    over = acme.propose(acme.run("What is called off"), amount="20")
    items = put(
        acme, over.run_id,
        {
            "of": over.key, "state": "waiting", "waits_for": "person",
            "difference": [{"path": "body.state", "expected": "open", "found": long}],
            "expects": [{"path": "body.state", "equals": "open"}], "residue": [long], "checklist": POINTS, "instructions": long,
        },
        state="proposed", reason=long,
    )  # fmt: skip
    named = {"pending": pending, "second": second, "high": high, "denied": denied, "counted": two}
    giving.give(acme.actor("amir"), acme.ann.pk, terms(), key="away")
    with inside(acme.tenant.pk):
        decision = Decision.objects.get(request=two.request_id).pk
    return {name: str(effect.request_id) for name, effect in named.items()} | {
        "decision": str(decision),
        "item": str(items[0].pk),
        "plan": str(items[0].plan_id),
        "done": str(over.run_id),
        "run": str(run.pk),
        "agent": str(acme.agent.pk),
    }


@pytest.fixture(scope="module", params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> Literal["light", "dark"]:
    """The colours that somebody's machine asks for."""
    return request.param


@pytest.fixture(params=["ann", "dora"])
def page(
    stage: Stage, chromium: Browser, scheme: Literal["light", "dark"], request: pytest.FixtureRequest
) -> Iterator[Page]:
    """A page of somebody who decides, and of somebody who administers. axe itself runs inside, which our policy would not let it."""
    context = chromium.new_context(bypass_csp=True, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{stage.url}/accounts/login/")
    assert violations(page) == []
    page.get_by_label("E-mail").fill(f"{request.param}@acme.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{stage.url}/")
    yield page
    context.close()


def violations(page: Page) -> list[str]:
    """Give what axe has to say, each with the elements it is about."""
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}: {node.get('failureSummary', '')[:300]}"
        for each in found
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("width", [1280, 375])
def test_axe_has_nothing_to_say(stage: Stage, page: Page, places: dict[str, str], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    said: dict[str, list[str]] = {}
    for address in PAGES:
        page.goto(stage.url + address.format(**places))
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        if found := violations(page):
            said[address] = found
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    assert said == {}
