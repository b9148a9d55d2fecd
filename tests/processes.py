"""What tests of real processes need."""

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

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


def until(true: Callable[[], object], seconds: float = 30) -> bool:
    """Wait until it is true; False when it did not become so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
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
    """Give a port of 127.0.0.1 that nothing listens on just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port
