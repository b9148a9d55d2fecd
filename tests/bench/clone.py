"""The product as a newcomer gets it: a clone of the repository in a folder of its own, and its `make up`."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from console import env
from tests.bench.machine import family, processes
from tests.bench.visitor import Unexpected, wait_for
from tests.processes import SET_BY_UP, free_port

NOT_A_NEWCOMERS = {
    *SET_BY_UP, "COUNTERFOIL_DATA", "DJANGO_SETTINGS_MODULE", "LOG_LEVEL", "PYTHON", "WORKERS", "VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS",
    "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "COUNTERFOIL_SECRET_BANK_TOKEN",
}  # fmt: skip


class Clone:
    """A clone of what is committed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        began = time.monotonic()
        self._run("git", "clone", "--quiet", str(env.BASE_DIR), str(folder), at=folder.parent)
        self.cloning_seconds = time.monotonic() - began
        self.port, self.bank_port = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def install(self) -> None:
        """Install without starting: it fills the caches."""
        self._run(str(self.folder / ".ci" / "install"), "run", at=self.folder)

    def up(self, *, seconds: float = 300) -> float:
        """Start everything; give how long it took to the first page."""
        began = time.monotonic()
        with (self.folder.parent / "up.log").open("ab") as log:
            process = self.process = subprocess.Popen(
                ["make", "up", f"PORT={self.port}"],
                cwd=self.folder,
                env=newcomers() | {"BANK_PORT": str(self.bank_port)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            wait_for(self.port, "/", seconds=seconds, alive=lambda: process.poll() is None)
        except Unexpected as why:
            raise Unexpected(f"{why}\n{self.log()}") from None
        return time.monotonic() - began

    def family(self) -> set[int]:
        """Give the processes of the whole stack."""
        return family([self.process.pid] if self.process else [], processes())

    def agent(self) -> int | None:
        """Give the example agent's process, while it runs."""
        for pid in self.family():
            with suppress(OSError):
                if b"examples.agent" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        return None

    def stop(self) -> None:
        """Press Ctrl-C and wait."""
        if self.process is None:
            return
        process, self.process = self.process, None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait(60)

    def remove(self) -> None:
        """Stop it and remove what it made outside its folder."""
        self.stop()
        self._run("make", "reset", at=self.folder)

    def log(self) -> str:
        """Give the end of what it said."""
        return (self.folder.parent / "up.log").read_text(errors="replace")[-3000:]

    def _run(self, *argv: str, at: Path) -> None:
        done = subprocess.run(
            argv, cwd=at, env=newcomers(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Unexpected(f"{' '.join(argv)}: {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")


def newcomers() -> dict[str, str]:
    """Give an environment in which nothing is set that a newcomer would not have."""
    return {name: value for name, value in os.environ.items() if name not in NOT_A_NEWCOMERS}


@contextmanager
def clone() -> Iterator[Clone]:
    """Have a clone in a folder that goes with it."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        made = Clone(Path(folder) / "counterfoil")
        try:
            yield made
        finally:
            made.remove()
