"""Hold the local services while you need them.

A keeper process (keeper.py) runs PostgreSQL and Valkey for a place. Everyone who uses them holds a shared lock on the
place's `users.lock`; the kernel lets go of it when the user ends, however it ends. When nobody holds it the keeper stops
the servers and goes. So services outlive neither their users nor a user that was killed, and several users share them.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

from console.env import BASE_DIR
from console.local.place import Place
from console.local.tied import NotStarted

PATIENCE_SECONDS = 90


@contextmanager
def held(place: Place) -> Iterator[None]:
    """Have the services run for as long as this lasts."""
    place.prepare()
    with (place.folder / "users.lock").open("a") as users:
        fcntl.flock(users, fcntl.LOCK_SH)  # waits while a keeper is just stopping
        ensure(place)
        yield


def ensure(place: Place) -> None:
    """Start the services unless they run; for those who hold them already and saw the keeper die."""
    with place.alone():
        ended: Callable[[], bool]
        if running(place):
            log, ended = place.logs / "keeper.log", partial(gone, place)
        else:
            log, ended = start_keeper(place)
        until = time.monotonic() + PATIENCE_SECONDS
        while state(place) is None:
            if ended() or time.monotonic() > until:
                raise NotStarted(f"The local services did not start: {last_line(log)}")
            time.sleep(0.02)


def start_keeper(place: Place) -> tuple[Path, Callable[[], bool]]:
    """Start a keeper; give its log, and how to ask whether it has ended. The gate must be held."""
    (place.folder / "state.json").unlink(missing_ok=True)
    log = place.logs / "keeper.log"
    with log.open("wb") as output:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "console.local", "keep", str(place.data), place.name, str(int(place.durable))],
            cwd=BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    return log, lambda: keeper.poll() is not None


def running(place: Place) -> bool:
    """Tell whether a keeper is there."""
    path = place.folder / "keeper.lock"
    if not path.exists():
        return False
    with path.open("a") as lock:
        return not free(lock, fcntl.LOCK_SH)


def gone(place: Place) -> bool:
    """Tell whether there is no keeper."""
    return not running(place)


def state(place: Place) -> dict[str, int] | None:
    """Give the keeper's and the servers' process ids, once they are ready."""
    try:
        found: dict[str, int] = json.loads((place.folder / "state.json").read_text())
    except (OSError, ValueError):
        return None
    return found


def stop(place: Place, *, seconds: float = 25) -> bool:
    """Stop the keeper with its services, whoever uses them; False when there was none."""
    if not running(place):
        return False
    with place.alone():  # whoever starts one holds this until it is ready
        found = state(place)
    if found:  # else it is stopping already
        os.kill(found["keeper"], signal.SIGTERM)
    until = time.monotonic() + seconds
    while running(place) and time.monotonic() < until:
        time.sleep(0.05)
    return True


def wait_until_unused(place: Place, *, seconds: float = 25) -> None:
    """Wait until the keeper has stopped its services, unless somebody else uses them."""
    until = time.monotonic() + seconds
    with (place.folder / "users.lock").open("a") as users:
        while running(place) and time.monotonic() < until:
            if not free(users, fcntl.LOCK_EX) and free(users, fcntl.LOCK_SH):
                return  # somebody else uses them: a keeper that stops shares the lock with nobody
            time.sleep(0.05)


def free(lock: TextIO, kind: int) -> bool:
    """Tell whether the lock could be had just now; it is not kept."""
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(lock, fcntl.LOCK_UN)
    return True


def last_line(log: Path) -> str:
    """Give the last line of a log that says something."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else ""
