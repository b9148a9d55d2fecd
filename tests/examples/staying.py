"""A hotel opened inside the test's own loop, on a clock of its own, and a traveller who calls it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from examples.bank.ledger import Ledger
from examples.bank.wire import listen
from examples.hotel.houses import HOUSES
from examples.hotel.reception import Reception
from examples.hotel.register import Register
from tests.examples.banking import TOKEN, Heard


class Traveller:
    """Somebody who books; time goes on when they say so."""

    def __init__(self, session: aiohttp.ClientSession, url: str, now: list[float]) -> None:
        self.session, self.url, self._now = session, url, now

    def wait(self, seconds: float) -> None:
        self._now[0] += seconds

    async def book(self, key: str, house: str = "harbour-house", nights: int = 2, **more: Any) -> Heard:
        body = {
            "house": house, "guest": "Ana Lindqvist", "arrival": "2026-12-03", "nights": nights,
            "amount": str(HOUSES[house].rate * nights), "currency": "EUR", **more,
        }  # fmt: skip
        return await self.say("POST", "/bookings", body, key)

    async def cancel(self, key: str, booking: str, reason: str = "The trip is off.") -> Heard:
        return await self.say("POST", f"/bookings/{booking}/cancellation", {"reason": reason}, key)

    async def status(self, key: str) -> Heard:
        return await self.say("GET", f"/keys/{key}")

    async def bookings(self) -> list[dict[str, Any]]:
        return (await self.say("GET", "/register")).body["bookings"]

    async def say(self, method: str, path: str, body: Any = None, key: str = "") -> Heard:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body)
        headers = {"Idempotency-Key": key} if key else {}
        async with self.session.request(method, self.url + path, data=data, headers=headers) as response:
            return Heard(response.status, response.headers, await response.read())


@asynccontextmanager
async def opened(path: Path, *, token: str = TOKEN, patience: float = 60) -> AsyncIterator[Traveller]:
    """Open a hotel on that register."""
    now = [1_790_000_000.0]
    ledger = Ledger(path, fsync=False)
    server = await listen(Reception(Register(ledger, lambda: now[0]), TOKEN).serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {token}"}, timeout=aiohttp.ClientTimeout(total=patience)
    ) as session:
        yield Traveller(session, url, now)
    server.close()
    await ledger.close()
