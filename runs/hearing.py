"""Hearing the bell inside a shift. Redis may be away for as long as it likes: the shift also looks by itself."""

import asyncio
import logging
from collections.abc import Callable

import redis.asyncio
from redis.exceptions import RedisError

from console.doorbell import WORK

logger = logging.getLogger(__name__)
PAUSE = 1.0
ATTENTION = 1.0


async def hear(url: str, rung: Callable[[], None]) -> None:
    """Call `rung` for each ring, for ever; connect again when the line breaks."""
    while not told_to_end():
        try:
            async with (
                redis.asyncio.from_url(url, socket_connect_timeout=1.0, protocol=2) as line,
                line.pubsub() as bell,
            ):
                await bell.subscribe(WORK)
                rung()  # what was rung while nobody listened
                while not told_to_end():
                    if await bell.get_message(ignore_subscribe_messages=True, timeout=ATTENTION) is not None:
                        rung()
        except (RedisError, OSError) as fault:
            logger.warning("the bell cannot be heard (%s); looking every second instead", type(fault).__name__)
        await asyncio.sleep(PAUSE)


def told_to_end() -> bool:
    """Tell whether this task was cancelled: the client of Redis swallows a cancellation that comes while it connects."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
