"""Looks that may hang, asked for by many: one at a time is under way, all who ask meanwhile share it, and nobody waits for long."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Probe(Generic[T]):
    """A look at something outside of this process, in a thread of its own: a server that hangs holds one, however often it is asked."""

    def __init__(self, look: Callable[[], T]) -> None:
        self.look = look
        self.alone = threading.Lock()
        self.under_way: Future[T] | None = None
        self.begun_at = 0.0

    def begin(self) -> "Future[T]":
        """Give the look that is under way, begun now unless one is."""
        with self.alone:
            if self.under_way is None or self.under_way.done():
                self.under_way, self.begun_at = Future(), time.monotonic()
                threading.Thread(target=self._run, args=(self.under_way,), name="probe", daemon=True).start()
            return self.under_way

    def left(self, patience: float) -> float:
        """Give how many seconds of the patience the look under way has left: none for one that has hung since somebody else asked."""
        return max(0.0, self.begun_at + patience - time.monotonic())

    def _run(self, answer: "Future[T]") -> None:
        try:
            answer.set_result(self.look())
        except BaseException as fault:  # noqa: BLE001 - whoever waits hears of it
            answer.set_exception(fault)
