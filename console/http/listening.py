"""Hearing in a web process: one ear per event loop, one connection to Redis, any number of requests that wait for news of one subject.

The bell only makes things quick. Whoever waits also looks again by itself every few seconds, so that Redis may be away."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from console.doorbell import NEWS
from console.http.refusals import Refusal

LOOK_AGAIN_SECONDS = 2.5
MOST_WAITING = 2000
CALL_AGAIN_SECONDS = 1.0
ATTENTION_SECONDS = 0.5
logger = logging.getLogger(__name__)


class TooManyWaiting(Refusal):
    """Too many requests wait here already; ask without `wait`, or in a moment."""

    code = "too_many_waiting"
    status = 503
    recorded = False


class Ear:
    """Hears the news of this event loop and wakes those who wait for a subject."""

    def __init__(self) -> None:
        self._bells: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._waiting = 0
        self._hearing: asyncio.Task[None] | None = None

    @contextmanager
    def listening(self, subject: str) -> Iterator[asyncio.Event]:
        """Give a bell that rings at each news of the subject while the block lasts. Raises TooManyWaiting."""
        if self._waiting >= MOST_WAITING:
            raise TooManyWaiting(retry_after=5)
        if self._hearing is None or self._hearing.done():
            self._hearing = asyncio.get_running_loop().create_task(self._hear())
        bell = asyncio.Event()
        self._bells[subject].add(bell)
        self._waiting += 1
        try:
            yield bell
        finally:
            self._waiting -= 1
            self._bells[subject].discard(bell)
            if not self._bells[subject]:
                del self._bells[subject]

    async def _hear(self) -> None:
        away = False
        while not _told_to_end():
            try:
                async with (
                    redis.asyncio.Redis.from_url(settings.REDIS_URL, protocol=2) as line,
                    line.pubsub() as pubsub,
                ):
                    await pubsub.subscribe(NEWS)
                    away = False
                    self._wake_all()  # what was rung while nobody heard is looked for
                    while not _told_to_end():
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=ATTENTION_SECONDS)
                        if message is not None:
                            self._wake(message["data"])
            except (RedisError, OSError) as fault:
                if not away:
                    logger.warning("the bell cannot be heard (%s); long polls look by themselves", type(fault).__name__)
                away = True
            await asyncio.sleep(CALL_AGAIN_SECONDS)

    def _wake(self, subjects: bytes) -> None:
        for subject in subjects.decode("ascii", "replace").split():
            for bell in self._bells.get(subject, ()):
                bell.set()

    def _wake_all(self) -> None:
        for bells in self._bells.values():
            for bell in bells:
                bell.set()


def _told_to_end() -> bool:
    """Tell whether this task was cancelled: the client of Redis swallows a cancellation that comes while it connects."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


_ears: WeakKeyDictionary[asyncio.AbstractEventLoop, Ear] = WeakKeyDictionary()


def ear() -> Ear:
    """Give the ear of the running event loop."""
    return _ears.setdefault(asyncio.get_running_loop(), Ear())


async def rung(bell: asyncio.Event, seconds: float) -> None:
    """Wait until the bell rings, at most so long, and make it ready for the next ring."""
    try:
        await asyncio.wait_for(bell.wait(), seconds)
    except TimeoutError:
        return
    finally:
        bell.clear()
