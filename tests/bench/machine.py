"""The machine as the measurements see it: CPU and memory of groups of processes, and what everybody else uses meanwhile.

Read from /proc: the CPU time of a process includes that of its children that ended and were waited for.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")
SPIN = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
best = 9.0
for _ in range(4):
    began, x = time.perf_counter(), 0
    for i in range(1_000_000):
        x += i * i & 7
    best = min(best, time.perf_counter() - began)
print(best * 1000)
"""


@dataclass(frozen=True, slots=True)
class Process:
    """One process: its parent and the CPU time that it and its ended children used."""

    parent: int
    ticks: int


def processes() -> dict[int, Process]:
    """Read all processes."""
    found = {}
    for name in os.listdir(PROC):  # noqa: PTH208 - thousands of times, and only the names are wanted
        if name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                fields = (PROC / name / "stat").read_text().rpartition(")")[2].split()
                found[int(name)] = Process(int(fields[1]), sum(map(int, fields[11:15])))
    return found


def family(roots: Iterable[int], all_of_them: Mapping[int, Process]) -> set[int]:
    """Give the roots that live, with all that descend from them."""
    children: dict[int, list[int]] = {}
    for pid, process in all_of_them.items():
        children.setdefault(process.parent, []).append(pid)
    found: set[int] = set()
    left = [root for root in roots if root in all_of_them]
    while left:
        pid = left.pop()
        if pid not in found:
            found.add(pid)
            left += children.get(pid, [])
    return found


def busy_seconds() -> float:
    """Read how long the cores have been busy since the start, by anybody."""
    with (PROC / "stat").open() as file:
        times = list(map(int, file.readline().split()[1:9]))
    return (sum(times) - times[3] - times[4]) / TICKS


def pss_bytes(pids: Iterable[int]) -> int:
    """Add up the proportional memory of processes: what they share is counted once."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total


class Watch:
    """CPU seconds of named groups (roots with their descendants) while it lasts, and the cores that others used.

    Groups are taken in their order and this process with its other children last, so each process counts once.
    """

    def __init__(self, groups: Mapping[str, Iterable[int]]) -> None:
        self.groups = {**{name: list(roots) for name, roots in groups.items()}, "bench": [os.getpid()]}
        self.cpu: dict[str, float] = {}
        self.seconds = self.others = 0.0

    def __enter__(self) -> Self:
        self.first = self._read()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        now, busy, used = self._read()
        began, busy_then, used_then = self.first
        self.seconds = now - began
        self.cpu = {name: round(used[name] - used_then[name], 2) for name in self.groups}
        self.others = round((busy - busy_then - sum(self.cpu.values())) / self.seconds, 3)

    def _read(self) -> tuple[float, float, dict[str, float]]:
        seen = processes()
        used: dict[str, float] = {}
        counted: set[int] = set()
        for name, roots in self.groups.items():
            mine = family(roots, seen) - counted
            counted |= mine
            used[name] = sum(seen[pid].ticks for pid in mine) / TICKS
        return time.monotonic(), busy_seconds(), used


def wait_until_quiet(seconds: float, most_cores: float) -> float:
    """Wait, at most so long, until hardly anybody computes; give the cores that were busy when last looked at."""
    until = time.monotonic() + seconds
    while True:
        before = busy_seconds()
        time.sleep(1)
        cores = busy_seconds() - before
        if cores <= most_cores or time.monotonic() >= until:
            return round(cores, 3)


def spin_milliseconds() -> float:
    """Time a fixed piece of pure Python on every core at once, the slowest counts: it shows how the machine's speed drifts."""
    spinning = [
        subprocess.Popen([sys.executable, "-c", SPIN, str(core)], stdout=subprocess.PIPE, text=True)
        for core in os.sched_getaffinity(0)
    ]
    return round(max(float(process.communicate()[0]) for process in spinning), 1)


def described() -> dict[str, object]:
    """Say what machine this is."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in (PROC / "cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        "unknown",
    )
    memory = int((PROC / "meminfo").read_text().split()[1]) // 1024
    return {
        "cores": len(os.sched_getaffinity(0)),
        "cpu": model,
        "memory_mib": memory,
        "python": sys.version.split()[0],
        "kernel": os.uname().release,
    }
