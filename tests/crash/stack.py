"""The whole product as processes, on services of its own that a test may kill."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString

import psutil
import psycopg
import redis
from rq import Queue
from rq.serializers import JSONSerializer

from console.env import BASE_DIR
from console.local import environment, postgres, roles, room, valkey
from console.local.keeper import Keeper
from console.local.place import Place
from tests.processes import free_port, newcomers, until

GATEWAY_FAULTS = (urllib.error.URLError, ConnectionError, TimeoutError)


class Stack:
    """Services and processes of one test; every one of them is ours and may be killed."""

    def __init__(self, folder: Path, *more_banks: str, **settings: str) -> None:
        self.place = Place(folder)
        self.place.prepare()
        with self.place.alone():
            self.keeper = Keeper(self.place)
            self.keeper.start()
        self.port = free_port()
        self.banks = {name: free_port() for name in ("bank", *more_banks)}
        self.logs = folder / "logs"
        self.environment = newcomers(
            folder, **environment.local(self.place), PORT=str(self.port), DJANGO_SETTINGS_MODULE="console.settings",
            **{f"COUNTERFOIL_BASE_URL_{name.upper().replace('-', '_')}": f"http://127.0.0.1:{port}" for name, port in self.banks.items()},
            **{"LEASE_SECONDS": "6", **settings},
        )  # fmt: skip
        self.environment["BANK_TOKEN"] = self.environment["COUNTERFOIL_SECRET_BANK_TOKEN"]
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def prepare(self) -> None:
        """Migrate, make the demo tenant and apply the example contracts, without breakers: here many calls fail in a row."""
        examples = self.place.data / "examples"
        examples.mkdir(exist_ok=True)
        for file in (BASE_DIR / "examples" / "contracts").glob("*.yaml"):
            text = re.sub(r"^breaker: .*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
            (examples / file.name).write_text(text, encoding="utf-8")
        for arguments in (
            ["migrate", "--database", "owner", "-v0"],
            ["demo"],
            ["contracts", "apply", str(examples), "--tenant", "demo"],
        ):
            self.manage(*arguments)
        self.key = (self.place.data / "agent.key").read_text().strip()

    def manage(self, *arguments: str) -> str:
        """Run a command to its end."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BASE_DIR,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str, *arguments: str, **settings: str) -> subprocess.Popen[bytes]:
        """Start a process under a name, its output in a log."""
        with (self.logs / f"{name}.log").open("ab") as log:
            started = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=BASE_DIR,
                env=self.environment | settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.processes[name] = started
        return started

    def start_bank(self, *arguments: str, name: str = "bank") -> None:
        """Start the bank, or another one, and wait until it answers."""
        self.start(
            name,
            "-m",
            "examples.bank",
            "--port",
            str(self.banks[name]),
            "--ledger",
            str(self.place.data / f"{name}.ledger"),
            *arguments,
        )
        assert until(lambda: self.bank("/health", name) is not None)

    def start_web(self, **settings: str) -> None:
        """Start the web server, and wait until it answers."""
        self.start(
            "web",
            "-m",
            "uvicorn",
            "console.asgi:application",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--log-level",
            "warning",
            **settings,
        )
        assert until(lambda: self.ask("GET", "/health")[0] == 200)

    def apply(self, contracts: str) -> None:
        """Apply contracts of a test's own."""
        folder = self.place.data / "contracts"
        folder.mkdir(exist_ok=True)
        (folder / "contracts.yaml").write_text(contracts, encoding="utf-8")
        self.manage("contracts", "apply", str(folder), "--tenant", "demo")

    def start_worker(self, name: str = "worker", **settings: str) -> subprocess.Popen[bytes]:
        """Start a worker."""
        return self.start(name, "manage.py", "worker", **settings)

    def start_clock(self) -> None:
        """Start the clock."""
        self.start("clock", "manage.py", "clock")

    def end(self, *names: str) -> None:
        """Ask processes to end, and wait for them."""
        for name in names:
            self.processes[name].terminate()
        for name in names:
            self.processes[name].wait(90)

    def kill(self, name: str) -> None:
        """Kill a process and all that it started, as when a machine vanishes; then it is forgotten."""
        process = self.processes.pop(name)
        children = _children(process.pid)
        if process.poll() is None:
            process.kill()
        for child in children:
            _quietly(child.kill)
        process.wait(60)

    def call_a_shift(self) -> None:
        """Ask RQ for a shift, as whoever rings does when none listens."""
        from django.conf import settings  # not all who use a stack have them

        from console.doorbell import SHIFT_JOB, SHIFTS

        bell = redis.Redis.from_url(self.environment["REDIS_URL"], protocol=2)
        Queue(SHIFTS, connection=bell, serializer=JSONSerializer).enqueue(
            SHIFT_JOB, job_timeout=settings.SHIFT_LIMIT_SECONDS
        )

    def as_superuser(self, sql: LiteralString) -> None:
        """Do what only PostgreSQL's own superuser may."""
        with roles.as_superuser(self.keeper.cluster, self.keeper.keys) as connection:
            connection.execute(sql)

    def stop_valkey(self) -> None:
        """Have Valkey go away."""
        assert self.keeper.bell is not None
        valkey.stop(self.keeper.bell)

    def start_valkey(self, **settings: str) -> None:
        """Have Valkey come back, empty, perhaps with settings."""
        self.keeper.bell = valkey.serve(self.keeper.doorbell, self.keeper.keys)
        for name, value in settings.items():
            redis.Redis.from_url(self.environment["REDIS_URL"], protocol=2).config_set(name.replace("_", "-"), value)

    def shift_of(self, name: str = "worker") -> psutil.Process | None:
        """Give the shift that a worker has forked, if one works now."""
        children = psutil.Process(self.processes[name].pid).children()
        return children[0] if children else None

    def kill_shift(self, name: str = "worker") -> None:
        """Kill a worker's shift as the kernel would; waits until there is one."""
        assert until(lambda: self.shift_of(name) is not None)
        child = self.shift_of(name)
        assert child is not None
        child.send_signal(signal.SIGKILL)

    def restart_postgres(self) -> None:
        """Crash PostgreSQL (SIGQUIT: as after a power cut, it recovers from its log) and start it again."""
        database = self.keeper.database
        assert database is not None
        database.send_signal(signal.SIGQUIT)
        database.wait(90)
        self.keeper.database = postgres.serve(self.keeper.cluster)

    def flush_valkey(self) -> None:
        """Lose everything that Valkey holds."""
        redis.Redis.from_url(self.environment["REDIS_URL"], protocol=2).flushall()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Ask our API; gives status and document, or 0 while nobody answers."""
        return call(
            f"http://127.0.0.1:{self.port}{path}",
            method,
            body,
            {"Authorization": f"Bearer {getattr(self, 'key', '')}", **headers},
        )

    def post_surely(self, path: str, body: Any, key: str, **headers: str) -> dict[str, Any]:
        """Post with one key until it is accepted, as an agent does while servers come and go."""
        limit = time.monotonic() + 120
        while time.monotonic() < limit:
            status, document = self.ask("POST", path, body, **{"Idempotency-Key": key, **headers})
            if status in {200, 201}:
                return dict(document)
            assert status in {0, 500, 502, 503}, (status, document)
            time.sleep(0.2)
        raise AssertionError(f"{path} was never accepted")

    def bank(self, path: str, name: str = "bank") -> Any:
        """Ask the bank what it knows; None while it does not answer."""
        status, document = call(
            f"http://127.0.0.1:{self.banks[name]}{path}",
            "GET",
            None,
            {"Authorization": f"Bearer {self.environment['BANK_TOKEN']}"},
        )
        return document if status == 200 else None

    def tell_bank(self, path: str, body: Any, name: str = "bank") -> None:
        """Tell the bank how to behave."""
        status, document = call(
            f"http://127.0.0.1:{self.banks[name]}{path}",
            "POST",
            body,
            {"Authorization": f"Bearer {self.environment['BANK_TOKEN']}"},
        )
        assert status in {200, 204}, (status, document)

    def rows(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Look into the database, past every rule."""
        with psycopg.connect(
            self.environment["DATABASE_WORKER_URL"], autocommit=True, connect_timeout=30
        ) as connection:
            return connection.execute(sql, parameters).fetchall()

    def check(self) -> None:
        """Demand that the record holds by itself, and that it agrees with the books of every bank."""
        from tests.invariants import at_the_bank

        assert "0 findings" in self.manage("verify")
        entries = [
            entry for name in self.banks if name in self.processes for entry in self.bank("/ledger", name)["entries"]
        ]
        assert not at_the_bank(entries, self.rows)

    def stop(self) -> None:
        """End everything of this test."""
        for process in self.processes.values():
            for child in _children(process.pid):
                _quietly(child.kill)
            if process.poll() is None:
                process.kill()
                process.wait(60)
        self.keeper.stop()
        room.remove(self.place)


@contextmanager
def stack(folder: Path, *more_banks: str, **settings: str) -> Iterator[Stack]:
    """Have a prepared stack for as long as this lasts."""
    made = Stack(folder, *more_banks, **settings)
    try:
        made.prepare()
        yield made
    finally:
        made.stop()


def call(url: str, method: str, body: Any, headers: dict[str, str]) -> tuple[int, Any]:
    """Make one HTTP call; 0 when nobody answered."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data=data, method=method, headers={"Content-Type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else None
    except urllib.error.HTTPError as refused:
        text = refused.read()
        try:
            return refused.code, json.loads(text)
        except ValueError:
            return refused.code, text.decode(errors="replace")
    except GATEWAY_FAULTS:
        return 0, None


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def _quietly(act: Any) -> None:
    try:
        act()
    except psutil.Error:
        return
