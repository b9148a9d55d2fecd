"""`make up`: the services, the database, the example, and the product's processes, until Ctrl-C."""

import fcntl
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from console import env
from console.local import environment, place, services
from console.local.place import Place
from console.local.supervise import Program, Supervisor, say
from console.local.tied import tied_to

BANK_PORT = 8701
FUNCTIONS = "examples.functions.rates,examples.functions.books"
LOOK_EVERY_SECONDS = 1.0


class AlreadyUp(Exception):
    """It runs already."""


class PortTaken(Exception):
    """Something else listens where we want to."""


class NotPrepared(Exception):
    """A step before the start failed."""


def up() -> int:
    """Start everything, and stop everything when told to."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    port, bank_port = env.whole("PORT", 8000, least=1), env.whole("BANK_PORT", BANK_PORT, least=1)
    hotel_port = env.whole("HOTEL_PORT", bank_port + 1, least=1)
    where = place.main()
    with ExitStack() as held:
        held.enter_context(only_one(where, port))
        refuse_taken(PORT=port, BANK_PORT=bank_port, HOTEL_PORT=hotel_port)
        if not environment.given():
            say("PostgreSQL and Valkey: starting …")
            held.enter_context(services.held(where))
        variables = {**os.environ, **environment.of(where), "PORT": str(port), "BANK_PORT": str(bank_port)}
        variables |= {"BANK_TOKEN": variables["COUNTERFOIL_SECRET_BANK_TOKEN"], "PYTHONUNBUFFERED": "1"}
        variables.setdefault("LOG_FORMAT", "plain")  # people read it, though it comes through a pipe
        variables.setdefault("LOG_REQUESTS", "no")
        variables.setdefault("DEMO", "yes")
        variables.setdefault("COUNTERFOIL_FUNCTIONS", FUNCTIONS)
        variables.setdefault("COUNTERFOIL_BASE_URL_BANK", f"http://127.0.0.1:{bank_port}")
        variables.setdefault("COUNTERFOIL_BASE_URL_HOTEL", f"http://127.0.0.1:{hotel_port}")
        sign_in = prepare(variables)
        supervisor = Supervisor(programs(where, port, bank_port, hotel_port), variables, env.BASE_DIR)
        supervisor.run(Watch(where, port, sign_in, supervisor).look)
    services.wait_until_unused(where)
    say("Stopped.")
    return 0


@contextmanager
def only_one(where: Place, port: int) -> Iterator[None]:
    """Be the only `up` on this data folder; AlreadyUp names the other."""
    where.prepare()
    with (where.folder / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyUp(f"It is up already: {told(where)}. `make down` stops it.") from None
        lock.truncate(0)
        lock.write(json.dumps({"pid": os.getpid(), "url": f"http://127.0.0.1:{port}/"}))
        lock.flush()
        yield
        lock.truncate(0)


def told(where: Place) -> str:
    """Say where the one that runs is to be found."""
    other = holder(where)
    return f"{other['url']} (process {other['pid']})" if other else "it is just starting"


def holder(where: Place) -> dict[str, Any] | None:
    """Give the process and the URL of the one that runs."""
    try:
        found: dict[str, Any] = json.loads((where.folder / "up.lock").read_text())
    except (OSError, ValueError):
        return None
    return found


def refuse_taken(**ports: int) -> None:
    """Refuse ports that something else has, or that we want twice."""
    for name, port in ports.items():
        why = "it is wanted twice" if list(ports.values()).count(port) > 1 else taken(port)
        if why:
            raise PortTaken(
                f"Port {port} of 127.0.0.1 cannot be had ({why}). Choose another: make up {name}={port + 100}"
            )


def taken(port: int) -> str | None:
    """Say why the port cannot be had, if it cannot."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OverflowError:
            return "there is none of that number"
        except OSError as error:
            return error.strerror
    return None


def prepare(variables: dict[str, str]) -> str:
    """Migrate, make the demo tenant with the example contracts; give what says how to sign in."""
    done = subprocess.run(
        [sys.executable, "manage.py", "prepare"],
        cwd=env.BASE_DIR,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=tied_to(os.getpid(), signal.SIGTERM),
    )
    if done.returncode:
        raise NotPrepared(f"`manage.py prepare` failed (exit code {done.returncode}); what it said is above.")
    return done.stdout


def programs(where: Place, port: int, bank_port: int, hotel_port: int) -> list[Program]:
    """Give the product's processes, in the order in which they are stopped; the first page does not wait for most."""
    python, drain = sys.executable, env.whole("DRAIN_SECONDS", 10)
    web = ("-m", "uvicorn", "console.asgi:application", "--host", "127.0.0.1", "--port", str(port), "--no-access-log")
    workers = [f"worker-{number}" for number in range(1, env.whole("WORKERS", 1) + 1)]
    return [
        Program(
            "agent",
            (
                python,
                "-m",
                "examples.agent",
                "--url",
                f"http://127.0.0.1:{port}",
                "--key-file",
                str(where.data / "agent.key"),
                "--seed",
                "44",  # its second case asks a person, so that a newcomer need not wait for one
            ),
            again_after_success=False,
            waits=True,
        ),
        Program("web", (python, *web, "--log-level", "warning", "--timeout-graceful-shutdown", "3")),
        Program("clock", (python, "manage.py", "clock"), waits=True),
        *(Program(name, (python, "manage.py", "worker"), grace_seconds=drain + 2, waits=True) for name in workers),
        Program(
            "bank",
            (
                python,
                "-m",
                "examples.bank",
                "--port",
                str(bank_port),
                "--ledger",
                str(where.data / "bank.ledger"),
                "--demo",
            ),
        ),
        Program(
            "hotel",
            (
                python,
                "-m",
                "examples.hotel",
                "--port",
                str(hotel_port),
                "--register",
                str(where.data / "hotel.register"),
            ),
            waits=True,
        ),
    ]


class Watch:
    """What is looked after while the processes run: the first page, and the services below."""

    def __init__(self, where: Place, port: int, sign_in: str, supervisor: Supervisor) -> None:
        self.where, self.port, self.sign_in, self.supervisor = where, port, sign_in, supervisor
        self.begun = self.last = time.monotonic()
        self.serves = False

    def look(self) -> None:
        """Look once."""
        if not self.serves and answers(self.port):
            self.serves = True
            self.supervisor.start_waiting()
            say(f"\n  Counterfoil: http://127.0.0.1:{self.port}/  (Ctrl-C stops everything)\n")
            for line in self.sign_in.splitlines():
                say(f"  {line}")
            say("")
        if time.monotonic() - self.last > LOOK_EVERY_SECONDS:
            self.last = time.monotonic()
            if not environment.given() and not services.running(self.where):
                say("PostgreSQL and Valkey: gone; starting them again …")
                services.ensure(self.where)


def answers(port: int) -> bool:
    """Ask for the first page."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        line.request("GET", "/")
        return line.getresponse().status < 500
    except OSError:
        return False
    finally:
        line.close()
