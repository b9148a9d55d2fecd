"""A process that the bench starts: it says when it is ready, does what it is told in lines of JSON, and is ended with all it started."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from console import env
from console.local.tied import tied_to
from tests.bench.machine import family, processes


class Failed(Exception):
    """A program ended, or did not answer in time; the message ends with the tail of its log."""


class Program:
    """One process with a log of its own. `ready` is whether it prints a first line of JSON once it is ready."""

    def __init__(
        self, name: str, argv: Sequence[str], variables: Mapping[str, str], logs: Path, *, ready: float | None = None
    ) -> None:
        self.name, self.log = name, logs / f"{name}.log"
        self.unread = b""
        logs.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                argv,
                cwd=env.BASE_DIR,
                env={**variables, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if ready else log,
                stderr=log,
                start_new_session=True,
                preexec_fn=tied_to(os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - nothing here has threads
            )
        self.pid = self.process.pid
        try:
            self.says: dict[str, Any] = self.answer(ready) if ready else {}
        except BaseException:
            self.end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def ask(self, do: str, *, seconds: float = 300, **facts: Any) -> dict[str, Any]:
        """Tell it to do something and wait for its answer."""
        if self.process.stdin is None:
            raise Failed(f"{self.name} takes no orders.")
        self.process.stdin.write(json.dumps({"do": do, **facts}).encode() + b"\n")
        self.process.stdin.flush()
        return self.answer(seconds)

    def answer(self, seconds: float) -> dict[str, Any]:
        """Wait for a line of JSON."""
        until = time.monotonic() + seconds
        output = self.process.stdout
        if output is None:
            raise Failed(f"{self.name} gives no answers.")
        while True:
            line, found, rest = self.unread.partition(b"\n")
            if found:
                self.unread = rest
                if line.startswith(b"{"):
                    told: dict[str, Any] = json.loads(line)
                    return told
                continue
            left = until - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                raise Failed(f"{self.name} did not answer within {seconds:g} s.\n{self.tail()}")
            chunk = os.read(output.fileno(), 65536)
            if not chunk:
                raise Failed(f"{self.name} ended (exit code {self.process.wait()}).\n{self.tail()}")
            self.unread += chunk

    def tail(self) -> str:
        """Give the end of its log."""
        return self.log.read_text(errors="replace")[-3000:]

    def end(self, *, seconds: float = 15) -> None:
        """Ask it to end, then make it, with all that it started."""
        mine = family([self.pid], processes())
        if self.process.poll() is None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        now = processes()
        for pid in mine & now.keys():
            if now[pid].parent in mine | {1, os.getpid()}:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


def run(argv: Sequence[str], variables: Mapping[str, str], *, seconds: float = 120) -> str:
    """Run a program to its end and give what it printed; Failed if it failed."""
    done = subprocess.run(
        argv,
        cwd=env.BASE_DIR,
        env=dict(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    if done.returncode:
        raise Failed(
            f"{' '.join(argv[1:])} failed (exit code {done.returncode}).\n{(done.stdout + done.stderr)[-3000:]}"
        )
    return done.stdout


def python(*arguments: str) -> list[str]:
    """Give the command of a program of ours."""
    return [sys.executable, *arguments]


def obey(orders: Mapping[str, Callable[..., dict[str, Any]]], *, lines: Iterable[str] = sys.stdin) -> None:
    """The other side of `ask`: say ready, then do what each line says, until the input ends."""
    print(json.dumps({"ready": True}), flush=True)
    for line in lines:
        order = json.loads(line)
        print(json.dumps(orders[order.pop("do")](**order)), flush=True)
