"""What only a real server shows: bodies that come in chunks or without end, and a fault of the connection."""

import http.client
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from console.env import BASE_DIR
from runs.models import Run
from tests.api.desk import Caller
from tests.api.serving import Server, serving
from tests.cast import inside


@pytest.fixture(scope="module")
def server(django_db_setup: Any) -> Iterator[Server]:
    """The web server."""
    with serving() as running:
        yield running


def test_a_body_in_chunks_is_read(agent: Caller, server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {
        "Authorization": f"Bearer {agent.bearer}",
        "Content-Type": "application/json",
        "Idempotency-Key": "k",
        "Transfer-Encoding": "chunked",
    }
    connection.request(
        "POST", "/api/v1/runs", iter([b'{"run_type":"errand",', b'"goal":"In pieces"}']), headers, encode_chunked=True
    )
    assert connection.getresponse().status == 201
    with inside():
        assert Run.objects.get().goal == "In pieces"


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_without_end_is_refused_before_it_is_kept(agent: Caller, server: Server, announced: bool) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        length = b"Content-Length: 5000000000\r\n" if announced else b"Transfer-Encoding: chunked\r\n"
        line.sendall(
            b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + length + b"\r\n"
        )
        try:
            for _ in range(0 if announced else 40):
                line.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        except OSError:
            pass  # refused before all of it was sent
        answer = line.recv(4096)
    assert b" 413 " in answer.split(b"\r\n", 1)[0]
    assert b"application/problem+json" in answer


def test_it_answers_exactly_one_mebibyte(agent: Caller, server: Server) -> None:
    body = b'{"goal":"' + b"x" * (1024 * 1024 - 11) + b'"}'
    assert len(body) == 1024 * 1024
    assert server.call("POST", "/api/v1/runs", body, bearer=agent.bearer, Idempotency_Key="k")[0] == 422


def test_it_does_not_start_on_a_database_that_may_lose_what_it_committed(db: None) -> None:
    started = subprocess.run(
        [sys.executable, "-c", "import console.asgi"], cwd=BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "RELAXED_DURABILITY": "no"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert started.returncode != 0
    assert "NotDurable" in started.stderr
