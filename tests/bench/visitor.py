"""A person at a browser, as far as the server can tell: cookies, forms and their hidden fields, over one kept connection."""

import http.client
import re
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from urllib.parse import urlencode

KEPT_SECONDS = 2.0
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Unexpected(Exception):
    """The server answered something else than a person would go on with."""


class Visitor:
    """Somebody who looks at pages and sends their forms."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.cookies: dict[str, str] = {}
        self.asked_at = 0.0

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
        """Send a request and give status and text of the answer."""
        if time.monotonic() - self.asked_at > KEPT_SECONDS:
            self.line.close()  # opened anew by the request, before the server hangs up on it
        self.asked_at = time.monotonic()
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **headers}
        body = None
        if form is not None:
            body, sent["Content-Type"] = urlencode(form), "application/x-www-form-urlencoded"
        self.line.request(method, path, body, sent)
        answer = self.line.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
        return answer.status, text

    def look(self, path: str) -> dict[str, str]:
        """Look at a page and give the hidden fields of its forms. Raises Unexpected."""
        status, text = self.ask("GET", path)
        if status != 200:
            raise Unexpected(f"GET {path}: {status}\n{text[:2000]}")
        return dict(HIDDEN.findall(text))

    def sign_in(self, email: str, password: str) -> None:
        """Sign in. Raises Unexpected."""
        form = {**self.look("/accounts/login/"), "login": email, "password": password}
        status, text = self.ask("POST", "/accounts/login/", form)
        if status != 302:
            raise Unexpected(f"Signing in: {status}\n{text[:2000]}")

    def approve(self, request: str) -> int:
        """Look at a request's card, click approve, and give the moment of the click (time.monotonic_ns()). Raises Unexpected."""
        address = f"/approvals/{request}"
        form = {**self.look(address), "verdict": "approve", "reason": ""}
        clicked = time.monotonic_ns()
        status, text = self.ask("POST", f"{address}/decide", form, **{"HX-Request": "true"})
        if status != 200:
            raise Unexpected(f"POST {address}/decide: {status}\n{text[:2000]}")
        return clicked


def wait_for(port: int, path: str, *, seconds: float, alive: Callable[[], bool] = lambda: True) -> float:
    """Wait until the server answers on that path without an error of its own; give how long it took. Raises Unexpected."""
    began = time.monotonic()
    while time.monotonic() - began < seconds and alive():
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            line.request("GET", path)
            if line.getresponse().status < 500:
                return time.monotonic() - began
        except (OSError, http.client.HTTPException):
            pass
        finally:
            line.close()
        time.sleep(0.02)
    raise Unexpected(f"Nothing answered on port {port} for {time.monotonic() - began:.0f} s.")
