"""`python -m console.local`: what is refused before anything is started, and the environment that it gives."""

import fcntl
import json
import os
import socket
import subprocess
import sys

import pytest

from console.env import BASE_DIR
from tests.processes import free_port, newcomers

MODULE = [sys.executable, "-m", "console.local"]
YOURS = {
    "DATABASE_URL": "postgresql://app:a@db.example/cf",
    "DATABASE_OWNER_URL": "postgresql://owner:a@db.example/cf",
    "DATABASE_WORKER_URL": "postgresql://worker:a@db.example/cf",
    "REDIS_URL": "redis://bell.example",
    "SECRET_KEY": "kept",
}


def ask(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MODULE, *arguments], cwd=BASE_DIR, env=env, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.mark.parametrize("name", ["PORT", "BANK_PORT", "HOTEL_PORT"])
def test_a_taken_port_is_named_before_anything_is_started(data, name):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        free = {other: str(free_port()) for other in ("PORT", "BANK_PORT", "HOTEL_PORT")}
        refused = ask("up", env=newcomers(data, **(free | {name: str(port)})))
    assert refused.returncode == 1
    assert refused.stderr.splitlines() == [
        f"Port {port} of 127.0.0.1 cannot be had (Address already in use). Choose another: make up {name}={port + 100}"
    ]
    assert not (data / "keys.json").exists()


@pytest.mark.parametrize(
    ("ports", "why"),
    [
        ({"PORT": "70000"}, "there is none of that number"),
        ({"PORT": "8701", "BANK_PORT": "8701"}, "it is wanted twice"),
    ],
)
def test_a_port_that_cannot_be_is_named(data, ports, why):
    refused = ask("up", env=newcomers(data, **ports))
    assert (refused.returncode, why in refused.stderr) == (1, True), refused.stderr


def test_a_second_up_is_refused_and_told_of_the_first(data):
    data.mkdir()
    with (data / "up.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(json.dumps({"pid": 4711, "url": "http://127.0.0.1:8000/"}))
        lock.flush()
        refused = ask("up", env=newcomers(data))
    assert refused.returncode == 1
    assert refused.stderr == "It is up already: http://127.0.0.1:8000/ (process 4711). `make down` stops it.\n"


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("REDIS_URL", "DATABASE_URL set, so nothing is started here, but REDIS_URL not set."),
        ("DATABASE_URL", "REDIS_URL set, so nothing is started here, but DATABASE_URL not set."),
        ("DATABASE_OWNER_URL", "but DATABASE_OWNER_URL not set."),
        ("DATABASE_WORKER_URL", "but DATABASE_WORKER_URL not set."),
    ],
)
def test_half_of_your_own_services_is_refused_by_name(data, missing, said):
    given = {k: v for k, v in YOURS.items() if k != missing}
    refused = ask("up", env=newcomers(data, BANK_PORT=str(free_port()), HOTEL_PORT=str(free_port()), **given))
    assert refused.returncode == 1
    assert said in refused.stderr


def test_with_your_own_services_nothing_is_started(data):
    command = "import os; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'])"
    done = ask("run", "--", sys.executable, "-c", command, env=newcomers(data, **YOURS))
    assert done.stdout.split() == [YOURS["DATABASE_URL"], YOURS["REDIS_URL"]]
    assert not data.exists()


def test_env_prints_lines_that_a_shell_takes(data):
    given = ask("env", env=newcomers(data))
    script = f'{given.stdout}\nprintf %s "$DATABASE_OWNER_URL $REDIS_URL"'
    shell = subprocess.run(
        ["sh", "-c", script], env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True
    )
    owner, bell = shell.stdout.split()
    assert owner.startswith("postgresql://counterfoil_owner:")
    assert bell.startswith("unix://:")
    assert "do not run now" in given.stderr
    ask("reset", env=newcomers(data))


def test_down_says_when_nothing_runs(data):
    assert ask("down", env=newcomers(data)).stdout == "Nothing was running.\n"


def test_reset_leaves_what_is_not_ours(data):
    data.mkdir()
    (data / "keys.json").write_text("{}")
    (data / "mine.txt").write_text("kept")
    assert ask("reset", env=newcomers(data)).returncode == 0
    assert [path.name for path in data.iterdir()] == ["mine.txt"]
