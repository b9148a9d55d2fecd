"""The whole of `make up`, as a newcomer sees it: from nothing to the first page, and back to nothing."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from console.env import BASE_DIR
from console.local import room, services
from console.local.place import Place
from tests.processes import alive, free_port, newcomers, until

pytestmark = pytest.mark.crash


class Up:
    """One `up`, on a data folder of its own."""

    def __init__(self, data: Path, output: Path) -> None:
        self.place, self.output = Place(data), output
        self.port = free_port()
        self.environment = newcomers(data, PORT=str(self.port), BANK_PORT=str(free_port()), HOTEL_PORT=str(free_port()))
        self.environment.pop("DJANGO_SETTINGS_MODULE", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "console.local", "up"],
            cwd=BASE_DIR,
            env=self.environment,
            stdout=output.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def said(self) -> str:
        return self.output.read_text(errors="replace")

    def serves(self) -> bool:
        address = f"Counterfoil: http://127.0.0.1:{self.port}/"
        assert until(lambda: address in self.said() or self.process.poll() is not None, 240), self.said()
        assert self.process.poll() is None, self.said()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=60) as page:
            return page.status == 200 and "Counterfoil" in page.read().decode()

    def tree(self) -> set[int]:
        """The processes of the product and of its services."""
        servers = set((services.state(self.place) or {}).values())
        return servers | descendants(self.process.pid) | {child for pid in servers for child in descendants(pid)}


def descendants(top: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, more = {top}, {top}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found


@pytest.fixture
def start(tmp_path):
    begun: list[Up] = []

    def start_one(name: str = "data") -> Up:
        begun.append(Up(tmp_path / name, tmp_path / f"output-{len(begun)}"))
        return begun[-1]

    yield start_one
    for each in begun:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.wait()
    for each in begun:
        services.stop(each.place)
        room.remove(each.place)


def test_it_serves_stops_and_goes_on_with_the_same_data(start):
    first = start()
    assert first.serves()
    assert until(lambda: all(re.search(rf"^{name} +│", first.said(), re.MULTILINE) for name in ("bank", "hotel")))
    tree = first.tree()
    assert len(tree) > 10
    stopping = time.monotonic()
    first.process.send_signal(signal.SIGINT)
    assert first.process.wait(120) == 0, first.said()
    assert time.monotonic() - stopping < 60
    assert until(lambda: not any(map(alive, tree))), first.said()
    assert "Traceback" not in first.said()

    keys = (first.place.data / "keys.json").read_text()
    second = start()
    assert second.serves()
    assert (second.place.data / "keys.json").read_text() == keys
    password = re.search(r"password +(\S+)", first.said())
    assert password
    assert password[1] in second.said()


def test_a_second_up_is_refused_and_down_stops_the_first(start):
    first = start()
    assert first.serves()
    again = subprocess.run(
        [sys.executable, "-m", "console.local", "up"],
        cwd=BASE_DIR,
        env=first.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 1
    assert f"It is up already: http://127.0.0.1:{first.port}/" in again.stderr
    tree = first.tree()
    down = subprocess.run(
        [sys.executable, "-m", "console.local", "down"],
        cwd=BASE_DIR,
        env=first.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert down.stdout == "Stopped.\n"
    assert first.process.wait(90) == 0
    assert until(lambda: not any(map(alive, tree)))


def test_one_that_is_killed_leaves_nothing_and_the_next_starts(start):
    first = start()
    assert first.serves()
    tree = first.tree()
    first.process.kill()
    first.process.wait()
    assert until(lambda: not any(map(alive, tree))), [pid for pid in tree if alive(pid)]
    assert start().serves()


def test_what_is_killed_comes_back(start):
    up = start()
    assert up.serves()
    servers = services.state(up.place)
    assert servers is not None
    for pid in descendants(up.process.pid) - {up.process.pid}:
        with suppress(ProcessLookupError):  # a child that ended with its parent
            os.kill(pid, signal.SIGKILL)
    os.kill(servers["keeper"], signal.SIGKILL)
    assert until(lambda: services.state(up.place) not in (None, servers)), up.said()
    assert until(lambda: answers(up.port)), up.said()
    assert json.loads((up.place.data / "up.lock").read_text())["pid"] == up.process.pid


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
            return page.status == 200
    except OSError:
        return False
