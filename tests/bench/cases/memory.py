"""What the whole stack takes of memory, a minute after the example agent has stopped."""

import os
import signal
import time
from pathlib import Path

from tests.bench.clone import Clone, clone
from tests.bench.ground import Ground
from tests.bench.machine import pss_bytes
from tests.bench.results import Measure, middle
from tests.bench.rounds import Pace
from tests.bench.visitor import Visitor

PAGES = ("/", "/runs", "/approvals", "/unknown")


def look_around(stack: Clone) -> None:
    """Sign in and look at the pages."""
    visitor = Visitor(stack.port)
    visitor.sign_in("ann@acme.example", (stack.folder / ".data" / "demo-password").read_text().strip())
    for page in PAGES:
        visitor.look(page)


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Start a clone, let its agent work, stop the agent, wait a minute and add up."""
    values: list[float] = []
    shares: dict[str, float] = {}
    for _ in range(pace.size(3, 1)):
        with clone() as stack:
            stack.up()
            time.sleep(pace.size(90, 5))
            look_around(stack)
            agent = stack.agent()
            if agent is not None:
                os.kill(agent, signal.SIGTERM)
            time.sleep(pace.size(60, 2))
            shares = {}
            for pid in stack.family():
                shares[named(pid)] = round(shares.get(named(pid), 0) + pss_bytes([pid]) / 2**20, 1)
            values.append(round(sum(shares.values()), 1))
            print(f"    {values[-1]:g} MiB {shares}", flush=True)
    return [
        Measure("memory", "memory of the whole stack", middle(values), "MiB",
                "Proportional set size of every process of `make up`, PostgreSQL and Valkey included, a minute after the example agent "
                "stopped; it had worked for 90 s and every list page had been opened.", values, 0, {"of": shares}),
    ]  # fmt: skip


def named(pid: int) -> str:
    """Give a process a name for people."""
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return "gone"
    for word in (
        "uvicorn",
        "manage.py clock",
        "manage.py worker",
        "examples.bank",
        "examples.agent",
        "valkey",
        "postgres",
    ):
        if word in line:
            return word
    if "console.local keep" in line:
        return "keeper"
    return "supervisor" if "console.local" in line else line.split(" ", maxsplit=1)[0].rpartition("/")[2] or "unknown"
