"""The courier: takes deliveries that are due, sends them outside any transaction, and writes down what became of each.

At least once: what was sent and not written down is sent again, with the same message id. It goes along with a worker's shift, on a line
of its own, so that a receiver that is slow keeps no effect waiting."""

import asyncio
import logging
from typing import Final

import aiohttp
import psycopg

from console.crashpoint import crashpoint
from console.notices.chatting import chat
from console.notices.fate import MOST_ATTEMPTS, Answer, fate
from console.notices.letters import Letter
from console.notices.mailing import THREADS, Postmen, mail
from console.notices.outbox import Outbox
from console.notices.sending import TIMEOUT_SECONDS, send, session
from console.notices.states import CHANNEL, EMAIL, WEBHOOK
from console.telemetry.counting import count

logger = logging.getLogger(__name__)
AT_ONCE: Final = 16  # webhooks
TAKEN_SECONDS: Final = 3 * TIMEOUT_SECONDS  # longer than any attempt lasts, for what is taken is begun at once
GRACE_SECONDS: Final = 1.0
AWAY: Final = (psycopg.OperationalError, psycopg.InterfaceError)


class Courier:
    """One courier from the start of a shift to its end."""

    def __init__(
        self, dsn: str, name: str, channels: list[str], *, until: asyncio.Event | None = None, poll_seconds: float = 1.0
    ) -> None:
        self.outbox, self.channels, self.poll_seconds = Outbox(dsn, name), channels, poll_seconds
        self.over = asyncio.Event()
        self.until = until or self.over  # set: nothing more is taken
        self.under_way: set[asyncio.Task[None]] = set()
        self.postmen = {EMAIL: Postmen(mail), CHANNEL: Postmen(chat)}
        self.writing = asyncio.Lock()  # one line, one statement at a time

    async def run(self) -> None:
        """Send what is due until told to end; a fault of the courier's own harms nobody else."""
        try:
            async with session() as webhooks:
                while not (self.over.is_set() or self.until.is_set()):
                    if not await self._round(webhooks):
                        await self._pause()
                await self._let_end()
        except Exception:
            logger.exception("the courier of this shift broke; the next one goes on")
        finally:
            for each in self.postmen.values():
                each.dismiss()
            await self.outbox.close()

    def end(self) -> None:
        """Take nothing more."""
        self.over.set()

    async def _round(self, webhooks: aiohttp.ClientSession) -> int:
        """Take what is due, of each channel as much as hands are free for it; gives how many."""
        begun = [task.get_name() for task in self.under_way]
        free = {
            WEBHOOK: AT_ONCE - begun.count(WEBHOOK),
            **{name: min(each.free, THREADS - begun.count(name)) for name, each in self.postmen.items()},
        }
        letters: list[Letter] = []
        try:
            for channel in self.channels:
                if free[channel] > 0:
                    async with self.writing:
                        letters += await self.outbox.take([channel], free[channel], TAKEN_SECONDS)
        except AWAY as fault:
            logger.warning("notices wait for the database: %s", type(fault).__name__)
        for letter in letters:
            task = asyncio.create_task(self._carry(letter, webhooks), name=letter.channel)
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)
        return len(letters)

    async def _carry(self, letter: Letter, webhooks: aiohttp.ClientSession) -> None:
        if letter.attempt > MOST_ATTEMPTS:  # each attempt before was begun, and nobody lived to say how it ended
            answer = Answer("used_up")
        else:
            crashpoint("notice.before_send")
            answer = await send(letter, webhooks, self.postmen)
            crashpoint("notice.sent")
        became = fate(answer, letter.attempt)
        try:
            async with self.writing:
                kept = await self.outbox.settle(letter, answer, became)
        except AWAY as fault:
            logger.warning(
                "what became of %s could not be written down, so it is sent again: %s",
                letter.delivery_id,
                type(fault).__name__,
            )
            return
        if kept:
            count("deliveries", channel=letter.channel, outcome=answer.outcome)

    async def _pause(self) -> None:
        """Wait a moment, for a hand to be free or for time to pass."""
        ends = asyncio.create_task(self.until.wait())
        await asyncio.wait({ends, *self.under_way}, timeout=self.poll_seconds, return_when=asyncio.FIRST_COMPLETED)
        ends.cancel()

    async def _let_end(self) -> None:
        """Let what is under way end while the shift lasts and a moment longer; the rest is left, and due again when its time is over."""
        while self.under_way and not self.over.is_set():
            await asyncio.wait(self.under_way, timeout=0.2)
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=GRACE_SECONDS)
        for task in self.under_way:
            task.cancel()
        await asyncio.gather(*self.under_way, return_exceptions=True)
