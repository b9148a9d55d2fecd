"""What RQ calls: names in, one call. A job is a hint that there may be work; run twice or late, it does no harm."""

import asyncio
import importlib
import logging
import os
import signal
import socket

from django.conf import settings

from console import env
from console.ledger import tallies
from console.notices.courier import Courier
from console.notices.states import CHANNELS, EMAIL
from console.telemetry import context, traces
from runs.shift import Shift, Terms
from runs.workshop import ContractWorkshop

DRAIN = signal.SIGUSR1
logger = logging.getLogger(__name__)


def worker_name(pid: int) -> str:
    """Give the name under which the shift in process `pid` of this machine holds its leases."""
    return f"worker:{socket.gethostname()}:{pid}"


def terms() -> Terms:
    """Read how a shift works here."""
    return Terms(
        dsn=env.dsn("DATABASE_WORKER_URL"),
        redis_url=settings.REDIS_URL,
        worker=worker_name(os.getpid()),
        slots=env.whole("SHIFT_SLOTS", 256, least=1),
        batch=env.whole("SHIFT_BATCH", 64, least=1),
        lease_seconds=settings.LEASE_SECONDS,
        renew_seconds=settings.LEASE_RENEW_SECONDS,
        lasts_seconds=env.whole("SHIFT_SECONDS", 60, least=1),
        drain_seconds=settings.DRAIN_SECONDS,
    )


def shift() -> int:
    """Work one shift; gives the number of attempts handled."""
    traces.start("worker")
    counts = tallies.carrier(env.dsn("DATABASE_WORKER_URL"))
    import_functions()
    try:
        return asyncio.run(_shift())
    finally:
        counts.stop()
        traces.stop()


def import_functions() -> None:
    """Import the modules that register functions, after the fork; one that cannot be imported leaves its operations to other workers."""
    for name in env.listed("COUNTERFOIL_FUNCTIONS", ""):
        try:
            importlib.import_module(name)
        except Exception:
            logger.exception("the functions of %s are not registered: it cannot be imported", name)


async def _shift() -> int:
    here = terms()
    context.bind(worker=here.worker)
    async with ContractWorkshop(env.whole("FUNCTION_THREADS", 16, least=1)) as workshop:
        working = Shift(here, workshop)
        asyncio.get_running_loop().add_signal_handler(DRAIN, working.drain)
        courier = Courier(
            here.dsn,
            here.worker,
            [name for name in CHANNELS if name != EMAIL or settings.EMAIL_IS_SENT],
            until=working.drained,
        )
        carrying = asyncio.create_task(courier.run())
        if os.environ.get("RQ_WORKER_PID") and os.getppid() != int(os.environ["RQ_WORKER_PID"]):
            working.drain()  # the parent died before this could be heard
        try:
            return await working.run()
        finally:
            courier.end()
            await carrying
