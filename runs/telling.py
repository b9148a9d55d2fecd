"""Telling the web processes what a shift has changed, so that who waits for it hears at once. What is not told is found by looking."""

import asyncio
from contextlib import suppress

import redis.asyncio
from redis.exceptions import RedisError

from console.doorbell import NEWS
from runs.hearing import told_to_end

LAST_WORDS_SECONDS = 0.5
PAUSE = 1.0


class Teller:
    """Collects the names of what changed, and tells them all together whenever the one before has been told."""

    def __init__(self, url: str) -> None:
        self._line = redis.asyncio.from_url(url, socket_timeout=1.0, socket_connect_timeout=1.0, protocol=2)
        self._subjects: set[str] = set()
        self._some = asyncio.Event()

    def tell(self, *subjects: object) -> None:
        """Tell these soon."""
        self._subjects.update(map(str, subjects))
        self._some.set()

    async def run(self) -> None:
        """Tell what there is to tell, for ever."""
        while not told_to_end():
            await self._some.wait()
            self._some.clear()
            try:
                await self._publish()
            except (RedisError, OSError):  # whoever hears bells says already that Redis is away
                await asyncio.sleep(PAUSE)

    async def end(self) -> None:
        """Tell the rest, if that goes quickly, and hang up."""
        with suppress(RedisError, OSError, TimeoutError):
            await asyncio.wait_for(self._publish(), LAST_WORDS_SECONDS)
        with suppress(RedisError, OSError):
            await self._line.aclose()

    async def _publish(self) -> None:
        subjects, self._subjects = self._subjects, set()
        if subjects:
            await self._line.publish(NEWS, " ".join(subjects))
