"""A bank opened inside the test's own loop, and a customer of it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from examples.bank.book import Book
from examples.bank.counter import Counter
from examples.bank.ledger import Ledger
from examples.bank.switches import Switches
from examples.bank.wire import listen

TOKEN = "letmein"
REFUND = {"order": "A-7", "amount": "12.50", "currency": "EUR"}


class Customer:
    """Somebody who calls the bank."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self.session = session
        self.url = url

    async def refund(self, key: str = "k1", body: Any = None, path: str = "/refunds", **headers: str) -> "Heard":
        said = {"Idempotency-Key": key, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return await self._heard("POST", path, REFUND if body is None else body, said)

    async def ask(self, path: str, **headers: str) -> "Heard":
        return await self._heard("GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()})

    async def script(self, *rules: Any, **more: Any) -> "Heard":
        said = {"rules": list(rules), **more} if rules else more
        return await self._heard("POST", "/script", said, {})

    async def answers(self, status: int, path: str) -> bool:
        """Tell whether the bank's answer to this question is of this status."""
        return (await self.ask(path)).status == status

    async def was_called(self, key: str) -> bool:
        """Tell whether the bank has heard of a key."""
        return key in (await self.ask(f"/calls?key={key}")).body["keys"]

    async def did(self, key: str) -> bool:
        """Tell whether anything was done under a key."""
        return bool(await self.entries(key))

    async def entries(self, key: str | None = None) -> list[dict[str, Any]]:
        heard = await self.ask("/ledger" + (f"?key={key}" if key else ""))
        return heard.body["entries"]

    async def _heard(self, method: str, path: str, body: Any, headers: dict[str, str]) -> "Heard":
        data = body if isinstance(body, bytes) or body is None else json.dumps(body)
        async with self.session.request(
            method, self.url + path, data=data, headers=headers, allow_redirects=False
        ) as response:
            raw = await response.read()
            return Heard(response.status, response.headers, raw)


class Heard:
    """What the bank answered."""

    def __init__(self, status: int, headers: Any, raw: bytes) -> None:
        self.status = status
        self.headers = headers
        self.raw = raw

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


@asynccontextmanager
async def opened(
    path: Path, *, fsync: bool = False, token: str = TOKEN, manner: Any = None, patience: float = 60
) -> AsyncIterator[Customer]:
    ledger = Ledger(path, fsync=fsync)
    server = await listen(Counter(Book(ledger), TOKEN, Switches(), manner).serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {token}"}, timeout=aiohttp.ClientTimeout(total=patience)
    ) as session:
        yield Customer(session, url)
    server.close()
    await ledger.close()
