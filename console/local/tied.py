"""Child processes that do not outlive us: the kernel ends them when their parent is gone, however it went."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from console.local.account import Account

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
_prctl = getattr(_libc, "prctl", None)  # Linux only; elsewhere a leftover is found at the next start


class NotStarted(Exception):
    """A program did not start; the message says where its log is."""


def tied_to(parent: int, when_orphaned: signal.Signals) -> Callable[[], None]:
    """Give what the new process calls before it becomes the program (the caller must have no threads)."""

    def tie() -> None:
        if _prctl is not None:
            _prctl(PR_SET_PDEATHSIG, int(when_orphaned), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

    return tie


def start(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path,
    output: int | IO[bytes],
    who: Account | None = None,
    when_orphaned: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, so that a terminal's Ctrl-C reaches us alone."""
    return subprocess.Popen(
        argv,
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        process_group=0,
        user=who.uid if who else None,
        group=who.gid if who else None,
        extra_groups=[] if who else None,
        preexec_fn=tied_to(os.getpid(), when_orphaned),  # noqa: PLW1509
    )


def wait_until_ready(process: subprocess.Popen[bytes], ready: Callable[[], bool], *, seconds: float) -> bool:
    """Wait until the process is ready; False when it ended or took too long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        if ready():
            return True
        time.sleep(0.02)
    return False


def end(process: subprocess.Popen[bytes], *steps: tuple[signal.Signals, float]) -> None:
    """End the process: each signal in turn, with the seconds that it is given."""
    for how, seconds in steps:
        if process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
