"""What tests of real processes need."""

import asyncio
import os
import random
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

PORTS = (11_000, 32_000)  # below those of outgoing connections; browsers take them all
SET_BY_UP = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "DATABASE_WORKER_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "PORT",
    "BANK_PORT",
    "HOTEL_PORT",
)


def until(true: Callable[[], object], seconds: float = 90) -> bool:
    """Wait until it is true; False when it did not become so. Machines are shared and noisy: who waits for what must come waits long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


async def comes(true: Callable[[], Awaitable[object]], seconds: float = 30) -> bool:
    """Wait until it is true, and let others of this loop work meanwhile; False when it did not become so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if await true():
            return True
        await asyncio.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    """Tell whether the process runs (one that waits to be reaped does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def newcomers(data: Path, **more: str) -> dict[str, str]:
    """Give an environment as a newcomer has it, with a data folder of its own."""
    return {k: v for k, v in os.environ.items() if k not in SET_BY_UP} | {"COUNTERFOIL_DATA": str(data)} | more


def free_port() -> int:
    """Give a port of 127.0.0.1 that nothing listens on, and that the kernel gives to no connection until somebody listens there."""
    for _ in range(1000):
        port = random.SystemRandom().randrange(*PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise RuntimeError("No port is free.")
