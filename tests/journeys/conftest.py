"""Journeys: a real browser on the running product, with JavaScript and without."""

import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.plugin import DjangoDbBlocker

from tests.cast import PASSWORD
from tests.cleaning import Cleaner
from tests.journeys.stage import Stage, opened

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 60_000
SignIn = Callable[..., Page]


@pytest.fixture(scope="module")
def stage(
    django_db_setup: Cleaner, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    """The running product, for the journeys of one file."""
    with django_db_blocker.unblock():
        with opened(tmp_path_factory.mktemp("stage")) as stage:
            yield stage
        django_db_setup.clean()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium. Without one the journeys are skipped, and in CI they fail.

    For one file only: while Playwright keeps its event loop in this thread, no asynchronous test of another file can run."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        missing = "there is no Chromium; install Debian's package chromium"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    # Playwright keeps an event loop in this thread; reading rows beside it is what we mean to do.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def sign_in(stage: Stage, chromium: Browser) -> Iterator[SignIn]:
    """Open a browser of its own and sign a member in, by the form; any fault that the page reports fails the test."""
    faults: list[str] = []
    contexts = []

    def signed_in(name: str, *, scripts: bool = True, width: int = 1280, then: str = "/") -> Page:
        context = chromium.new_context(java_script_enabled=scripts, viewport={"width": width, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None,
        )
        page.goto(stage.url + then)
        page.get_by_label("E-mail").fill(f"{name}@acme.example")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(stage.url + then)
        return page

    yield partial(signed_in)
    for context in contexts:
        context.close()
    assert faults == []
