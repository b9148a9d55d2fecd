"""The process that runs the local servers until nobody uses them any more."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import TextIO

from console.local import postgres, roles, valkey
from console.local.keys import keys
from console.local.place import Place, write_private

LOOK_EVERY_SECONDS = 0.2
LARGEST_LOG = 5_000_000


class Keeper:
    """PostgreSQL and Valkey of one place; the process that asked for them holds the gate while they start."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.keys = keys(place)
        self.cluster = postgres.cluster(place)
        self.doorbell = valkey.server(place)
        self.told_to_stop = False
        self.database: subprocess.Popen[bytes] | None = None
        self.bell: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start what does not run."""
        if self.bell is None or self.bell.poll() is not None:
            self.bell = valkey.serve(self.doorbell, self.keys)
        if self.database is None or self.database.poll() is not None:
            postgres.create(self.cluster, self.keys)
            self.database = postgres.serve(self.cluster)
            roles.create(self.cluster, self.keys)
        ids = {"keeper": os.getpid(), "postgres": self.database.pid, "valkey": self.bell.pid}
        write_private(self.place.folder / "state.json", json.dumps(ids))

    def watch(self) -> None:
        """Start again what ends, until nobody holds the users' lock or we are told to stop."""
        with (self.place.folder / "users.lock").open("a") as users:
            while not self.told_to_stop and not taken(users):
                if any(server is None or server.poll() is not None for server in (self.bell, self.database)):
                    self.start_again()
                time.sleep(LOOK_EVERY_SECONDS)
            self.stop()

    def start_again(self) -> None:
        """Start a server that ended by itself or was killed; a failure is tried again a little later."""
        try:
            self.start()
        except Exception as error:  # noqa: BLE001 - whatever it is, the next round tries again
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            time.sleep(1)

    def stop(self) -> None:
        """Stop both servers; new users wait, for we hold their lock."""
        (self.place.folder / "state.json").unlink(missing_ok=True)
        if self.bell:
            valkey.stop(self.bell)
        if self.database:
            postgres.stop(self.database)

    def tell_to_stop(self, number: int, frame: FrameType | None) -> None:
        """Remember a signal to stop."""
        self.told_to_stop = True


def keep(place: Place) -> int:
    """Run the place's servers until they are not needed; 1 when they could not be started."""
    with (place.folder / "keeper.lock").open("a") as lock:
        if not taken(lock, seconds=2):
            print("Another keeper is there already.", file=sys.stderr)
            return 1
        for log in place.logs.glob("*.log"):
            cut(log)
        keeper = Keeper(place)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, keeper.tell_to_stop)
        try:
            keeper.start()
            keeper.watch()
        finally:
            keeper.stop()
    return 0


def taken(lock: TextIO, *, seconds: float = 0) -> bool:
    """Take the lock for ourselves if nobody holds it."""
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.02)
        else:
            return True


def cut(log: Path) -> None:
    """Begin a log anew when it has grown long."""
    if log.stat().st_size > LARGEST_LOG:
        log.rename(log.with_suffix(".old"))
