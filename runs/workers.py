"""The RQ worker of this product: it forks a shift, looks after it, and ends its leases at once when it sees it die."""

import ctypes
import logging
import os
import signal
from typing import Any

from django.db import connections
from rq import Worker

from console import env
from console.database import transaction
from console.doorbell import ring
from console.ledger import tallies
from console.ledger.actors import system
from runs.jobs import DRAIN, worker_name
from runs.sweep import end_leases

logger = logging.getLogger(__name__)
PR_SET_PDEATHSIG = 1
FORGOTTEN_AFTER_SECONDS = 45  # three signs of life, which an idle worker gives every 15 seconds and a busy one every 10


class ShiftWorker(Worker):
    """Told to stop, it tells the shift to drain. RQ's own retries, scheduler and cron are not used."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Give a sign of life that the bell forgets when no other follows: whoever counts the living counts no dead."""
        super().heartbeat(FORGOTTEN_AFTER_SECONDS, pipeline)

    def fork_work_horse(self, job: Any, queue: Any) -> None:
        """Fork with nothing open that both sides would use."""
        connections.close_all()
        os.environ["RQ_WORKER_PID"] = str(os.getpid())
        super().fork_work_horse(job, queue)

    def setup_work_horse_signals(self) -> None:
        """In the child: never outlive the parent without being told to drain."""
        super().setup_work_horse_signals()  # type: ignore[no-untyped-call]
        signal.signal(DRAIN, signal.SIG_IGN)  # until the shift listens; it asks after its parent then
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, DRAIN)

    def monitor_work_horse(self, job: Any, queue: Any, execution: Any) -> None:
        """In the parent: when the child is gone, whatever it still held is given up at once instead of when its leases run out."""
        pid = self.horse_pid
        super().monitor_work_horse(job, queue, execution)
        self.give_up(pid)

    def handle_warm_shutdown_request(self) -> None:
        """Told to stop: let the shift drain."""
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        if self.horse_pid:
            os.kill(self.horse_pid, DRAIN)

    def give_up(self, pid: int) -> None:
        """End the leases of a dead shift; if the database is away, they run out by themselves."""
        try:
            with transaction(None):
                ended = end_leases(system("worker-parent"), 10_000, worker_name(pid))
            tallies.carry_now(env.dsn("DATABASE_WORKER_URL"))
            if ended:
                ring()  # somebody else goes on with it at once, not at the clock's next pass
                logger.warning("a shift died; %d attempts are given up", ended)
        except Exception:
            logger.exception("leases of a dead shift could not be ended; they run out by themselves")
        finally:
            connections.close_all()
