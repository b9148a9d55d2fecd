"""The running product, as processes of their own: web, clock, worker and the example bank, on this test's database."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console import env
from tests import databases
from tests.cast import Company, open_acme
from tests.processes import free_port, until

STARTED_WITHIN = 120.0
FUNCTIONS = "examples.functions.rates,examples.functions.books"


@dataclass
class Stage:
    """Where the product and its bank are to be found."""

    url: str
    bank: str
    token: str
    acme: Company

    def entries(self) -> list[dict[str, Any]]:
        """Ask the bank what it did, from its own ledger."""
        connection = http.client.HTTPConnection(self.bank.removeprefix("http://"), timeout=30)
        connection.request("GET", "/ledger", headers={"Authorization": f"Bearer {self.token}"})
        return list(json.loads(connection.getresponse().read())["entries"])


@contextmanager
def opened(folder: Path) -> Iterator[Stage]:
    """Start everything, and stop it again."""
    port, bank_port = free_port(), free_port()
    variables = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(env.BASE_DIR),
        "PYTHONUNBUFFERED": "1",
        "COUNTERFOIL_FUNCTIONS": FUNCTIONS,
    }
    token = databases.variables()["COUNTERFOIL_SECRET_BANK_TOKEN"]
    bank = f"http://127.0.0.1:{bank_port}"
    web = (
        "-m",
        "uvicorn",
        "console.asgi:application",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--log-level",
        "warning",
    )
    with ExitStack() as running:
        for name, command in {
            "bank": (
                "-m",
                "examples.bank",
                "--port",
                str(bank_port),
                "--ledger",
                str(folder / "bank.ledger"),
                "--no-fsync",
            ),
            "web": web,
            "clock": ("manage.py", "clock"),
            "worker": ("manage.py", "worker"),
        }.items():
            running.enter_context(process(folder / f"{name}.log", command, variables | {"BANK_TOKEN": token}))
        acme = open_acme(bank)
        assert until(lambda: answers(port, "/ready") and answers(bank_port, "/"), STARTED_WITHIN), logs(folder)
        yield Stage(f"http://127.0.0.1:{port}", bank, token, acme)


@contextmanager
def process(log: Path, command: tuple[str, ...], variables: dict[str, str]) -> Iterator[None]:
    """Run one process of the product."""
    with log.open("w") as out:
        running = subprocess.Popen(
            [sys.executable, *command], cwd=env.BASE_DIR, env=variables, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            yield
        finally:
            running.terminate()
            try:
                running.wait(30)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()


def answers(port: int, path: str) -> bool:
    """Tell whether something speaks HTTP there, and is well."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", path)
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False


def logs(folder: Path) -> str:
    """Give the end of each process's log."""
    return "\n".join(f"{log.name}: {log.read_text()[-1500:]}" for log in sorted(folder.glob("*.log")))
