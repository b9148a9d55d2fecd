"""Keeping a shift's leases: a thread with a connection of its own, so that a busy loop loses none.

It stops renewing when the loop itself has stood still for longer than a lease: then nobody works the attempts."""

import logging
import threading
import time
from collections.abc import Callable
from uuid import UUID

import psycopg

from console.crashpoint import crashpoint

logger = logging.getLogger(__name__)
RENEW = """update runs_attempt set lease_expires_at = cf_now() + make_interval(secs => %s)
           where worker = %s and state = 'running' and id = any(%s)"""


class LeaseKeeper(threading.Thread):
    """Renews the attempts that the shift has in hand, three times a lease, until told to stop; what it lost sight of runs out."""

    def __init__(self, dsn: str, worker: str, lease_seconds: float, held: Callable[[], list[UUID]]) -> None:
        super().__init__(name="leases", daemon=True)
        self.dsn, self.worker, self.lease_seconds, self.held = dsn, worker, lease_seconds, held
        self.alive_at = time.monotonic()
        self.over = threading.Event()

    def beat(self) -> None:
        """Say that the loop turns."""
        self.alive_at = time.monotonic()

    def stop(self) -> None:
        """End the renewing; what is left runs out by itself."""
        self.over.set()

    def run(self) -> None:
        while not self.over.wait(self.lease_seconds / 3):
            if time.monotonic() - self.alive_at > self.lease_seconds:
                logger.error("the loop of %s stands still; its leases are left to run out", self.worker)
                continue
            try:
                with psycopg.connect(self.dsn, autocommit=True, connect_timeout=5) as connection:
                    while not self.over.is_set() and time.monotonic() - self.alive_at <= self.lease_seconds:
                        crashpoint("lease.renew")
                        connection.execute(RENEW, [self.lease_seconds, self.worker, self.held()])
                        self.over.wait(self.lease_seconds / 3)
            except psycopg.Error as fault:
                logger.warning("leases of %s could not be renewed: %s", self.worker, type(fault).__name__)
