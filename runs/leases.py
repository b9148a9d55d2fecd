"""Keeping a shift's leases: a thread with a connection of its own, so that a busy loop loses none.

It stops renewing when the loop itself has stood still for longer than a lease: then nobody works the attempts. And what has not been
sent when its lease is over by this machine's own clock is not sent any more: a process that was paused and goes on must not act beside
its successor. That narrows what only the other side can close, by refusing an old Fencing-Token."""

import logging
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from uuid import UUID

import psycopg

from console.crashpoint import crashpoint

logger = logging.getLogger(__name__)
RENEW = """update runs_attempt set lease_expires_at = cf_now() + make_interval(secs => %s)
           where worker = %s and state = 'running' and id = any(%s) returning id"""
now = partial(time.clock_gettime, time.CLOCK_BOOTTIME)  # goes on while the machine sleeps
_ends: ContextVar[Callable[[], float] | None] = ContextVar("lease_ends", default=None)


class LeaseOver(Exception):
    """The lease ran out before anything was sent."""


def hold_until(ends: Callable[[], float]) -> None:
    """Say, for the rest of this task, when the lease of the attempt in hand ends (in `now` seconds)."""
    _ends.set(ends)


def demand_lease() -> None:
    """Refuse to begin what somebody else may have taken up: LeaseOver. Without a lease there is nothing to demand."""
    ends = _ends.get()
    if ends is not None and now() >= ends():
        raise LeaseOver("Somebody else may have taken it up.")


class LeaseKeeper(threading.Thread):
    """Renews the attempts that the shift has in hand, several times a lease, until told to stop; what it lost sight of runs out."""

    def __init__(
        self, dsn: str, worker: str, lease_seconds: float, held: Callable[[], list[UUID]], renew_seconds: float | None = None
    ) -> None:  # fmt: skip
        super().__init__(name="leases", daemon=True)
        self.dsn, self.worker, self.lease_seconds, self.held = dsn, worker, lease_seconds, held
        self.renew_seconds = lease_seconds / 3 if renew_seconds is None else renew_seconds
        self.alive_at = time.monotonic()
        self.over = threading.Event()
        self.renewed: dict[UUID, float] = {}

    def ends(self, attempt_id: UUID, claimed_at: float) -> float:
        """Give when the lease of an attempt that was claimed then ends, as far as this process knows."""
        return self.renewed.get(attempt_id, claimed_at) + self.lease_seconds

    def beat(self) -> None:
        """Say that the loop turns."""
        self.alive_at = time.monotonic()

    def stop(self) -> None:
        """End the renewing; what is left runs out by itself."""
        self.over.set()

    def run(self) -> None:
        while not self.over.wait(self.renew_seconds):
            if time.monotonic() - self.alive_at > self.lease_seconds:
                logger.error("the loop of %s stands still; its leases are left to run out", self.worker)
                continue
            try:
                with psycopg.connect(self.dsn, autocommit=True, connect_timeout=5) as connection:
                    while not self.over.is_set() and time.monotonic() - self.alive_at <= self.lease_seconds:
                        crashpoint("lease.renew")
                        asked_at = now()
                        renewed = connection.execute(RENEW, [self.lease_seconds, self.worker, self.held()])
                        self.renewed = {attempt_id: asked_at for (attempt_id,) in renewed}
                        self.over.wait(self.renew_seconds)
            except psycopg.Error as fault:
                logger.warning("leases of %s could not be renewed: %s", self.worker, type(fault).__name__)
