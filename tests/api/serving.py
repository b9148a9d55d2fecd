"""The web server as it is in production: a process of its own, on the test's database."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from console import env
from tests.processes import free_port, until


@dataclass
class Server:
    """A running web server."""

    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        bearer: str | None = None,
        patience: float = 90,
        **headers: Any,
    ) -> tuple[int, Any]:
        """Call it once: status and document."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        given |= {"Authorization": f"Bearer {bearer}"} if bearer else {}
        raw = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        if raw is not None:
            given.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, raw, given)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def lives(self) -> bool:
        """Tell whether it answers."""
        with suppress(OSError, http.client.HTTPException):
            return self.call("GET", "/health", patience=10)[0] == 200
        return False


@contextmanager
def serving(**environment: str) -> Iterator[Server]:
    """Run the web server while the block lasts."""
    port = free_port()
    command = [
        sys.executable, "-m", "uvicorn", "console.asgi:application", "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning",
        "--timeout-graceful-shutdown", "1",
    ]  # fmt: skip
    process = subprocess.Popen(
        command, cwd=env.BASE_DIR, env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", **environment}
    )
    server = Server(port, process)
    try:
        assert until(server.lives), "the web server did not start"
        yield server
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def spent(began: float) -> float:
    """Give the seconds since."""
    return time.monotonic() - began
