"""Second factors in a browser of the tests."""

import re
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth
from django.core.cache import cache
from django.test import Client

from tests.cast import PASSWORD

SECRET = r'<code class="secret-text"[^>]*>([A-Z2-7]{32})</code>'


@pytest.fixture
def one_half_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the whole test be in one half minute as apps count them: its end must not fall between two codes."""
    counted = list(auth.yield_hotp_counters_from_time())
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter(counted))


def code(secret: str, steps: int = 0) -> str:
    """Make the code that the app shows now, or one of those beside it."""
    _, now, _ = auth.yield_hotp_counters_from_time()
    return auth.format_hotp_value(auth.hotp_value(secret, now + steps))


def prove(browser: Client, then: str = "/") -> Any:
    """Prove by password who one is."""
    return browser.post("/accounts/prove/password/", {"password": PASSWORD, "next": then})


def set_up_app(browser: Client) -> str:
    """Set an authenticator app up; gives its secret."""
    prove(browser)
    secret = re.findall(SECRET, browser.get("/accounts/security/app/").content.decode())[0]
    answer = browser.post("/accounts/security/app/", {"code": code(secret)})
    assert answer.status_code == 302, answer.content.decode()
    return str(secret)


def forget_tries() -> None:
    """Let the minutes go by after which one may try again."""
    cache.clear()
