"""`manage.py clock`: a pass every second, on the database's time. Any number may run."""

import logging
import signal
import threading
from itertools import count
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connections

from console import durability, env
from console.database import cross_tenants_in_this_process
from console.ledger import beats, tallies
from runs import retention
from runs.sweep import sweep

logger = logging.getLogger(__name__)
EVERY_SECONDS = 1.0
RETAINS_EVERY = 10  # passes
FORGOTTEN_AFTER_SECONDS = 24 * 3600


class Command(BaseCommand):
    """Keep time: do what is due, every second."""

    help = "Do what is due, every second, until told to stop."

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        durability.require()
        beats.forget("clock", FORGOTTEN_AFTER_SECONDS)
        stop = threading.Event()

        def end(signum: int, frame: FrameType | None) -> None:
            stop.set()

        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        counts = tallies.carrier(env.dsn("DATABASE_WORKER_URL"))
        passes = count()
        while not stop.is_set():
            try:
                if None not in sweep().values():  # a clock whose leases never end does not say that what is due is done
                    beats.beat("clock", beats.here("clock"))
                if next(passes) % RETAINS_EVERY == 0:
                    retention.bite()
            except Exception:
                logger.exception("a pass failed; the next one tries again")
                connections.close_all()
            stop.wait(EVERY_SECONDS)
        counts.stop()
