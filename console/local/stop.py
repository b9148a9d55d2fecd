"""`make down` and `make reset`."""

import fcntl
import os
import shutil
import signal
import time

from console import env
from console.local import place, room, services
from console.local.place import Place
from console.local.up import holder

PATIENCE_SECONDS = 40
OURS = (
    "agent.key",
    "bench",
    "bank.ledger",
    "books",
    "demo-password",
    "hotel.register",
    "keys.json",
    "letters",
    "logs",
    "postgres",
    "postgres.part",
    "room",
    "sockets",
    "state.json",
    "static",
    "test",
    "valkey",
)
OUR_LOCKS = ("gate.lock", "keeper.lock", "up.lock", "users.lock")


class StillUp(Exception):
    """What was told to stop did not."""


def down() -> int:
    """Stop what `make up` started, and the services."""
    where = place.main()
    stopped = stop_up(where)
    stopped = services.stop(where) or stopped
    if services.running(where):
        raise StillUp(f"PostgreSQL and Valkey do not stop; see {where.logs}.")
    print("Stopped." if stopped else "Nothing was running.")
    return 0


def stop_up(where: Place) -> bool:
    """Tell `up` to stop and wait for it; False when there was none."""
    path = where.folder / "up.lock"
    if not path.exists():
        return False
    with path.open() as lock:
        if services.free(lock, fcntl.LOCK_SH):
            return False
        other = holder(where)
        if other is None:
            raise StillUp("`make up` is just starting; try again in a moment.")
        os.kill(other["pid"], signal.SIGTERM)
        until = time.monotonic() + PATIENCE_SECONDS
        while not services.free(lock, fcntl.LOCK_SH):
            if time.monotonic() > until:
                raise StillUp(f"`make up` (process {other['pid']}) does not stop.")
            time.sleep(0.05)
    return True


def reset() -> int:
    """Stop, then remove the data: the default data folder whole, any other only as far as we made what is in it."""
    down()
    where = place.main()
    for other in (place.test(), place.bench()):
        services.stop(other)
    if not where.data.exists():
        return 0
    room.remove(where)
    for name in (*OURS, *OUR_LOCKS):
        path = where.data / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    if where.data == env.BASE_DIR / ".data":
        shutil.rmtree(where.data)
    print("The data is removed.")
    return 0
