"""Two or more at once, on connections of their own, let go at the same instant."""

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connections

from console.http.refusals import Refusal
from tests.cleaning import replace_if_ended

REPEATED = 50
ROLES = ("default", "worker")


class Hand(threading.Thread):
    """A thread that keeps its connections from one act to the next."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.acts: queue.SimpleQueue[Callable[[], Any]] = queue.SimpleQueue()
        self.became: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.start()

    def run(self) -> None:
        while True:
            act = self.acts.get()
            try:
                self.became.put(act())
            except Exception as fault:  # noqa: BLE001 - whatever it met is what the test looks at
                self.became.put(fault)


_hands: list[Hand] = []


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do all of it at the same time; gives what each gave, or the refusal or fault that it met."""
    _hands.extend(Hand() for _ in range(len(acts) - len(_hands)))
    ready = threading.Barrier(len(acts))

    def waiting(act: Callable[[], Any]) -> Callable[[], Any]:
        def begin() -> Any:
            for role in ROLES:
                replace_if_ended(connections[role])
                connections[role].ensure_connection()
            ready.wait(60)
            return act()

        return begin

    for hand, act in zip(_hands, acts, strict=False):
        hand.acts.put(waiting(act))
    try:
        return [hand.became.get(timeout=120) for hand, _ in zip(_hands, acts, strict=False)]
    except queue.Empty:
        raise AssertionError("they wait for each other") from None


def refusals(became: Sequence[Any]) -> list[str]:
    """Give the codes of the refusals; anything else that went wrong is a fault."""
    for each in became:
        if isinstance(each, Exception) and not isinstance(each, Refusal):
            raise each
    return [each.code for each in became if isinstance(each, Refusal)]


def answers(became: Sequence[Any]) -> list[Any]:
    """Give what was answered by those that were not refused."""
    refusals(became)
    return [each for each in became if not isinstance(each, Exception)]
