"""The example bank beside the engine: in a thread of its own, told how to behave, and asked what it really did."""

import asyncio
import json
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from examples.bank.book import Book
from examples.bank.counter import Counter
from examples.bank.ledger import Ledger
from examples.bank.switches import Switches
from examples.bank.wire import listen

TOKEN = "let-the-tests-in"


class Bank(threading.Thread):
    """A bank that keeps no keys unless it is told to, so that it would do twice what it is sent twice."""

    def __init__(self, path: Path) -> None:
        super().__init__(name="bank", daemon=True)
        self.path = path
        self.url = ""
        self.opened = threading.Event()

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        ledger = Ledger(self.path, fsync=False)
        self.stop, self.loop = asyncio.Event(), asyncio.get_running_loop()
        counter = Counter(Book(ledger), TOKEN, Switches(idempotency=False))
        server = await listen(counter.serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self.opened.set()
        await self.stop.wait()
        server.close()
        await ledger.close()

    def close(self) -> None:
        """Close it."""
        if self.is_alive():
            self.loop.call_soon_threadsafe(self.stop.set)
            self.join(30)

    def behave(self, *behaviours: Any, path: str = "/effects", method: str = "POST", then: str = "pass") -> None:
        """Have the next requests to a path treated like this, one after the other."""
        match = {"method": method, ("path" if method == "POST" else "path_prefix"): path}
        self._ask("/script", {"rules": [{"match": match, "behave": list(behaviours), "then": then}], "add": True})

    def answer_questions(self, *behaviours: Any) -> None:
        """Have the next status queries treated like this."""
        self.behave(*behaviours, path="/effects/", method="GET")

    def about(self, path: str, *behaviours: Any, then: str = "last") -> None:
        """Have what is posted to exactly this path treated like this from now on."""
        self.match({"method": "POST", "path": path}, *behaviours, then=then)

    def match(self, match: dict[str, Any], *behaviours: Any, then: str = "pass") -> None:
        """Have requests that match treated like this."""
        self._ask("/script", {"rules": [{"match": match, "behave": list(behaviours), "then": then}], "add": True})

    def be_well(self) -> None:
        """Have it behave again as a bank should."""
        self._ask("/script", {"rules": []})

    def account(self, name: str) -> dict[str, Any]:
        """Ask what an account comes to."""
        return self._ask(f"/accounts/{name}")

    def read(self, path: str) -> dict[str, Any]:
        """Ask how a reservation, a charge or a notice stands."""
        return self._ask(path)

    def somebody_else(self, path: str, **body: Any) -> dict[str, Any]:
        """Have somebody who is not one of us do something at the bank."""
        return self._ask(path, body, f"somebody-elses-{path}")

    def entries(self) -> list[dict[str, Any]]:
        """Give what was done, from the bank's own ledger."""
        return list(self._ask("/ledger")["entries"])

    def calls(self) -> int:
        """Give how many effects were asked for."""
        return int(self._ask("/calls")["total"])

    def asked(self, key: str) -> int:
        """Give how often somebody asked what became of a key."""
        found = self._ask("/calls")["keys"].get(key, {"asked": 0})
        return int(found["asked"])

    def was_refused(self, key: str) -> bool:
        """Tell whether what was taken on under a key has been refused over there."""
        try:
            self._ask(f"/effects/{key}")
        except HTTPError as answer:
            return answer.code == 422
        return False

    def _ask(self, path: str, body: Any = None, key: str = "") -> dict[str, Any]:
        sent = None if body is None else json.dumps(body).encode()
        said = {"Authorization": f"Bearer {TOKEN}", **({"Idempotency-Key": key} if key else {})}
        request = urllib.request.Request(self.url + path, sent, said)
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bank]:
    """The bank, open, with its address and token where workers look for them."""
    opened = Bank(tmp_path / "bank.ledger")
    opened.start()
    assert opened.opened.wait(30)
    monkeypatch.setenv("COUNTERFOIL_BASE_URL_BANK", opened.url)
    monkeypatch.setenv("COUNTERFOIL_BASE_URL_MILL", opened.url)
    monkeypatch.setenv("COUNTERFOIL_SECRET_BANK_TOKEN", TOKEN)
    yield opened
    opened.close()
