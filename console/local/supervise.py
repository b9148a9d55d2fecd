"""Run the product's processes: start what ends, show who says what, and stop all of them in order."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from console.local.tied import end, start

TICK_SECONDS = 0.1
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 10.0
STEADY_SECONDS = 30.0  # who ran that long is started again at once
SAME_SIGNAL_SECONDS = 0.5
COLOURS = (36, 32, 33, 35, 34, 31)


@dataclass(frozen=True)
class Program:
    """What to run under which name; how long it may take to end; whether it is started again when it succeeded.

    One that waits is started by `start_waiting`."""

    name: str
    argv: tuple[str, ...]
    grace_seconds: float = 5
    again_after_success: bool = True
    waits: bool = False


class Process:
    """A program, running or waiting to be started again."""

    def __init__(self, program: Program, prefix: str) -> None:
        self.program = program
        self.prefix = prefix
        self.child: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.start_at: float | None = None if program.waits else 0.0
        self.pause = FIRST_PAUSE_SECONDS
        self.rest = b""

    def begin(self, environment: Mapping[str, str], folder: Path) -> int:
        """Start the program; give the end of the pipe that it writes to."""
        ours, its = os.pipe()
        os.set_blocking(ours, False)
        try:
            self.child = start(self.program.argv, environment=environment, folder=folder, output=its)
        finally:
            os.close(its)
        self.started_at, self.start_at = time.monotonic(), None
        return ours

    def ended(self) -> int | None:
        """Give the exit code once the program has ended, and decide when it starts again."""
        if self.child is None or (code := self.child.poll()) is None:
            return None
        self.child = None
        if code == 0 and not self.program.again_after_success:
            return code
        if time.monotonic() - self.started_at > STEADY_SECONDS:
            self.pause = FIRST_PAUSE_SECONDS
        self.start_at = time.monotonic() + self.pause
        self.pause = min(self.pause * 2, LONGEST_PAUSE_SECONDS)
        return code


class Supervisor:
    """All the processes, and the loop around them; one thread, so that children can be tied to it."""

    def __init__(self, programs: Iterable[Program], environment: Mapping[str, str], folder: Path) -> None:
        known = list(programs)
        width = max(len(program.name) for program in known)
        self.processes = [
            Process(program, painted(f"{program.name:<{width}} │ ", COLOURS[i % len(COLOURS)]))
            for i, program in enumerate(known)
        ]
        self.environment, self.folder = environment, folder
        self.pipes = selectors.DefaultSelector()
        self.signals = 0
        self.heard_at = float("-inf")

    def run(self, each_tick: Callable[[], None]) -> None:
        """Run until a signal says stop, calling `each_tick` several times a second; then stop all in the given order."""
        previous = {
            number: signal.signal(number, self.hear) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            while not self.signals:
                self.start_due()
                self.read(TICK_SECONDS)
                self.reap()
                each_tick()
        finally:
            self.stop()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Count a signal: one stops in order, a second at once; the same one, passed on by make as well, counts once."""
        if time.monotonic() - self.heard_at > SAME_SIGNAL_SECONDS:
            self.signals += 1
            self.heard_at = time.monotonic()

    def start_waiting(self) -> None:
        """Start those that waited for this."""
        for process in self.processes:
            if process.program.waits and process.child is None:
                process.start_at = 0.0

    def start_due(self) -> None:
        """Start what has not been started, or waited long enough to be started again."""
        for process in reversed(self.processes):
            if process.start_at is not None and time.monotonic() >= process.start_at:
                pipe = process.begin(self.environment, self.folder)
                self.pipes.register(pipe, selectors.EVENT_READ, process)

    def reap(self) -> None:
        """See who has ended, and say so."""
        for process in self.processes:
            code = process.ended()
            if code is not None and process.start_at is not None:
                how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
                say(f"{process.prefix}ended ({how}); starting it again in {process.start_at - time.monotonic():.1f} s")

    def read(self, seconds: float) -> None:
        """Show what the processes say, waiting for it as long as `seconds`."""
        for key, _ in self.pipes.select(seconds):
            process: Process = key.data
            try:
                chunk = os.read(key.fd, 65536)
            except BlockingIOError:
                continue
            *lines, process.rest = (process.rest + chunk).split(b"\n")
            if not chunk:
                lines, process.rest = [process.rest] if process.rest else [], b""
                self.pipes.unregister(key.fd)
                os.close(key.fd)
            for line in lines:
                say(process.prefix + line.decode(errors="replace"))

    def stop(self) -> None:
        """Stop the processes one after the other, each as it asks to be stopped."""
        say("Stopping …")
        for process in self.processes:
            process.start_at = None
            self.stop_one(process)
        self.read(0)

    def stop_one(self, process: Process) -> None:
        """Ask the process to end, wait as long as it may take, then make it end with what it started."""
        child = process.child
        if child is None:
            return
        child.terminate()
        until = time.monotonic() + process.program.grace_seconds
        while child.poll() is None and time.monotonic() < until and self.signals < 2:
            self.read(0.05)
        if child.poll() is None:
            say(f"{process.prefix}did not end by itself")
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        end(child, (signal.SIGKILL, 5))


def painted(text: str, colour: int) -> str:
    """Colour the text for a terminal."""
    return f"\033[{colour}m{text}\033[0m" if sys.stdout.isatty() else text


def say(line: str) -> None:
    """Print a line at once; a reader that went away stops nobody."""
    try:
        print(line, flush=True)
    except (BrokenPipeError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - for the rest of this process
