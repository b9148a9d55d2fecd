"""Second factors in a browser of the tests."""

import re
import time
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client

from tests.cast import PASSWORD

SECRET = r'<code class="secret-text"[^>]*>([A-Z2-7]{32})</code>'


def code(secret: str, steps: int = 0) -> str:
    """Make the code that the app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


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
