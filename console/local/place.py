"""Where one set of local services keeps its things."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console import env


@dataclass(frozen=True)
class Place:
    """One set of services: its data folder, its name there, and whether it must survive a power cut."""

    data: Path
    name: str = "main"
    durable: bool = True

    @property
    def folder(self) -> Path:
        """The folder of this set's records: passwords, locks, state."""
        return self.data if self.name == "main" else self.data / self.name

    @property
    def logs(self) -> Path:
        """The folder of this set's logs."""
        return self.folder / "logs"

    def prepare(self) -> None:
        """Make the folders, readable by nobody else."""
        for folder in (self.data, self.folder, self.logs):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the data folder's gate: one process at a time decides what is made or started here."""
        self.prepare()
        with (self.data / "gate.lock").open("a") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield


def main() -> Place:
    """The place of `make up`."""
    return Place(env.data_dir())


def test() -> Place:
    """The place of the tests: its disks are not waited for."""
    return Place(env.data_dir(), "test", durable=False)


def bench() -> Place:
    """The place of `make bench`: as durable as the real one, and apart from it."""
    return Place(env.data_dir(), "bench")


PLACES = {"main": main, "test": test, "bench": bench}


def write_private(path: Path, content: str) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(content)
    part.replace(path)
