"""Asking the bench's bank what it has seen."""

import http.client
import json
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Teller:
    """The bank on a port of loopback."""

    port: int

    def _ask(self, method: str, path: str) -> dict[str, int]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request(method, path)
            told: dict[str, int] = json.loads(line.getresponse().read())
            return told
        finally:
            line.close()

    def reset(self) -> None:
        """Have it forget what it has seen."""
        self._ask("POST", "/reset")

    def counts(self) -> dict[str, int]:
        """Give calls, distinct keys, duplicates and the most calls in flight."""
        return self._ask("GET", "/counts")

    def arrival(self, name: str, *, seconds: float = 30) -> int | None:
        """Wait for the first call of /pay/NAME and give when it came (time.monotonic_ns()); None when it did not."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            came = self._ask("GET", "/arrivals").get(name)
            if came is not None:
                return came
            time.sleep(0.02)
        return None
