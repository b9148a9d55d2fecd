"""A bounded number of threads for synchronous functions, in a shift's process.

A thread cannot be ended from outside. One whose function outlives its time is abandoned: nobody waits for it any more, but it counts until
it ends, so that the bound holds. All are daemons, so that the process ends whatever they do."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any


class NotStarted(Exception):
    """No thread was free in time; the function was not called."""


class Threads:
    """At most `size` functions at once. Used inside one loop."""

    def __init__(self, size: int) -> None:
        self.free = asyncio.Semaphore(size)

    async def run(self, act: Callable[[], Any], seconds: float) -> Any:
        """Call a function in a thread of its own; gives what it gave and raises what it raised.

        Raises NotStarted when no thread is free within `seconds`, and TimeoutError when the function is not done by then."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + seconds
        try:
            async with asyncio.timeout_at(ends_at):
                await self.free.acquire()
        except TimeoutError:
            raise NotStarted("No thread was free in time.") from None
        ended: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

        def work() -> None:
            found = _tried(act)
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(self._over, ended, found)

        try:
            threading.Thread(target=contextvars.copy_context().run, args=(work,), name="function", daemon=True).start()
        except RuntimeError as why:
            self.free.release()
            raise NotStarted(f"No thread can be started: {why}.") from None
        value, fault = await asyncio.wait_for(asyncio.shield(ended), ends_at - loop.time())
        if isinstance(
            fault, asyncio.CancelledError
        ):  # of a loop of the function's own; raised here it would end the attempt unheard
            raise RuntimeError("The function was cancelled from within.") from fault
        if fault is not None:
            raise fault
        return value

    def _over(self, ended: "asyncio.Future[Any]", found: tuple[Any, BaseException | None]) -> None:
        self.free.release()
        if not ended.done():
            ended.set_result(found)


def _tried(act: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return act(), None
    except BaseException as fault:  # noqa: BLE001 - a thread has nobody else to tell
        return None, fault
