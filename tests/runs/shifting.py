"""A shift in a thread of its own, with the real workshop or with one whose doings a test decides."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings

from console.exact import canonical
from runs.lines import Line, Row
from runs.settling import Settlement
from runs.shift import Shift, Terms
from runs.target_reading import TargetRead
from runs.workshop import ContractWorkshop
from tests import databases
from tests.work import WORKER


def terms(**more: Any) -> Terms:
    """Give the terms of a short shift that looks often."""
    short = {"idle_seconds": 1.0, "poll_seconds": 0.05, "drain_seconds": 0.5, "lasts_seconds": 600.0, **more}
    return Terms(databases.variables()["DATABASE_WORKER_URL"], settings.REDIS_URL, WORKER, **short)


class Working(threading.Thread):
    """A shift at work; `handled` is what it says at its end, `fault` what ended it otherwise."""

    def __init__(self, workshop: "Bench | None" = None, **more: Any) -> None:
        super().__init__(name="shift", daemon=True)
        self.workshop, self.terms = workshop, terms(**more)
        self.handled: int | None = None
        self.fault: BaseException | None = None
        self.shift: Shift | None = None
        self.start()

    def run(self) -> None:
        try:
            self.handled = asyncio.run(self._work())
        except BaseException as fault:  # noqa: BLE001 - `ends` raises it again
            self.fault = fault

    async def _work(self) -> int:
        self.loop = asyncio.get_running_loop()
        if self.workshop is not None:
            self.workshop.opened()
            self.shift = Shift(self.terms, self.workshop)
            return await self.shift.run()
        async with ContractWorkshop() as workshop:
            self.shift = Shift(self.terms, workshop)
            return await self.shift.run()

    def drain(self) -> None:
        """Tell it to drain, as the signal does."""
        assert self.shift is not None
        self.loop.call_soon_threadsafe(self.shift.drain)

    def ends(self, seconds: float = 90) -> int:
        """Wait for its end; gives what it handled."""
        self.join(seconds)
        assert not self.is_alive(), "the shift goes on and on"
        if self.fault is not None:
            raise self.fault
        assert self.handled is not None
        return self.handled


class Bench:
    """A workshop that answers as it is told: at once, or once it is let go."""

    def __init__(self, perform: Callable[[Row], str] | None = None) -> None:
        self.cannot: list[UUID] = []
        self.rows: list[Row] = []
        self.decide = perform or (lambda row: "succeeded")
        self.slow: set[str] = set()
        self.broken_preparations: list[Exception] = []
        self.begun = threading.Event()

    def opened(self) -> None:
        """Be opened inside the shift's loop."""
        self.let_go = asyncio.Event()

    async def prepare(self, line: Line, rows: list[Row]) -> None:
        """Make ready, or break."""
        if rows and self.broken_preparations:
            raise self.broken_preparations.pop(0)

    async def read_target(self, row: Row) -> TargetRead:
        return TargetRead(row["request_id"], row["taken_at"], fault="Nobody reads here.", delay=60.0)

    async def perform(self, row: Row) -> Settlement | None:
        """Do it."""
        self.rows.append(row)
        self.begun.set()
        if row["arguments"].find('"slow"') >= 0:
            await self.let_go.wait()
        return answer(row, self.decide(row))


def answer(row: Row, outcome: str) -> Settlement:
    """Give the settlement of an answer."""
    return Settlement(
        attempt_id=row["attempt_id"], fence=row["fence"], outcome=outcome, state=outcome, delay=None, http_status=200, sent=True,
        reason="", result=None, reference="", evidence=canonical({"outcome": outcome}),
    )  # fmt: skip


def connections(hand: Any, name: str) -> list[int]:
    """Give the server's processes that serve this worker under a name."""
    found = hand.execute(
        "select pid from pg_stat_activity where datname = current_database() and application_name = %s",
        [f"{WORKER} {name}"],
    )
    return [pid for (pid,) in found.fetchall()]
