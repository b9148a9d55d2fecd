"""The commands of the Makefile, and what the project may not name."""

import os
import re
import subprocess
import sys

import pytest

from console.env import BASE_DIR

REGISTRIES = ("://py" + "pi", "python" + "hosted", "registry." + "npmjs")
TARGETS = ("up", "down", "reset", "test", "check", "bench", "crash", "mutants", "lock", "schema")


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=BASE_DIR, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a clone")
    return [name for name in listed.stdout.split("\0") if name and (BASE_DIR / name).is_file()]


def test_no_file_names_a_registry():
    named = [
        (name, registry)
        for name in tracked()
        for registry in REGISTRIES
        if registry.encode() in (BASE_DIR / name).read_bytes()
    ]
    assert named == []


def test_every_file_in_the_lock_has_a_hash_and_no_address():
    lock = (BASE_DIR / "uv.lock").read_text()
    files = re.findall(r"^(?:sdist = |    )\{ (?:path|url) = .*$", lock, re.MULTILINE)
    assert len(files) > 500
    assert [line for line in files if not re.search(r'\{ path = "[^"/]+", hash = "sha256:[0-9a-f]{64}"', line)] == []
    assert set(re.findall(r"registry = \"([^\"]*)\"", lock)) == {"index"}


def test_help_lists_every_command():
    said = subprocess.run(["make", "help"], cwd=BASE_DIR, capture_output=True, text=True, check=True).stdout
    assert [name for name in TARGETS if not re.search(rf"^  make {name} +\S", said, re.MULTILINE)] == []


def test_what_is_installed_is_not_asked_for_again():
    """The second start touches no network: with everything installed, not even uv is called."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("UV_", "PIP_"))}
    environment |= {
        "PYTHON": sys.executable,
        "UV_DEFAULT_INDEX": "http://127.0.0.1:1/",
        "PIP_INDEX_URL": "http://127.0.0.1:1/",
    }
    if not (BASE_DIR / ".venv" / ".installed").exists():
        pytest.skip("not installed by make")
    again = subprocess.run(
        [".ci/install", "run"], cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_a_python_that_is_too_old_is_named():
    environment = os.environ | {"PYTHON": "/nowhere/python3.9"}
    refused = subprocess.run(
        [".ci/install", "run"], cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert "'/nowhere/python3.9' does not run. Name another: make … PYTHON=" in refused.stderr
